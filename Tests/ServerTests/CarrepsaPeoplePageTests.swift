import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// What owner and carrier see of each other, and of themselves.
@Suite("Carrepsa: pages about people")
struct CarrepsaPeoplePageTests {
    @Test("The exact points open in the reader's maps app, for owner and carrier only", arguments: Engine.allCases)
    func points(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, cleo) = (
                try await site.person("Ada"), try await site.person("Ben"), try await site.person("Cleo")
            )
            let path = try await ada.offer(with: [
                "fromLatitude": 53.8661, "fromLongitude": 10.6797, "toLatitude": 53.8655, "toLongitude": 10.6866,
            ])
            #expect(try await !ben.page(path).text.contains("id=\"points\""))
            #expect(try await ben.send(.post, path + "/acceptance").status == 201)
            for reader in [ada, ben] {
                let page = try await reader.page(path).text
                #expect(page.contains("href=\"geo:53.8661,10.6797\""))
                #expect(page.contains("href=\"geo:53.8655,10.6866\""))
            }
            #expect(try await ben.send(.patch, "/account", json: ["mapsApp": "apple"]).status == 200)
            let chosen = try await ben.page(path).text
            #expect(chosen.contains("href=\"https://maps.apple.com/?daddr=53.8661,10.6797\""))
            #expect(try await !cleo.page(path).text.contains("53.8661"))
        }
    }

    @Test("C-30: A person reads the reviews about them on their own profile, and others on their page")
    func ownReviews() async throws {
        try await withCarrepsa { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            _ = try await ada.send(.post, path + "/delivery")
            let empty = try await ada.submit(path + "/reviews", ["text": ""])
            #expect(empty.status == 422)
            #expect(empty.text.contains("Choose what was good, or write something."))
            #expect(try await ben.page("/carrepsa/profile").text.contains("No reviews yet"))
            _ = try await ada.send(.post, path + "/reviews", json: ["onTime": true, "text": "Came when he said"])
            #expect(try await !ben.page("/carrepsa/profile").text.contains("Came when he said"), "Ben hasn't written")
            #expect(try await !ben.page(path).text.contains("Came when he said"))
            _ = try await ben.send(.post, path + "/reviews", json: ["friendly": true])
            for (reader, uri) in [(ben, "/carrepsa/profile"), (olga, "/carrepsa/people/\(ben.id)")] {
                let profile = try await reader.page(uri).text
                #expect(profile.contains("Came when he said"))
                #expect(profile.contains("1 delivery"))
            }
        }
    }

    @Test("C-09, C-10: Only the other party of a live package finds links to call and to write on a person's page")
    func contacts() async throws {
        try await withCarrepsa { site in
            let (ada, ben, eve) = (
                try await site.person("Ada"), try await site.person("Ben"), try await site.person("Eve")
            )
            let path = try await ada.offer()
            func finds(_ reader: CarrepsaTestClient, _ person: CarrepsaTestClient) async throws -> Bool {
                let page = try await reader.page("/carrepsa/people/\(person.id)").text
                #expect(page.contains(person.name))
                let isCallable = page.contains("href=\"tel:+491515550100\"")
                #expect(page.contains("mailto:\(person.name.lowercased())@example.org") == isCallable)
                #expect(page.contains("+491515550100") == isCallable)
                return isCallable
            }
            #expect(try await !finds(ada, ben))
            _ = try await ben.send(.post, path + "/acceptance")
            for (reader, person) in [(ada, ben), (ben, ada)] { #expect(try await finds(reader, person)) }
            #expect(try await !finds(eve, ben))
            _ = try await ada.send(.post, path + "/pickup")
            #expect(try await finds(ben, ada))
            _ = try await ada.send(.post, path + "/delivery")
            for (reader, person) in [(ada, ben), (ben, ada)] { #expect(try await !finds(reader, person)) }
        }
    }

    @Test("C-11: A popup shows the present value, keeps a rejected one with its error, and stores a good one")
    func popups() async throws {
        try await withCarrepsa { site in
            let (olga, karl) = (try await site.person("Olga"), try await site.person("Karl"))
            for (field, type, before, bad, good) in [
                ("name", "text", "Olga", String(repeating: "x", count: 51), "Olga Petrowa"),
                ("phone", "tel", "+491515550100", "call me", "+491705550123"),
            ] {
                func input(_ value: String) -> String { "name=\"\(field)\" type=\"\(type)\" value=\"\(value)\"" }
                func stored() async throws -> String? { try await olga.send(.get, "/account").object().text(field) }
                func change(_ value: String) async throws -> Reply {
                    let form: KeyValuePairs = ["view": field, "return": "/carrepsa/profile", field: value]
                    return try await olga.submit("/account?_method=patch", form, isFragment: true)
                }
                let page = try await olga.page("/carrepsa/profile").text
                #expect(page.contains(">\(before)</span>"))
                #expect(page.contains(input(before)))

                let refused = try await change(bad)
                #expect(refused.status == 422)
                #expect(refused.text.contains(input(bad)))
                #expect(refused.text.contains("aria-invalid=\"true\""))
                #expect(refused.text.contains("id=\"\(field)-input-error\" role=\"alert\">"))
                #expect(!refused.text.contains("id=\"\(field)-input-error\" role=\"alert\"></p>"))
                #expect(try await stored() == before)

                let accepted = try await change(good)
                #expect(accepted.status == 200)
                #expect(accepted.header("hx-redirect") == "/carrepsa/profile")
                let changed = try await olga.page("/carrepsa/profile").text
                #expect(changed.contains(">\(good)</span>"))
                #expect(changed.contains(input(good)))
                #expect(try await stored() == good)
                #expect(try await karl.page("/carrepsa/people/\(olga.id)").text.contains("Olga Petrowa"))
            }
            let form: KeyValuePairs = [
                "view": "email", "return": "/carrepsa/profile", "email": "olga.petrowa@example.org", "password": "",
            ]
            let unproven = try await olga.submit("/account?_method=patch", form, isFragment: true)
            #expect(unproven.status == 422)
            #expect(unproven.text.contains("Enter your password."))
            #expect(unproven.text.contains("value=\"olga.petrowa@example.org\""))
            #expect(try await olga.send(.get, "/account").object().text("email") == "olga@example.org")
            for person in [olga, karl] { #expect(try await person.balances() == [CarrepsaTestServer.start, 0]) }
        }
    }

    @Test("A block during a delivery says that it continues, and removes Write from the package's page")
    func block() async throws {
        try await withCarrepsa { site in
            let (ada, ben, _, path) = try await site.packageInTransit()
            let messages = try await ada.page(path + "/messages").text
            #expect(messages.contains("You have a delivery under way with Ben. It continues"))
            #expect(messages.contains("Write something, or add a photo or your position."))
            #expect(messages.contains("data-waiting-adds=\"\(path)/messages\""))
            for reader in [ada, ben] {
                #expect(try await reader.page(path).text.contains("href=\"\(path)/messages\""))
            }
            #expect(try await ada.send(.put, "/carrepsa/people/\(ben.id)/block").status == 204)
            for reader in [ada, ben] {
                #expect(try await !reader.page(path).text.contains("href=\"\(path)/messages\""))
            }
        }
    }

    @Test("A package opened from the wallet leads back to the wallet, also after a live update")
    func walletLink() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let path = try await ada.offer()
            #expect(try await ada.page("/carrepsa/wallet/entries").text.contains("href=\"\(path)?from=wallet\""))
            let page = try await ada.page(path + "?from=wallet").text
            #expect(page.contains("href=\"/carrepsa/wallet/entries\""))
            #expect(page.contains("hx-get=\"\(path)?from=wallet\""))
            #expect(try await !ada.page(path).text.contains("href=\"/carrepsa/wallet/entries\""))
        }
    }

    @Test("Messages are oldest first, above the form; earlier ones are on a page of their own without the form")
    func order() async throws {
        try await withCarrepsa { site in
            let (ada, ben, _, path) = try await site.packageInTransit()
            for number in 1...2 {
                _ = try await ada.send(.post, path + "/messages", json: ["text": "Number \(number)"])
            }
            let page = try await ben.page(path + "/messages").text
            let first = try #require(page.range(of: "Number 1"))
            let second = try #require(page.range(of: "Number 2"))
            let form = try #require(page.range(of: "id=\"message-form\""))
            #expect(first.lowerBound < second.lowerBound)
            #expect(second.lowerBound < form.lowerBound)
            let earlier = try await ben.page(path + "/messages?after=2").text
            #expect(earlier.contains("Number 1"))
            #expect(!earlier.contains("Number 2"))
            #expect(!earlier.contains("id=\"message-form\""))
            #expect(earlier.contains("Newest messages"))
            // Programs get them as before.
            let items = try await ben.send(.get, path + "/messages").object().texts("items", "text")
            #expect(items == ["Number 2", "Number 1"])
        }
    }
}

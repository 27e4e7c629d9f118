import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The page of a package's recipient, and the forms of owner and carrier for it.
@Suite("Carrepsa: the recipient's page")
struct CarrepsaRecipientPageTests {
    /// The path of the recipient's page, from the owner's view of the recipient.
    private static func delivery(of path: String, _ owner: CarrepsaTestClient) async throws -> String {
        let url = try #require(try await owner.send(.get, path + "/recipient").object().text("url"))
        return "/deliveries/\(try #require(url.split(separator: "/").last))"
    }

    /// A package on its way to a recipient, and the path of the recipient's page.
    private static func travelling(
        _ ada: CarrepsaTestClient, _ ben: CarrepsaTestClient
    ) async throws -> (path: String, delivery: String) {
        let path = try await ada.offer()
        _ = try await ada.send(.put, path + "/recipient", json: ["name": "Mia", "contact": "+49 30 123456"])
        _ = try await ben.send(.post, path + "/acceptance")
        #expect(try await ada.send(.post, path + "/pickup").status == 201)
        return (path, try await delivery(of: path, ada))
    }

    @Test("C-18: The owner enters the recipient, whom the carrier sees after accepting, and no other person")
    func entered() async throws {
        try await withCarrepsa { site in
            let (ada, ben, cleo) = (
                try await site.person("Ada"), try await site.person("Ben"), try await site.person("Cleo")
            )
            let path = try await ada.offer()
            func enter(_ contact: String) async throws -> Reply {
                try await ada.submit(
                    path + "/recipient?_method=put",
                    ["name": "Mia", "contact": contact, "address": "Am Markt 1", "version": "0"])
            }
            let refused = try await enter("nowhere")
            #expect(refused.status == 422)
            #expect(refused.marked == ["contact"])
            #expect(refused.text.contains("This is neither a phone number nor an email address."))
            #expect(refused.text.contains("value=\"nowhere\"") && refused.text.contains(">Am Markt 1</textarea>"))
            let saved = try await enter("mia@example.org")
            #expect(saved.header("location") == path + "/recipient")
            #expect(try saved.toast() == "Saved")
            #expect(try await ada.page(path + "/recipient").text.contains("id=\"recipient-link\""))
            for other in [ben, cleo] { #expect(try await other.send(.get, path + "/recipient").status == 404) }
            #expect(try await ben.send(.post, path + "/acceptance").status == 201)
            #expect(try await cleo.send(.get, path + "/recipient").status == 404)
            let carriers = try await ben.page(path + "/recipient").text
            #expect(carriers.contains(">Am Markt 1<") && carriers.contains("href=\"mailto:mia@example.org\""))
            #expect(!carriers.contains("id=\"recipient-link\""))
        }
    }

    @Test("C-18, C-19: The recipient's page follows the package without amounts, and its code confirms the delivery")
    func followed() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let path = try await ada.offer()
            _ = try await ada.send(.put, path + "/recipient", json: ["name": "Mia", "contact": "mia@example.org"])
            let delivery = try await Self.delivery(of: path, ada)
            func page() async throws -> String { try await site.signedOut.page(delivery).text }
            let early = try await page()
            #expect(early.contains("We’re still looking for a carrier."))
            #expect(early.contains("<meta name=\"robots\" content=\"noindex, nofollow\">"))
            _ = try await ben.send(.post, path + "/acceptance")
            let met = try await ben.submit(
                path + "/recipient/meeting?_method=put", ["meeting": "Friday at six, at the station"])
            #expect(try met.toast() == "The recipient’s page shows it")
            let accepted = try await page()
            #expect(accepted.contains("Ben will collect it and bring it to you."))
            #expect(accepted.contains("Friday at six, at the station"))
            #expect(!accepted.contains("id=\"delivery-code\""))

            _ = try await ada.send(.post, path + "/pickup")
            let travelling = try await page()
            #expect(travelling.contains("Ben is on the way with it."))
            let shown = try #require(travelling.components(separatedBy: "id=\"delivery\"").last)
            #expect(!shown.contains("€"))
            let told = try await site.signedOut.submit(
                delivery + "/instructions?_method=put", ["leaveAt": "With Karl, ground floor"])
            #expect(try told.toast() == "Owner and carrier see it")
            for reader in [ada, ben] {
                #expect(try await reader.page(path + "/recipient").text.contains("With Karl, ground floor"))
            }

            let code = try #require(try await site.signedOut.send(.get, delivery).object().text("code"))
            #expect(travelling.contains(">\(code.prefix(4))\u{a0}\(code.suffix(4))</output>"))
            let wrong = try await ben.submit(
                path + "/delivery", ["code": code == "00000000" ? "00000001" : "00000000"])
            #expect(wrong.status == 422)
            #expect(wrong.marked == ["code"])
            #expect(try await ben.balances() == [6_000, 4_000])
            let confirmed = try await ben.submit(path + "/delivery", ["code": code])
            #expect(confirmed.header("location") == "/carrepsa/packages?role=carrier")
            #expect(try await ada.balances() == [8_800, 0])
            #expect(try await ben.balances() == [11_200, 0])
            let delivered = try await page()
            #expect(delivered.contains("It was delivered.") && !delivered.contains("id=\"delivery-code\""))
        }
    }

    @Test("C-20: A refusal notifies owner and carrier, moves no money, and cancels nothing")
    func refused() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let (path, delivery) = try await Self.travelling(ada, ben)
            let refused = try await site.signedOut.submit(delivery + "/refusal", [:])
            #expect(refused.header("location") == delivery)
            #expect(try refused.toast() == "Refused. Owner and carrier are notified.")
            let page = try await site.signedOut.page(delivery).text
            #expect(page.contains("You refused this package.") && !page.contains("id=\"delivery-code\""))
            for (person, other) in [(ada, ben), (ben, ada)] {
                let newest = try #require(try await person.notifications().first?.text("body"))
                #expect(newest.hasPrefix("The recipient doesn’t want “Bike helmet”. Agree with \(other.name) on"))
            }
            // A carrier who has the link can't refuse and agree alone.
            let package = try await ada.send(.get, path).object()
            #expect(package.isNull("cancellationRequestedBy") && package.text("state") == "travelling")
            #expect(try await ada.balances() == [8_800, 1_200])
            #expect(try await ben.balances() == [6_000, 4_000])
        }
    }

    @Test("C-20: The owner renews and revokes the link; former and unknown links look the same")
    func links() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let (path, former) = try await Self.travelling(ada, ben)
            func isGone(_ delivery: String) async throws -> Bool {
                let page = try await site.signedOut.page(delivery)
                return page.status == 404 && page.text.contains("This link no longer works")
            }
            #expect(try await ada.submit(path + "/recipient/link", [:]).toast() == "New link created")
            let renewed = try await Self.delivery(of: path, ada)
            #expect(renewed != former)
            #expect(try await isGone(former))
            #expect(try await isGone("/deliveries/unknown"))
            #expect(try await site.signedOut.page(renewed).status == 200)
            #expect(try await ada.submit(path + "/recipient/link?_method=delete", [:]).toast() == "Link revoked")
            #expect(try await isGone(renewed))
            // An open page learns it when it asks again, and then stops asking.
            let asked = try await site.signedOut.fragment(renewed)
            #expect(asked.status == 286)
            #expect(asked.text.contains("This link no longer works") && !asked.text.contains("hx-get"))
            #expect(try await ada.send(.get, path + "/recipient").object().isNull("url"))
        }
    }
}

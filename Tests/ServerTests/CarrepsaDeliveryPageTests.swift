import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The steps of a delivery, and what owner, carrier and administrator are shown of them.
@Suite("Carrepsa: steps of a delivery")
struct CarrepsaDeliveryPageTests {
    /// The newest notification of a person.
    private static func newestNotification(_ person: CarrepsaTestClient) async throws -> String {
        let page = try await person.page("/notifications").text
        return String(try #require(page.firstMatch(of: #/<li id="notice-[\s\S]*?<\/li>/#)).output)
    }

    /// Submits a form that asks first, checks the page that asks, and confirms it there.
    private static func confirmed(
        _ action: String, at form: String, of path: String, by person: CarrepsaTestClient, question: String
    ) async throws -> Reply {
        let before = try await person.balances()
        let version = try #require(try await person.send(.get, path).object().number("version"))
        let asked = try await person.submit(form, ["version": "\(version)", "ask": action])
        #expect(asked.status == 303)
        let page = try await person.page(try #require(asked.header("location"))).text
        #expect(page.contains("\(question)</h1>"))
        #expect(page.contains("action=\"\(form)\""))
        #expect(page.contains("name=\"version\" value=\"\(version)\""))
        #expect(page.contains("href=\"\(path)\">Keep it</a>"))
        #expect(try await person.balances() == before, "nothing happens before the confirmation")
        return try await person.submit(form, ["version": "\(version)"])
    }

    @Test("C-01: A search finds parts of places, ignores case and accents, and finds packages up to a weight")
    func places() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            _ = try await ada.offer(with: ["from": "Köln-Mülheim", "to": "Liège"])
            for query in [
                "from=koln", "from=koeln", "from=KOELN-MUELHEIM", "from=M%C3%9CLHEIM", "to=liege", "to=LI%C3%88GE",
            ] {
                #expect(try await ben.titles("/carrepsa/packages?" + query) == ["Bike helmet"], "\(query)")
            }
            #expect(try await ben.titles("/carrepsa/packages?from=liege") == [])
            _ = try await ada.offer("Lamp")
            for (query, isFound) in [
                ("from=aachen", true), ("from=ACH", true), ("from=%C3%A4ach", true), ("from=bonn", false),
                ("to=bonn", true), ("to=koln", false), ("maxWeight=1200", true), ("maxWeight=1199", false),
                ("from=a&to=b&maxWeight=5000", true),
            ] {
                let titles = try await ben.titles("/carrepsa/packages?" + query)
                #expect(titles.contains("Lamp") == isFound, "\(query)")
            }
        }
    }

    @Test("C-01: The address of a search gives every reader its fields and its list")
    func address() async throws {
        try await withCarrepsa { site in
            let (ada, ben, cleo) = (
                try await site.person("Ada"), try await site.person("Ben"), try await site.person("Cleo")
            )
            _ = try await ada.offer("Near parcel", with: ["to": "Ort Nord"])
            _ = try await ada.offer("Far parcel")
            for reader in [ben, cleo] {
                let page = try await reader.page("/carrepsa/packages?to=Ort%20Nord&kilograms=2.5").text
                #expect(page.contains("name=\"to\" type=\"search\" value=\"Ort Nord\""))
                #expect(page.contains("name=\"kilograms\" inputmode=\"decimal\" value=\"2.5\""))
                #expect(page.contains("Near parcel"))
                #expect(!page.contains("Far parcel"))
            }
        }
    }

    @Test("Steps out of turn are rejected, and move no money")
    func outOfTurn() async throws {
        try await withCarrepsa { site in
            let (ada, ben, eve) = (
                try await site.person("Ada"), try await site.person("Ben"), try await site.person("Eve")
            )
            let path = try await ada.offer()
            let reason: [String: any Sendable] = ["reason": "Never mind."]
            func take(
                _ step: String, _ person: CarrepsaTestClient, json: [String: any Sendable] = [:]
            ) async throws -> Int {
                try await person.send(.post, "\(path)/\(step)", json: json).status
            }
            func money() async throws -> [[Int?]] {
                [try await ada.balances(), try await ben.balances(), try await eve.balances()]
            }
            let full: [Int?] = [CarrepsaTestServer.start, 0]
            #expect(try await take("acceptance", ada) == 403)
            for (step, person) in [("pickup", ben), ("delivery", ben), ("pickup", ada), ("delivery", ada)] {
                let status = try await take(step, person)
                #expect([403, 409].contains(status), "\(step) by \(person.name)")
            }
            #expect(try await money() == [[8_800, 1_200], full, full])

            #expect(try await take("acceptance", ben) == 201)
            #expect(try await take("acceptance", ben) == 409)
            for step in ["acceptance", "pickup", "delivery", "delivery-report", "cancellation-request", "dispute"] {
                #expect(try await take(step, eve, json: reason) == (step == "acceptance" ? 409 : 404), "\(step)")
            }
            #expect(try await take("pickup", ben) == 422)
            #expect(try await take("delivery", ada) == 409)
            #expect(try await ada.send(.delete, path).status == 409)
            #expect(try await money() == [[8_800, 1_200], [6_000, 4_000], full])

            #expect(try await take("pickup", ada) == 201)
            #expect(try await take("pickup", ada) == 409)
            for person in [ada, ben] { #expect(try await person.send(.delete, path + "/acceptance").status == 409) }
            #expect(try await take("delivery", ben) == 422)
            #expect(try await ada.send(.get, path).object().text("state") == "travelling")
            #expect(try await money() == [[8_800, 1_200], [6_000, 4_000], full])

            #expect(try await take("delivery", ada) == 201)
            for step in ["delivery", "dispute", "cancellation-request", "pickup"] {
                #expect(try await take(step, ada, json: reason) == 409, "\(step)")
            }
            #expect(try await money() == [[8_800, 0], [11_200, 0], full])
        }
    }

    @Test("C-04, C-05, C-06: Without scripts, each cancellation asks on a page first, then moves the money")
    func cancellations() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let path = try await ada.offer()
            let acceptance = path + "/acceptance"
            let asked = try await ben.submit(acceptance, ["version": "1", "ask": "accept"])
            let question = try await ben.page(try #require(asked.header("location"))).text
            #expect(question.contains("Carry this package?</h1>"))
            #expect(try await ada.balances() == [8_800, 1_200])
            #expect(try await ben.balances() == [CarrepsaTestServer.start, 0])
            let accepted = try await ben.submit(acceptance, ["version": "1"])
            #expect(accepted.header("location") == "/carrepsa/packages")
            #expect(try await ben.balances() == [6_000, 4_000])
            #expect(try await ada.send(.delete, acceptance).status == 200)

            // A carrier who cancelled can't accept the same offer again that day.
            for (side, role) in [(ada, "owner"), (ben, "carrier")] {
                #expect(try await ben.send(.post, acceptance).status == 201)
                #expect(try await ada.balances() == [8_800, 1_200])
                #expect(try await ben.balances() == [6_000, 4_000])
                let cancelled = try await Self.confirmed(
                    "cancelAcceptance", at: acceptance + "?_method=delete", of: path, by: side,
                    question: "Cancel this delivery?")
                #expect(cancelled.header("location") == "/carrepsa/packages?role=\(role)")
                #expect(try await ada.send(.get, path).object().text("state") == "available")
                for person in [ada, ben] { #expect(try await person.balances() == [CarrepsaTestServer.start, 0]) }
            }

            let withdrawn = try await Self.confirmed(
                "withdraw", at: path + "?_method=delete", of: path, by: ada, question: "Cancel this request?")
            #expect(withdrawn.header("location") == "/carrepsa/packages?role=owner")
            #expect(try await ada.send(.get, path).status == 404)
            for person in [ada, ben] { #expect(try await person.balances() == [CarrepsaTestServer.start, 0]) }
        }
    }

    @Test("C-05, C-06: A cancellation notifies the other party of the amount that is back in their wallet")
    func cancellationNotices() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let path = try await ada.offer()
            for (canceller, reader, amount) in [(ada, ben, "€40.00"), (ben, ada, "€12.00")] {
                #expect(try await ben.send(.post, path + "/acceptance").status == 201)
                #expect(try await canceller.send(.delete, path + "/acceptance").status == 200)
                let entry = try await Self.newestNotification(reader)
                #expect(entry.contains(">Delivery cancelled</span>"))
                #expect(entry.contains("\(canceller.name) cancelled the delivery of “Bike helmet”."))
                #expect(entry.contains("\(amount) is back in your wallet."))
            }
        }
    }

    @Test("A reported delivery asks the owner to confirm it, with a link to the package")
    func report() async throws {
        try await withCarrepsa { site in
            let (ada, ben, _, path) = try await site.packageInTransit()
            let reported = try await ben.submit(path + "/delivery-report", [:])
            #expect(reported.status == 303)
            #expect(try reported.toast() == "Ada is asked to confirm")
            let entry = try await Self.newestNotification(ada)
            #expect(entry.contains("Ben says “Bike helmet” has arrived."))
            #expect(entry.contains("€52.00"))
            #expect(entry.contains("href=\"\(path)\""))
            #expect(try await ada.page(path).text.contains(">Confirm delivery</button>"))
        }
    }

    @Test("On the way, a delivery is cancelled only when owner and carrier agree")
    func agreement() async throws {
        try await withCarrepsa { site in
            let (ada, ben, _, path) = try await site.packageInTransit()
            #expect(try await ben.send(.post, path + "/cancellation-request").status == 201)
            #expect(try await ada.balances() == [8_800, 1_200])
            #expect(try await ben.balances() == [6_000, 4_000])
            let agreed = try await ada.send(.post, path + "/cancellation-request")
            #expect(agreed.status == 201)
            #expect(try agreed.object().text("state") == "cancelled")
            for person in [ada, ben] { #expect(try await person.balances() == [CarrepsaTestServer.start, 0]) }
        }
    }

    /// A decision of a dispute, and what owner and carrier gain by it, in cents.
    struct Outcome: Sendable, CustomTestStringConvertible {
        let name: String
        let owner: Int
        let carrier: Int
        let state: String
        var testDescription: String { name }

        static let all = [
            Outcome(name: "delivered", owner: -1_200, carrier: 1_200, state: "delivered"),
            Outcome(name: "refunded", owner: 0, carrier: 0, state: "cancelled"),
        ]
    }

    @Test(
        "Only an administrator decides a dispute, when both were heard; the money moves when both accept the decision",
        arguments: Outcome.all)
    func decision(outcome: Outcome) async throws {
        try await withCarrepsa { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            let id = String(path.suffix(36))
            let decision: [String: any Sendable] = ["outcome": outcome.name, "note": "Talked to both."]
            func cases() async throws -> [String?] {
                try await olga.send(.get, "/carrepsa/disputes").object().texts("items", "id")
            }
            #expect(try await olga.send(.post, path + "/decision", json: decision).status == 409, "no dispute")
            #expect(try await ben.send(.post, path + "/delivery-report").status == 201)
            let opened = try await ada.send(.post, path + "/dispute", json: ["reason": "It never arrived."])
            #expect(opened.status == 201)
            #expect(try await ada.send(.post, path + "/decision", json: ["outcome": outcome.name]).status == 403)
            #expect(try await ada.send(.get, "/carrepsa/disputes").status == 403)
            #expect(try await cases() == [id])
            #expect(try await olga.send(.post, path + "/decision", json: decision).status == 409, "Ben can answer")
            let answered = try await ben.send(
                .post, path + "/statements", json: ["statement": "It is at the door."])
            #expect(answered.status == 201)
            #expect(try await olga.send(.post, path + "/decision", json: decision).status == 201)
            #expect(try await ada.send(.get, path).object().text("state") == "travelling", "both can appeal")
            for party in [ben, ada] {
                #expect(try await party.send(.post, path + "/decision/acceptance").status == 201)
            }
            #expect(try await ada.send(.get, path).object().text("state") == outcome.state)
            #expect(try await ada.balances() == [CarrepsaTestServer.start + outcome.owner, 0])
            #expect(try await ben.balances() == [CarrepsaTestServer.start + outcome.carrier, 0])
            #expect(try await olga.balances() == [CarrepsaTestServer.start, 0])
            #expect(try await cases() == [])
        }
    }
}

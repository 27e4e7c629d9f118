import Carrepsa
import Foundation
import HTTPTypes
import Kernel
import Server
import Storage
import TestSupport
import Testing

/// Carrepsa's JSON API.
@Suite("Carrepsa: JSON")
struct CarrepsaJSONTests {
    @Test("C-01: A complete delivery, with each person's balance after each step", arguments: Engine.allCases)
    func completeDelivery(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let package = try await ada.offer()
            #expect(try await ada.balances() == [8_800, 1_200])
            #expect(try await ben.titles("/carrepsa/packages?from=AACH&to=bonn&maxWeight=1200") == ["Bike helmet"])
            #expect(try await ben.titles("/carrepsa/packages?maxWeight=1199") == [])
            let accepted = try await ben.send(.post, package + "/acceptance")
            #expect(accepted.status == 201)
            #expect(try accepted.object().text("state") == "accepted")
            #expect(try accepted.object().text("role") == "carrier")
            #expect(try accepted.object().object("carrier").text("name") == "Ben")
            #expect(try await ben.balances() == [6_000, 4_000])
            #expect(try await ben.titles("/carrepsa/packages?role=carrier") == ["Bike helmet"])
            let again = try await ben.send(.post, package + "/acceptance")
            #expect(again.status == 409)
            #expect(try await ada.send(.post, package + "/pickup").object().text("state") == "travelling")
            let delivered = try await ada.send(.post, package + "/delivery")
            #expect(delivered.status == 201)
            #expect(try delivered.object().text("state") == "delivered")
            #expect(try await ada.balances() == [8_800, 0])
            #expect(try await ben.balances() == [11_200, 0])
            #expect(try await ben.titles("/carrepsa/packages?role=carrier&past=false") == [])
            #expect(try await ben.titles("/carrepsa/packages?role=carrier&past=true") == ["Bike helmet"])
            let entries = try await ben.send(.get, "/carrepsa/wallet/entries").object()
            #expect(try entries.texts("items", "kind") == ["earned", "money_lock_held", "welcome"])
            #expect(try entries.list("items").map { $0.number("amount") } == [5_200, -4_000, 10_000])
            #expect(try entries.list("items").map { $0.number("balanceAfter") } == [11_200, 6_000, 10_000])
        }
    }

    @Test("A package has every key of the API, including nulls", arguments: Engine.allCases)
    func shape(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let package = try await ada.offer()
            let one = try await ada.send(.get, package).object()
            let common = [
                "acceptedAt", "cancellationRequestedBy", "carrier", "createdAt", "deadline", "deliveredAt",
                "deliveryReportedAt", "description", "disputedAt", "from", "fromArea", "fromOpeningTimes", "fromPoint",
                "funded", "id", "moneyLock", "owner", "pickedUpAt", "pictureId", "requiresPhotos", "reward", "size",
                "state", "title",
                "to", "toArea", "toOpeningTimes", "toPoint", "version", "weight",
            ]
            #expect(one.keys == (common + ["actions", "blocked", "dispute", "proofs", "role", "story"]).sorted())
            for key in ["carrier", "description", "pictureId", "deadline", "acceptedAt"] { #expect(one.isNull(key)) }
            #expect(one.members["actions"] as? [String] == ["withdraw", "edit"])
            let listed = try #require(try await ada.send(.get, "/carrepsa/packages").object().list("items").first)
            #expect(listed.keys == common)
            let wallet = try await ada.send(.get, "/carrepsa/wallet").object()
            #expect(wallet.keys == ["balance", "currency", "held", "payable"])
        }
    }

    /// Values that `reward` and `moneyLock` can't have.
    private static let amounts: [any Sendable] = [
        0, -1, 1.5, "1e3", UInt64(1) << 63, Int64.max, NSNull(), true,
    ]

    /// Values that other fields can't have.
    private static let refusals: [(field: String, value: any Sendable)] = [
        ("weight", 0), ("weight", "5"), ("title", ""), ("title", String(repeating: "x", count: 51)), ("from", ""),
        ("from", " "), ("to", String(repeating: "x", count: 101)), ("to", "a\u{7}b"),
        ("deadline", "2020-01-01T00:00:00Z"), ("deadline", "2001-01-01"), ("deadline", "tomorrow"),
        ("pictureId", "nothing"),
    ]

    @Test("An invalid package gets an error for its field, and moves no money", arguments: Engine.allCases)
    func refuses(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            func post(_ changes: [String: any Sendable]) async throws -> Reply {
                var body: [String: any Sendable] = [
                    "title": "Lamp", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": 1, "moneyLock": 1,
                ]
                body.merge(changes) { _, new in new }
                return try await ada.send(.post, "/carrepsa/packages", json: body)
            }
            func check(_ field: String, _ value: any Sendable) async throws {
                let reply = try await post([field: value])
                #expect(reply.status == 422, "\(field): \(value)")
                #expect(try reply.error().object("fields").keys == [field], "\(field): \(value)")
            }
            for amount in Self.amounts {
                for field in ["reward", "moneyLock"] { try await check(field, amount) }
            }
            for refusal in Self.refusals { try await check(refusal.field, refusal.value) }
            // Their sum doesn't overflow.
            #expect(try await post(["reward": Int64(1) << 62, "moneyLock": Int64(1) << 62]).status == 422)
            #expect(try await ada.titles("/carrepsa/packages?role=owner") == [])
            #expect(try await ada.balances() == [CarrepsaTestServer.start, 0])
        }
    }

    @Test("C-02, C-03: More than the wallet's balance gets insufficient_funds", arguments: Engine.allCases)
    func insufficientFunds(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let body: [String: any Sendable] = [
                "title": "Piano", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": 10_001, "moneyLock": 1,
            ]
            let poor = try await ada.send(.post, "/carrepsa/packages", json: body)
            #expect(poor.status == 409)
            #expect(try poor.error().text("code") == "insufficient_funds")
            #expect(try poor.error().object("fields").keys == ["reward"])
            #expect(try await ada.balances() == [CarrepsaTestServer.start, 0])
            #expect(try await ada.titles("/carrepsa/packages?role=owner") == [])
            #expect(try await ben.titles("/carrepsa/packages") == [])
            let package = try await ada.offer(with: ["reward": 10_000, "moneyLock": 10_001])
            let view = try await ben.send(.get, package).object()
            #expect(try view.object("blocked").text("accept") == "insufficient_funds")
            let refused = try await ben.send(.post, package + "/acceptance")
            #expect(refused.status == 409)
            #expect(try refused.error().text("code") == "insufficient_funds")
            #expect(try refused.error().object("fields").keys == ["moneyLock"])
            #expect(try await ada.send(.get, package).object().text("state") == "available")
            #expect(try await ada.page("/carrepsa/packages?role=owner").text.contains(">Available</span>"))
            #expect(try await ada.balances() == [0, CarrepsaTestServer.start])
            #expect(try await ben.titles("/carrepsa/packages?role=carrier") == [])
            #expect(try await ben.balances() == [CarrepsaTestServer.start, 0])
        }
    }

    @Test(
        "C-04, C-05, C-06, C-07, C-08: Withdrawal, cancellation by owner or carrier, another acceptance",
        arguments: Engine.allCases)
    func cancellations(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let cid = try await site.person("Cid")
            let package = try await ada.offer()
            _ = try await ben.send(.post, package + "/acceptance")
            for side in [ada, ben] {
                let cancelled = try await side.send(.delete, package + "/acceptance")
                #expect(cancelled.status == 200)
                #expect(try cancelled.object().text("state") == "available")
                #expect(try await ada.balances() == [CarrepsaTestServer.start, 0])
                #expect(try await ben.balances() == [CarrepsaTestServer.start, 0])
                // A carrier who cancelled waits for a day.
                let again = try await ben.send(.post, package + "/acceptance").status
                #expect(again == (side.id == ada.id ? 201 : 409))
            }
            #expect(try await cid.send(.post, package + "/acceptance").status == 201)
            #expect(try await ada.balances() == [8_800, 1_200])
            _ = try await ada.send(.post, package + "/pickup")
            _ = try await ada.send(.post, package + "/delivery")
            #expect(try await cid.balances() == [11_200, 0])
            let other = try await ada.offer("Lamp")
            #expect(try await ada.send(.delete, other).status == 204)
            #expect(try await ada.send(.delete, other).status == 404)
            #expect(try await ada.send(.get, other).status == 404)
            #expect(try await ada.balances() == [8_800, 0])
        }
    }

    @Test(
        "Owners can't accept their own package, others can't confirm it, and see only available ones",
        arguments: Engine.allCases)
    func strangers(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let eve = try await site.person("Eve")
            let package = try await ada.offer()
            let own = try await ada.send(.post, package + "/acceptance")
            #expect(own.status == 403)
            #expect(try own.error().text("code") == "forbidden")
            _ = try await ben.send(.post, package + "/acceptance")
            for path in ["", "/pickup", "/delivery", "/acceptance", "/dispute", "/delivery-report"] {
                let reply =
                    path.isEmpty
                    ? try await eve.send(.get, package)
                    : try await eve.send(.post, package + path, json: ["reason": "None of my business."])
                #expect([404, 409].contains(reply.status), "\(path)")
            }
            #expect(try await eve.send(.get, package).status == 404)
            #expect(try await ada.send(.get, package).object().text("state") == "accepted")
        }
    }

    @Test(
        "C-09, C-10: Owner and carrier of a live package see each other's phone and email", arguments: Engine.allCases)
    func contacts(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let eve = try await site.person("Eve")
            let package = try await ada.offer()
            func isOpen(_ initiator: CarrepsaTestClient, _ person: CarrepsaTestClient) async throws -> Bool {
                let reply = try await initiator.send(.get, "/carrepsa/people/\(person.id)")
                #expect(reply.status == 200)
                let object = try reply.object()
                #expect(object.text("name") == person.name)
                #expect(object.isNull("email") == object.isNull("phone"))
                return !object.isNull("phone")
            }
            #expect(try await !isOpen(ben, ada))
            _ = try await ben.send(.post, package + "/acceptance")
            #expect(try await isOpen(ben, ada))
            #expect(try await isOpen(ada, ben))
            #expect(try await !isOpen(eve, ben))
            // A child's name is visible to its family only.
            try await site.server.services.database.write { tx in
                try tx.execute(
                    """
                    UPDATE account SET role = 'child', email = NULL, email_key = NULL, password = NULL
                    WHERE name = 'Eve'
                    """
                )
            }
            #expect(try await ben.send(.get, "/carrepsa/people/\(eve.id)").status == 404)
            _ = try await ada.send(.post, package + "/pickup")
            _ = try await ada.send(.post, package + "/delivery")
            #expect(try await !isOpen(ben, ada))
            let cancelled = try await ada.offer("Lamp")
            #expect(try await ben.send(.post, cancelled + "/acceptance").status == 201)
            #expect(try await isOpen(ben, ada))
            #expect(try await ben.send(.delete, cancelled + "/acceptance").status == 200)
            #expect(try await !isOpen(ben, ada))
            #expect(try await !isOpen(ada, ben))
            #expect(try await ada.balances() == [8_800, 0])
            #expect(try await ben.balances() == [11_200, 0])
        }
    }

    @Test(
        "The carrier confirms pickup and delivery with the owner's codes; five wrong codes block further tries",
        arguments: Engine.allCases)
    func handover(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let package = try await ada.offer()
            _ = try await ben.send(.post, package + "/acceptance")
            let bare = try await ben.send(.post, package + "/pickup")
            #expect(bare.status == 422)
            #expect(try bare.error().object("fields").keys == ["code"])
            let made = try await ada.send(.post, package + "/handover-codes", json: ["step": "pickup"])
            #expect(made.status == 201)
            let code = try #require(try made.object().text("code"))
            #expect(try made.object().text("url")?.hasSuffix("\(package)?code=\(code)") == true)
            let other = code == "000000" ? "000001" : "000000"
            let refused = try await ben.send(.post, package + "/pickup", json: ["code": other])
            #expect(refused.status == 422)
            #expect(try refused.error().object("fields").keys == ["code"])
            let pickedUp = try await ben.send(.post, package + "/pickup", json: ["code": code])
            #expect(pickedUp.status == 201)
            #expect(try pickedUp.object().text("state") == "travelling")
            let proof = try await ada.send(.post, package + "/handover-codes", json: ["step": "delivery"])
            let right = try #require(try proof.object().text("code"))
            let wrong = right == "000000" ? "000001" : "000000"
            for _ in 1...5 {
                let refused = try await ben.send(.post, package + "/delivery", json: ["code": wrong])
                #expect(refused.status == 422)
                #expect(try refused.error().object("fields").keys == ["code"])
            }
            let throttled = try await ben.send(.post, package + "/delivery", json: ["code": right])
            #expect(throttled.status == 429)
            #expect(try throttled.error().text("code") == "throttled")
            #expect(throttled.header("retry-after") != nil)
            #expect(try await ada.send(.get, package).object().text("state") == "travelling")
            site.clock.advance(seconds: Limits.handoverThrottleSeconds + 60)
            let delivered = try await ben.send(.post, package + "/delivery", json: ["code": right])
            #expect(delivered.status == 201)
            #expect(try delivered.object().text("state") == "delivered")
            #expect(try await ada.balances() == [8_800, 0])
            #expect(try await ben.balances() == [11_200, 0])
        }
    }

    @Test("A report, a withdrawn request, a dispute, and an administrator's decision", arguments: Engine.allCases)
    func disagreement(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let olga = try await site.person("Olga", isOperator: true)
            let package = try await ada.offer()
            _ = try await ben.send(.post, package + "/acceptance")
            _ = try await ada.send(.post, package + "/pickup")
            let decision: [String: any Sendable] = ["outcome": "lost", "note": "Agreed on the phone."]
            #expect(try await olga.send(.post, package + "/decision", json: decision).status == 409, "no dispute")
            #expect(try await ben.send(.post, package + "/delivery-report").status == 201)
            #expect(try await ben.send(.post, package + "/cancellation-request").status == 201)
            let asked = try await ada.send(.get, package).object()
            #expect(asked.text("cancellationRequestedBy") == "carrier")
            #expect((asked.members["actions"] as? [String])?.contains("agreeCancellation") == true)
            #expect(try await ben.send(.delete, package + "/cancellation-request").status == 200)
            #expect(try await ada.send(.post, package + "/dispute", json: ["reason": " "]).status == 422)
            #expect(try await ada.send(.post, package + "/dispute", json: ["reason": "It broke."]).status == 201)
            #expect(try await ada.send(.get, "/carrepsa/disputes").status == 403)
            #expect(try await ada.send(.get, "/carrepsa/ledger").status == 403)
            #expect(try await ada.send(.post, package + "/decision", json: decision).status == 403)
            let dispute = try #require(try await olga.send(.get, "/carrepsa/disputes").object().list("items").first)
            #expect(dispute.text("id") == String(package.suffix(36)) && dispute.text("disputeReason") == "It broke.")
            #expect(try await olga.send(.post, package + "/decision", json: ["outcome": "mine"]).status == 422)
            #expect(try await olga.send(.post, package + "/decision", json: decision).status == 409, "Ben can answer")
            #expect(try await ben.send(.post, package + "/statements", json: ["statement": "No."]).status == 201)
            #expect(try await olga.send(.post, package + "/decision", json: ["outcome": "lost"]).status == 422)
            #expect(try await olga.send(.post, package + "/decision", json: decision).status == 201)
            #expect(try await olga.send(.post, package + "/decision", json: decision).status == 409)
            let seen = try await ben.send(.get, package).object().object("dispute")
            #expect(try seen.object("decision").text("outcome") == "lost")
            #expect(try await ada.send(.get, package).object().text("state") == "travelling", "both can appeal")
            for party in [ada, ben] {
                #expect(try await party.send(.post, package + "/decision/acceptance").status == 201)
            }
            #expect(try await ada.send(.get, package).object().text("state") == "cancelled")
            #expect(try await ada.balances() == [14_000, 0])
            #expect(try await ben.balances() == [6_000, 0])
            #expect(try await olga.balances() == [CarrepsaTestServer.start, 0])
            #expect(try await olga.send(.get, "/carrepsa/disputes").object().list("items").isEmpty)
            let ledger = try await olga.send(.get, "/carrepsa/ledger").object()
            // Euros, and the entries of the history that the ledger seals.
            #expect(try ledger.list("sums").map { $0.number("sum") } == [0, 0])
        }
    }

    @Test("Requests with the same idempotency key act once", arguments: Engine.allCases)
    func idempotency(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let body: [String: any Sendable] = [
                "title": "Lamp", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": 100, "moneyLock": 1,
            ]
            let key = ["Idempotency-Key": "one"]
            let first = try await ada.send(.post, "/carrepsa/packages", json: body, headers: key)
            let second = try await ada.send(.post, "/carrepsa/packages", json: body, headers: key)
            #expect(first.status == 201)
            #expect(second.status == 201)
            #expect(try first.object().text("id") == second.object().text("id"))
            let id = try #require(try first.object().text("id"))
            let ben = try await site.person("Ben")
            for _ in 0..<2 {
                let accepted = try await ben.send(.post, "/carrepsa/packages/\(id)/acceptance", headers: key)
                #expect(accepted.status == 201)
            }
            #expect(try await ada.balances() == [9_900, 100])
            #expect(try await ben.balances() == [9_999, 1])
        }
    }

    @Test("C-13: An account of another app must add a phone number first", arguments: Engine.allCases)
    func phoneMissing(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let body: [String: any Sendable] = [
                "email": "tia@example.org", "password": "correct horse", "name": "Tia",
            ]
            let joined = try await site.signedOut.send(.post, "/accounts", json: body).object()
            let tia = CarrepsaTestClient(site: site, name: "Tia", id: "", token: joined.text("token"), cookie: nil)
            let refused = try await tia.send(.get, "/carrepsa/wallet")
            #expect(refused.status == 422)
            #expect(try refused.error().object("fields").keys == ["phone"])
            let entered = try await tia.send(.post, "/account/apps/carrepsa", json: ["phone": "0151 5550199"])
            #expect(entered.status == 200)
            #expect(try await tia.balances() == [CarrepsaTestServer.start, 0])
        }
    }
}

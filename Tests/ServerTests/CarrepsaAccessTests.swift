import Carrepsa
import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing
import WebCore

/// Every route of Carrepsa, from the server's list, for people who have no part in a package any more.
@Suite("Access to packages")
struct CarrepsaAccessTests {
    /// The expected statuses of a package's route. A new route must be added to ``packageRoutes``.
    private struct Expected: Equatable, CustomStringConvertible {
        /// A person without a part in a package that another one carries and that is in dispute, and a former carrier.
        let stranger: Int
        let former: Int
        /// A person whom the owner of an open offer blocked.
        let blocked: Int
        /// Owner and carrier of a delivery that ended 15 days ago.
        let owner: Int
        let carrier: Int

        init(_ stranger: Int, _ former: Int, _ blocked: Int, _ owner: Int, _ carrier: Int) {
            (self.stranger, self.former, self.blocked) = (stranger, former, blocked)
            (self.owner, self.carrier) = (owner, carrier)
        }

        var description: String { "(\(stranger), \(former), \(blocked), \(owner), \(carrier))" }
    }

    /// Without a part in the package, every route is 404 except two: the acceptance says that it isn't available, and
    /// the decision is for administrators. A former carrier reads the own messages. On an open offer, which everybody
    /// sees, the other actions aren't possible yet.
    private static let packageRoutes: [String: Expected] = [
        "DELETE /carrepsa/packages/{id}": .init(404, 404, 403, 409, 409),
        "GET /carrepsa/packages/{id}": .init(404, 404, 200, 200, 200),
        "PUT /carrepsa/packages/{id}": .init(404, 404, 403, 409, 409),
        "DELETE /carrepsa/packages/{id}/acceptance": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/acceptance": .init(409, 409, 409, 403, 409),
        "POST /carrepsa/packages/{id}/appeal": .init(404, 404, 409, 409, 409),
        "DELETE /carrepsa/packages/{id}/cancellation-request": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/cancellation-request": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/decision": .init(403, 403, 403, 403, 403),
        "POST /carrepsa/packages/{id}/decision/acceptance": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/delivery": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/delivery-report": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/dispute": .init(404, 404, 409, 409, 409),
        "GET /carrepsa/packages/{id}/edit": .init(404, 404, 303, 303, 303),
        "POST /carrepsa/packages/{id}/handover-codes": .init(404, 404, 409, 409, 409),
        "GET /carrepsa/packages/{id}/messages": .init(404, 200, 404, 200, 200),
        "POST /carrepsa/packages/{id}/messages": .init(404, 409, 404, 409, 409),
        "PUT /carrepsa/packages/{id}/messages/reading": .init(404, 204, 404, 204, 204),
        "GET /carrepsa/packages/{id}/messages/{messageId}/report": .init(404, 404, 404, 404, 404),
        "POST /carrepsa/packages/{id}/messages/{messageId}/report": .init(404, 404, 404, 404, 404),
        "POST /carrepsa/packages/{id}/pickup": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/proofs": .init(404, 404, 409, 409, 409),
        "GET /carrepsa/packages/{id}/questions/{action}": .init(404, 404, 303, 303, 303),
        "DELETE /carrepsa/packages/{id}/recipient": .init(404, 404, 404, 409, 403),
        "GET /carrepsa/packages/{id}/recipient": .init(404, 404, 404, 200, 404),
        "PUT /carrepsa/packages/{id}/recipient": .init(404, 404, 404, 409, 403),
        "DELETE /carrepsa/packages/{id}/recipient/link": .init(404, 404, 404, 409, 403),
        "POST /carrepsa/packages/{id}/recipient/link": .init(404, 404, 404, 409, 403),
        "PUT /carrepsa/packages/{id}/recipient/meeting": .init(404, 404, 404, 409, 409),
        "GET /carrepsa/packages/{id}/reviews": .init(404, 404, 404, 200, 200),
        "POST /carrepsa/packages/{id}/reviews": .init(404, 404, 404, 409, 409),
        "POST /carrepsa/packages/{id}/reviews/reply": .init(404, 404, 404, 409, 409),
        "DELETE /carrepsa/packages/{id}/split-offer": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/split-offer": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/split-offer/acceptance": .init(404, 404, 409, 409, 409),
        "POST /carrepsa/packages/{id}/statements": .init(404, 404, 409, 409, 409),
    ]

    /// The statuses for a person who isn't an administrator, about other people's resources.
    private static let otherRoutes: [String: Int] = [
        "GET /carrepsa/blocks": 200,
        "GET /carrepsa/disputes": 403,
        "GET /carrepsa/ledger": 403,
        "GET /carrepsa/message-reports": 403,
        "DELETE /carrepsa/message-reports/{id}": 403,
        "GET /carrepsa/money": 200,
        "GET /carrepsa/packages": 200,
        "POST /carrepsa/packages": 201,
        "GET /carrepsa/packages/new": 200,
        "POST /carrepsa/payout-requests": 201,
        "DELETE /carrepsa/payout-requests/{id}": 404,
        "GET /carrepsa/people/{id}": 200,
        "DELETE /carrepsa/people/{id}/block": 204,
        "PUT /carrepsa/people/{id}/block": 204,
        "POST /carrepsa/place-searches": 404,
        "POST /carrepsa/price-suggestions": 200,
        "GET /carrepsa/profile": 200,
        "GET /carrepsa/trips": 200,
        "POST /carrepsa/trips": 201,
        "GET /carrepsa/trips/new": 200,
        "DELETE /carrepsa/trips/{id}": 404,
        "GET /carrepsa/trips/{id}": 404,
        "PUT /carrepsa/trips/{id}": 404,
        "GET /carrepsa/trips/{id}/edit": 404,
        "GET /carrepsa/wallet": 200,
        "GET /carrepsa/wallet/entries": 200,
    ]

    /// What only the parties of the package may read.
    private static let privateTexts = [
        "Zoe Recipient", "recipient@example.org", "Hidden Lane 7", "The bell is broken", "50.77535", "It was wet",
        "I meet you at the fountain",
    ]

    /// Bodies with which the request would succeed, or fail only after the access was checked.
    private static let bodies: [String: [String: any Sendable]] = [
        "messages": ["text": "Hello"], "reading": ["number": 1], "report": ["reason": "An insult"],
        "reviews": ["onTime": true], "reply": ["reply": "Thank you"], "statements": ["statement": "It was dry"],
        "dispute": ["reason": "It is late"], "split-offer": ["rewardToCarrier": 1, "depositToOwner": 1],
        "decision": ["outcome": "refunded", "note": "I decide"], "appeal": ["reason": "It is wrong"],
        "handover-codes": ["step": "delivery"], "recipient": ["name": "Eve", "contact": "eve@example.org"],
        "meeting": ["meeting": "At mine"], "{id}": package, "packages": package,
        "payout-requests": ["amount": 100, "destination": "DE02 1203 0000 0000 2020 51", "name": "Eve"],
        "trips": [
            "from": "Aachen", "to": "Bonn", "fromLatitude": 50.78, "fromLongitude": 6.08, "toLatitude": 50.74,
            "toLongitude": 7.1, "detour": 20,
        ],
    ]

    private static let package: [String: any Sendable] = [
        "title": "Mine now", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": 1, "moneyLock": 1,
    ]

    private static let unknown = "01890000-0000-7000-8000-000000000000"

    private static func name(_ route: RouteEntry) -> String { "\(route.method.rawValue) \(route.path)" }

    /// Requests a route of a package, or of the resources in `ids`.
    private static func reply(
        _ route: RouteEntry, _ person: CarrepsaTestClient, ids: [String: String]
    ) async throws -> Reply {
        let path = route.path.split(separator: "/").reduce("") { path, step in
            path + "/" + (step.hasPrefix("{") ? ids[String(step)] ?? unknown : String(step))
        }
        guard route.method != .get else { return try await person.send(.get, path) }
        let key =
            route.path == "/carrepsa/trips/{id}"
            ? "trips" : route.path.split(separator: "/").last.map(String.init) ?? ""
        return try await person.send(route.method, path, json: bodies[key] ?? [:])
    }

    /// The people and packages of the matrix.
    private struct Cast {
        let ada, ben, eve, fay, bob: CarrepsaTestClient
        /// Carried by Ben and in dispute; Fay carried it before.
        let disputed: String
        /// Open; Ada, its owner, has blocked Bob.
        let open: String
        /// Delivered by Ben.
        let ended: String
        let message: String

        init(_ site: CarrepsaTestServer) async throws {
            (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            (eve, fay) = (try await site.person("Eve"), try await site.person("Fay"))
            bob = try await site.person("Bob")
            let places: [String: any Sendable] = [
                "fromLatitude": 50.775_351, "fromLongitude": 6.083_901, "toLatitude": 50.74, "toLongitude": 7.1,
                "fromTimes": "The bell is broken", "reward": 500, "moneyLock": 500,
            ]
            disputed = try await ada.offer("Disputed", with: places)
            open = try await ada.offer("Open", with: places)
            ended = try await ada.offer("Ended", with: places)
            for path in [disputed, ended] {
                let recipient: [String: any Sendable] = [
                    "name": "Zoe Recipient", "contact": "recipient@example.org", "address": "Hidden Lane 7",
                ]
                #expect(try await ada.send(.put, path + "/recipient", json: recipient).status == 200)
            }
            _ = try await fay.send(.post, disputed + "/acceptance")
            _ = try await fay.send(.post, disputed + "/messages", json: ["text": "I come at five"])
            _ = try await fay.send(.delete, disputed + "/acceptance")
            for path in [disputed, ended] {
                _ = try await ben.send(.post, path + "/acceptance")
                _ = try await ada.send(.post, path + "/pickup")
            }
            let sent = try await ben.send(
                .post, disputed + "/messages", json: ["text": "I meet you at the fountain"])
            message = try #require(try sent.object().text("id"))
            _ = try await ada.send(.post, disputed + "/dispute", json: ["reason": "It was wet"])
            _ = try await ada.send(.post, ended + "/delivery")
            _ = try await ada.send(.put, "/carrepsa/people/\(bob.id)/block")
            #expect(try await ben.send(.get, disputed).object().text("state") == "travelling")
            #expect(try await ben.send(.get, ended).object().text("state") == "delivered")
        }

        func ids(_ path: String) -> [String: String] {
            ["{id}": String(path.split(separator: "/").last ?? ""), "{messageId}": message, "{action}": "withdraw"]
        }
    }

    @Test("Every route of a package gives people without a part in it nothing, and ends with the delivery")
    func packages() async throws {
        try await withCarrepsa { site in
            let cast = try await Cast(site)
            let routes = site.server.server.web.routes.filter { $0.path.hasPrefix("/carrepsa/packages/{id}") }
            #expect(Set(routes.map(Self.name)) == Set(Self.packageRoutes.keys))
            let readers: [(String, CarrepsaTestClient, String)] = [
                ("stranger", cast.eve, cast.disputed), ("former", cast.fay, cast.disputed),
                ("blocked", cast.bob, cast.open),
            ]
            let before = try await cast.ada.send(.get, cast.disputed).text
            var found: [String: [Int]] = [:]
            for route in routes {
                for (reader, person, path) in readers {
                    let reply = try await Self.reply(route, person, ids: cast.ids(path))
                    found[Self.name(route), default: []].append(reply.status)
                    for text in Self.privateTexts {
                        #expect(!reply.text.contains(text), "\(Self.name(route)) shows \(text) to \(reader)")
                    }
                }
            }
            #expect(try await cast.ada.send(.get, cast.disputed).text == before)
            for person in [cast.eve, cast.fay, cast.bob] {
                #expect(try await person.balances() == [CarrepsaTestServer.start, 0])
            }
            site.clock.advance(seconds: 15 * 24 * 60 * 60)
            let money = [try await cast.ada.balances(), try await cast.ben.balances()]
            for route in routes {
                for person in [cast.ada, cast.ben] {
                    let reply = try await Self.reply(route, person, ids: cast.ids(cast.ended))
                    found[Self.name(route), default: []].append(reply.status)
                }
            }
            #expect([try await cast.ada.balances(), try await cast.ben.balances()] == money)
            for (name, statuses) in found {
                let answer = Expected(statuses[0], statuses[1], statuses[2], statuses[3], statuses[4])
                #expect(Self.packageRoutes[name] == answer, "\"\(name)\": .init\(answer),")
            }
        }
    }

    @Test("Every other route of Carrepsa shows a person only what is theirs")
    func others() async throws {
        try await withCarrepsa { site in
            let cast = try await Cast(site)
            let saved = try await cast.ben.send(.post, "/carrepsa/trips", json: Self.bodies["trips"])
            let trip = try #require(try saved.object().text("id"))
            let services = site.server.services
            for name in ["ben", "eve"] {
                // Welcome money isn't paid out.
                _ = try await services.carrepsa.payments.topUp(
                    email: "\(name)@example.org", amountMinor: 1_00,
                    transferID: ID(at: services.clock.now, random: services.random))
            }
            let payout = try await cast.ben.send(
                .post, "/carrepsa/payout-requests", json: Self.bodies["payout-requests"])
            #expect(payout.status == 201, "\(payout.text)")
            let routes = site.server.server.web.routes.filter {
                $0.path.hasPrefix("/carrepsa/") && !$0.path.hasPrefix("/carrepsa/packages/{id}")
            }
            #expect(Set(routes.map(Self.name)) == Set(Self.otherRoutes.keys))
            for route in routes {
                let ids = ["{id}": route.path.contains("/people/") ? cast.ada.id : trip]
                let reply = try await Self.reply(route, cast.eve, ids: ids)
                let name = Self.name(route)
                #expect(reply.status == Self.otherRoutes[name], "\"\(name)\": \(reply.status),")
                for text in Self.privateTexts + ["Disputed", "ada@example.org"] {
                    #expect(!reply.text.contains(text), "\(name) shows \(text)")
                }
            }
            #expect(try await cast.ben.send(.get, "/carrepsa/trips/\(trip)").status == 200)
        }
    }

    /// What happened to a public link.
    private enum Link: String, CaseIterable {
        case live, wrong, revoked, renewed, expired
    }

    @Test("A wrong, revoked, renewed or expired link opens no route without an account", arguments: Engine.allCases)
    func links(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let routes = site.server.server.web.routes.filter {
                $0.path.hasPrefix("/deliveries/") || $0.path.hasPrefix("/offers/")
            }
            #expect(
                Set(routes.map(Self.name)) == [
                    "GET /deliveries/{secret}", "PUT /deliveries/{secret}/instructions",
                    "POST /deliveries/{secret}/refusal", "GET /offers/{id}/{secret}",
                ])
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            for link in Link.allCases {
                let delivery = try await Self.delivery(link, ada, ben, site)
                let offer = try await Self.offer(link, ada, ben, site)
                for route in routes {
                    let ids = route.path.hasPrefix("/offers") ? offer : delivery
                    let reply = try await Self.reply(route, site.signedOut, ids: ids)
                    let expected = link == .live ? 200 : 404
                    #expect(reply.status == expected, "\(Self.name(route)), \(link): \(reply.status)")
                    guard link != .live, route.method == .get else { continue }
                    let path = route.path.replacing("{secret}", with: ids["{secret}"] ?? "").replacing(
                        "{id}", with: ids["{id}"] ?? "")
                    let page = try await site.signedOut.page(path)
                    #expect(page.status == 404 && !page.text.contains("Linked"))
                }
            }
        }
    }

    /// Returns the secret of a recipient's page.
    private static func delivery(
        _ link: Link, _ ada: CarrepsaTestClient, _ ben: CarrepsaTestClient, _ site: CarrepsaTestServer
    ) async throws -> [String: String] {
        let path = try await ada.offer("Linked", with: ["reward": 100, "moneyLock": 100])
        let set = try await ada.send(
            .put, path + "/recipient", json: ["name": "Zoe", "contact": "recipient@example.org"])
        let url = try #require(try set.object().text("url"))
        let secret = try #require(url.split(separator: "/").last.map(String.init))
        _ = try await ben.send(.post, path + "/acceptance")
        _ = try await ada.send(.post, path + "/pickup")
        #expect(try await site.signedOut.send(.get, "/deliveries/\(secret)").status == 200)
        switch link {
        case .live: break
        case .wrong: return ["{secret}": String(secret.reversed())]
        case .revoked: #expect(try await ada.send(.delete, path + "/recipient/link").status == 200)
        case .renewed: #expect(try await ada.send(.post, path + "/recipient/link").status == 200)
        case .expired:
            _ = try await ada.send(.post, path + "/delivery")
            site.clock.advance(seconds: Limits.recipientPageSeconds + 1)
        }
        return ["{secret}": secret]
    }

    /// Returns the id and the secret of a shared offer, which ends as the package does.
    private static func offer(
        _ link: Link, _ ada: CarrepsaTestClient, _ ben: CarrepsaTestClient, _ site: CarrepsaTestServer
    ) async throws -> [String: String] {
        let path = try await ada.offer("Linked", with: ["reward": 100, "moneyLock": 100])
        let id = try #require(path.split(separator: "/").last.map(String.init))
        let page = try await ada.page(path).text
        let rest = try #require(page.split(separator: "/offers/\(id)/").dropFirst().first)
        let secret = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
        #expect(try await site.signedOut.send(.get, "/offers/\(id)/\(secret)").status == 200)
        switch link {
        case .live: break
        case .wrong: return ["{id}": id, "{secret}": String(secret.reversed())]
        case .revoked: #expect(try await ada.send(.delete, path).status == 204)
        case .renewed: return ["{id}": String(unknown), "{secret}": secret]
        case .expired: #expect(try await ben.send(.post, path + "/acceptance").status == 201)
        }
        return ["{id}": id, "{secret}": secret]
    }
}

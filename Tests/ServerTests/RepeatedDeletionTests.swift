import Carrepsa
import Foundation
import HTTPTypes
import Kernel
import Pictures
import Server
import TestSupport
import Testing
import WebCore

/// What has ended can't be ended again: a second `DELETE` gets 404, except with the key of the first one.
@Suite("Repeated deletions")
struct RepeatedDeletionTests {
    typealias SetUp = @Sendable (CarrepsaTestClient, CarrepsaTestServer) async throws -> String

    private static func made(
        _ person: CarrepsaTestClient, _ path: String, _ json: [String: any Sendable] = [:]
    ) async throws -> JSONObject {
        let reply = try await person.send(.post, path, json: json, headers: ["Idempotency-Key": UUID().uuidString])
        #expect((200...299).contains(reply.status), "\(path): \(reply.text)")
        return try reply.object()
    }

    private static func id(
        _ person: CarrepsaTestClient, _ path: String, _ json: [String: any Sendable] = [:]
    ) async throws -> String {
        try #require(try await made(person, path, json).text("id"), "\(path)")
    }

    private static func item(_ person: CarrepsaTestClient) async throws -> String {
        "/tracking/items/\(try await id(person, "/tracking/items", ["name": "Keys"]))"
    }

    private static func child(_ person: CarrepsaTestClient) async throws -> String {
        try await id(person, "/family/children", ["name": "Kim", "dateOfBirth": "2018-01-01"])
    }

    private static func chore(_ person: CarrepsaTestClient) async throws -> String {
        let picture = BuiltinAvatars.all[0].id.description
        return "/family/chores/\(try await id(person, "/family/chores", ["name": "Dishes", "pictureId": picture]))"
    }

    private static let recipient: [String: any Sendable] = ["name": "Rita", "contact": "rita@example.org"]

    /// How to create what each route ends.
    private static let cases: [String: SetUp] = [
        "/account/sessions/{id}": { person, site in
            _ = try await site.signedOut.submit("/session", ["email": "olga@example.org", "password": "correct horse"])
            let sessions = try await person.send(.get, "/account/sessions").object().list("items")
            let other = try #require(sessions.first { $0.flag("current") == false })
            return "/account/sessions/\(try #require(other.text("id")))"
        },
        "/admin/invitations/{id}": { person, _ in "/admin/invitations/\(try await id(person, "/admin/invitations"))" },
        "/tracking/items/{id}": { person, _ in try await item(person) },
        "/tracking/items/{id}/geofences/{geofenceId}": { person, _ in
            let item = try await item(person)
            let place = try await id(person, "/tracking/safe-places", ["name": "Home", "latitude": 50, "longitude": 7])
            let rule = try await id(person, "\(item)/geofences", ["placeId": place, "kind": "arrive"])
            return "\(item)/geofences/\(rule)"
        },
        "/tracking/items/{id}/invitations/{invitation}": { person, _ in
            let item = try await item(person)
            return "\(item)/invitations/\(try await id(person, "\(item)/invitations", ["access": "see"]))"
        },
        "/tracking/safe-places/{id}": { person, _ in
            let json: [String: any Sendable] = ["name": "Home", "latitude": 50, "longitude": 7]
            return "/tracking/safe-places/\(try await id(person, "/tracking/safe-places", json))"
        },
        "/tracking/sources/{id}": { person, _ in
            "/tracking/sources/\(try await id(person, "/tracking/sources", ["kind": "osmand"]))"
        },
        "/tracking/live-links/{id}": { person, _ in
            "/tracking/live-links/\(try await id(person, "/tracking/live-links", ["duration": "1h"]))"
        },
        "/carrepsa/people/{id}/block": { person, site in
            let ben = try await site.person("Ben")
            let block = "/carrepsa/people/\(ben.id)/block"
            #expect(try await person.send(.put, block).status == 204)
            return block
        },
        "/carrepsa/payout-requests/{id}": { person, site in
            let services = site.server.services
            _ = try await services.carrepsa.payments.topUp(
                email: "olga@example.org", amountMinor: 1_000,
                transferID: ID(at: services.clock.now, random: services.random))
            let json: [String: any Sendable] = ["amount": 100, "destination": "DE00"]
            return "/carrepsa/payout-requests/\(try await id(person, "/carrepsa/payout-requests", json))"
        },
        "/carrepsa/packages/{id}/recipient": { person, _ in
            let path = try await person.offer()
            #expect(try await person.send(.put, "\(path)/recipient", json: recipient).status == 200)
            return "\(path)/recipient"
        },
        "/family/children/{id}": { person, _ in "/family/children/\(try await child(person))" },
        "/family/chores/{id}": { person, _ in try await chore(person) },
        "/family/chores/{id}/schedule": { person, _ in
            let child = try await child(person)
            let path = try await chore(person)
            let json: [String: any Sendable] = [
                "childIds": [child], "startsOn": "2031-01-01", "rule": "FREQ=DAILY", "timeZone": "UTC",
            ]
            let reply = try await person.send(.put, "\(path)/schedule", json: json)
            #expect(reply.status == 200, "\(reply.text)")
            return "\(path)/schedule"
        },
        "/family/pauses/{id}": { person, _ in
            _ = try await child(person)
            return "/family/pauses/\(try await id(person, "/family/pauses", ["startsOn": "2026-12-24"]))"
        },
        "/family/shop/{id}": { person, _ in
            "/family/shop/\(try await id(person, "/family/shop", ["name": "Zoo", "price": 1]))"
        },
        "/family/invitations/{code}": { person, _ in
            "/family/invitations/\(try await id(person, "/family/invitations", ["password": "correct horse"]))"
        },
    ]

    /// Routes that end a state which is there or not, and that may be repeated: stopping must never look like a
    /// failure.
    private static let repeatable: Set<String> = [
        "/session", "/lock/unlocking", "/my-position/shares", "/my-position/shares/{person}",
        "/tracking/items/{id}/lost", "/tracking/items/{id}/parking", "/family/first-steps",
        "/family/children/{id}/goal", "/family/children/{id}/sign-in-codes", "/admin/people/{id}/disabling",
        "/admin/people/{id}/administrator", "/admin/people/{id}/sessions",
    ]

    /// Routes that the tests of their services end twice, because they need more than requests, or get 409 the second
    /// time, as documented.
    private static let elsewhere: Set<String> = [
        "/account", "/account/pending-email", "/account/import", "/account/identities/{provider}",
        "/notifications/subscription", "/account/passkeys/{id}", "/account/access-tokens/{id}", "/lock/passcode",
        "/pictures/{id}", "/tracking/items/{id}/tracker", "/tracking/items/{id}/finder-reports/{reportId}",
        "/tracking/items/{id}/people/{person}", "/tracking/items/{id}/membership", "/my-position/requests/{person}",
        "/my-position/rules/{ruleId}", "/tracking/people/{person}", "/tracking/people/{person}/rules/{ruleId}",
        "/carrepsa/packages/{id}", "/carrepsa/trips/{id}", "/carrepsa/packages/{id}/acceptance",
        "/carrepsa/packages/{id}/cancellation-request", "/carrepsa/packages/{id}/split-offer",
        "/carrepsa/packages/{id}/recipient/link", "/carrepsa/message-reports/{id}", "/family/deleted-children/{id}",
        "/family/children/{id}/contracts/{contractId}/levels/{level}/handover",
        "/family/children/{id}/assignments/{assignmentId}", "/family/children/{id}/requests/{requestId}",
        "/family/children/{id}/turns/{choreId}/{date}", "/family/swaps/{id}", "/family/chores/{id}/skips/{date}",
        "/family/tablets/{id}", "/family/tablet/children/{id}/requests/{requestId}",
        "/family/tablet/children/{id}/turns/{choreId}/{date}", "/family/children/{id}/picture-pin",
        "/family/children/{id}/wishes/{wishId}", "/family/children/{id}/purchases/{purchaseId}",
        "/family/parents/{id}", "/family/parents/{id}/removal", "/family/children/{id}/devices/{deviceId}",
        "/admin/people/{id}",
    ]

    @Test("Each route that ends something is known here")
    func routes() async throws {
        try await withCarrepsa { site in
            let routes = Set(site.server.server.web.routes.filter { $0.method == .delete }.map(\.path))
            let known = Set(Self.cases.keys).union(Self.repeatable).union(Self.elsewhere)
            #expect(routes.subtracting(known).sorted() == [])
            #expect(known.subtracting(routes).sorted() == [])
        }
    }

    @Test("A second DELETE gets 404, and a replay of the first one gets its response", arguments: cases.keys.sorted())
    func repeated(route: String) async throws {
        let setUp = try #require(Self.cases[route])
        try await withCarrepsa { site in
            let olga = try await site.person("Olga", isOperator: true)
            _ = try await olga.send(.patch, "/account", json: ["dateOfBirth": "1990-01-01"])
            let path = try await setUp(olga, site)
            let first = try await olga.send(.delete, path, headers: ["Idempotency-Key": "the first one"])
            #expect((200...204).contains(first.status), "\(first.text)")
            let replay = try await olga.send(.delete, path, headers: ["Idempotency-Key": "the first one"])
            #expect(replay.status == first.status, "\(replay.text)")
            for headers in [[:], ["Idempotency-Key": "the second one"]] {
                let second = try await olga.send(.delete, path, headers: headers)
                #expect(second.status == 404, "\(second.text)")
            }
        }
    }
}

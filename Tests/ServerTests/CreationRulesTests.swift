import Accounts
import Foundation
import HTTPTypes
import Kernel
import Server
import Storage
import TestSupport
import Testing
import WebCore

@Suite("What one person can create")
struct CreationRulesTests {
    /// Routes whose request isn't JSON, or whose clients have no account. Other routes have the same budgets, or
    /// another test charges them.
    private static let notSent: Set<String> = [
        "POST /pictures", "POST /family/tablet/children/{id}/requests",
        "PUT /family/tablet/children/{id}/turns/{choreId}/{date}",
    ]

    /// A body that no route with a budget refuses before it is charged.
    private static let body: [String: any Sendable] = [
        "title": "Box", "from": "Aachen", "to": "Bonn", "weight": 1_000, "reward": 100, "moneyLock": 100,
        "name": "Kim", "dateOfBirth": "2018-01-01", "latitude": 50.1, "longitude": 7.1, "radius": 100,
        "fromLatitude": 50.78, "fromLongitude": 6.08, "toLatitude": 50.73, "toLongitude": 7.1, "detour": 20,
        "amount": 100, "destination": "DE02120300000000202051", "contact": "zoe@example.org",
    ]

    @Test("Each route for POST and PUT has a budget or names its limit, and each rule has a route")
    func complete() async throws {
        try await withServer { harness in
            let web = harness.server.web
            let routes = Set(
                web.routes.filter { $0.method == .post || $0.method == .put }.map { "\($0.method.rawValue) \($0.path)" }
            )
            #expect(routes.count > 100)
            let rules = Set(web.creationRules.keys)
            #expect(routes.subtracting(rules).sorted() == [])
            #expect(rules.subtracting(routes).sorted() == [])
            let budgets = Set(
                web.creationRules.values.compactMap { rule -> Budget? in
                    if case .budget(let budget) = rule { budget } else { nil }
                })
            #expect(Set(budgets.map(\.name)).count == budgets.count)
            for case .limited(let reason) in web.creationRules.values {
                #expect(reason.hasSuffix(".") && reason.count > 10)
            }
        }
    }

    @Test("Each route with a budget responds with 429 once it is used up")
    func charged() async throws {
        try await withCarrepsa { site in
            let olga = try await site.person("Olga", isOperator: true)
            let ids = try await Self.ids(for: olga)
            let web = site.server.server.web
            let budgeted = web.creationRules.filter { if case .budget = $0.value { true } else { false } }
            let person = try #require(PersonID(olga.id))
            let now = site.clock.now
            try await site.server.services.database.write { tx in
                for case .budget(let budget) in budgeted.values { _ = try budget.add(person, now: now, in: tx) }
                try tx.execute("UPDATE throttle SET failures = '1000000' WHERE key LIKE 'budget %'")
            }
            for route in budgeted.keys.sorted() where !Self.notSent.contains(route) {
                let parts = route.split(separator: " ").map(String.init)
                let method: HTTPRequest.Method = parts[0] == "PUT" ? .put : .post
                let reply = try await olga.send(
                    method, Self.path(parts[1], ids), json: Self.bodies[route] ?? Self.body,
                    headers: ["Idempotency-Key": route])
                #expect(reply.status == 429, "\(route): \(reply.text)")
                #expect(Int(reply.header("retry-after") ?? "") ?? 0 > 0, "\(route)")
            }
        }
    }

    @Test(
        "The offers of a day end with 429, a repeated one still has its response, and a form keeps what was typed",
        arguments: Engine.allCases)
    func offers(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let body: [String: any Sendable] = [
                "title": "Box", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": 1, "moneyLock": 1,
            ]
            var first: String?
            for number in 0..<100 {
                let reply = try await ada.send(
                    .post, "/carrepsa/packages", json: body, headers: ["Idempotency-Key": "key \(number)"])
                #expect(reply.status == 201, "\(number): \(reply.text)")
                if number == 0 { first = try reply.object().text("id") }
            }
            for key in ["new", nil] {
                let refused = try await ada.send(
                    .post, "/carrepsa/packages", json: body, headers: key.map { ["Idempotency-Key": $0] } ?? [:])
                #expect(refused.status == 429)
                #expect(refused.header("retry-after") == "\(24 * 60 * 60)")
                #expect(try refused.error().text("message") == "You’ve done this too often. Try again in 24 hours.")
            }
            let again = try await ada.send(
                .post, "/carrepsa/packages", json: body, headers: ["Idempotency-Key": "key 0"])
            #expect(try again.status == 201 && again.object().text("id") == first)
            let form = try await ada.submit(
                "/carrepsa/packages",
                [
                    "title": "A violin", "from": "Aachen", "to": "Bonn", "weight": "1", "reward": "1.00",
                    "moneyLock": "1.00",
                ])
            #expect(
                form.status == 429 && form.text.contains("A violin") && form.text.contains("Try again in 24 hours."))
            site.clock.advance(seconds: Limits.daySeconds)
            #expect(try await ada.send(.post, "/carrepsa/packages", json: body).status == 201)
        }
    }

    private static let unknown = "01890000-0000-7000-8000-000000000000"
    private static let rule: [String: any Sendable] = ["placeId": unknown, "kind": "arrive"]

    /// The bodies of routes that need others than ``body``.
    private static let bodies: [String: [String: any Sendable]] = [
        "POST /family/children/{id}/contracts": [
            "maxPoints": 10, "levels": [["reward": "Ice cream", "points": 1] as [String: any Sendable]],
        ],
        "POST /family/children/{id}/assignments": [
            "chores": [["choreId": unknown, "points": 1] as [String: any Sendable]]
        ],
        "POST /family/children/{id}/requests": ["choreId": unknown],
        "POST /family/children/{id}/swaps": [
            "choreId": unknown, "occurrence": "2026-03-02", "otherChoreId": unknown, "otherOccurrence": "2026-03-03",
        ],
        "POST /family/children/{id}/purchases": ["rewardId": unknown],
        "PUT /family/children/{id}/goal": ["rewardId": unknown],
        "POST /family/chores": ["name": "Dishes", "pictureId": unknown],
        "POST /family/pauses": [:],
        "POST /family/setup": ["name": "Kim", "dateOfBirth": "2018-01-01", "chores": ["tidy-toys"]],
        "POST /family/shop": ["name": "Cinema", "price": 1],
        "POST /family/starter-chores": ["chores": ["tidy-toys"]],
        "POST /my-position/shares": ["personIds": [unknown], "duration": "1h"],
        "POST /tracking/items/{id}/commands": ["kind": "locate"],
        "POST /tracking/items/{id}/geofences": rule,
        "POST /tracking/items/{id}/invitations": ["access": "see"],
        "POST /tracking/items/{id}/people": ["personId": unknown, "access": "see"],
        "POST /tracking/live-links": ["duration": "1h"],
        "POST /tracking/people/{person}/rules": rule,
        "POST /tracking/sources": ["kind": "osmand"],
        "PUT /tracking/items/{id}/lost": ["message": "Call me"],
        "PUT /tracking/people/{person}/rules/{ruleId}": rule,
    ]

    /// The ids of existing resources, by the part of a path before the id.
    private static func ids(for olga: CarrepsaTestClient) async throws -> [String: String] {
        _ = try await olga.send(.patch, "/account", json: ["dateOfBirth": "1990-01-01"])
        func id(_ path: String, _ json: [String: any Sendable]) async throws -> String {
            try #require(try await olga.send(.post, path, json: json).object().text("id"), "\(path)")
        }
        let package = try await olga.offer()
        return [
            "/family/children/": try await id("/family/children", ["name": "Kim", "dateOfBirth": "2018-01-01"]),
            "/tracking/items/": try await id("/tracking/items", ["name": "Keys"]),
            "/carrepsa/packages/": String(package.split(separator: "/").last ?? ""),
        ]
    }

    private static func path(_ pattern: String, _ ids: [String: String]) -> String {
        pattern.split(separator: "/").reduce("") { path, step in
            guard step.hasPrefix("{") else { return "\(path)/\(step)" }
            if step == "{date}" { return path + "/2026-03-02" }
            return path + "/" + (ids.first { "\(path)/".hasSuffix($0.key) }?.value ?? unknown)
        }
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Pictures
import Server
import TestSupport
import Testing
import WebCore

/// Visits all pages of Family: as a parent, as a child, and signed out.
struct FamilyPageCrawl {
    let contract: ContractServer

    func walk(
        as email: String, _ cookie: String, visit: ([String], String?) async throws -> Void
    ) async throws {
        try await visit(["/family", "/family/scan"], nil)
        let dead = try await contract.browse("/family/sign-in?code=AAAAAAAAAAAAAAAAAAAAAA")
        #expect(dead.status == .notFound)
        try await visit(["/account/apps/family"], cookie)
        let born = try await contract.browse(
            "/account/apps/family", .post, form: "dateOfBirth=1990-05-01", cookie: cookie)
        #expect(born.status == .seeOther)
        try await visit(["/family", "/family/account"], cookie)

        let token = try await text("token", .post, "/session", ["email": email, "password": "correct horse"])
        let child = "/family/children/" + (try await add("/family/children", Self.child, token))
        let picture = BuiltinAvatars.all[0].id.description
        let chore = try await add("/family/chores", ["name": "Dishes", "pictureId": picture], token)
        try await visit(
            [
                child, "\(child)/assignments/new", "\(child)/contracts", "\(child)/assignments",
                "\(child)/contracts/new",
            ],
            cookie
        )
        _ = try await add("\(child)/contracts", Self.contract, token)
        let entry: [String: any Sendable] = ["choreId": chore, "points": 3]
        _ = try await send(.post, "\(child)/assignments", ["chores": [entry]], token)

        let schedule: [String: any Sendable] = [
            "childIds": [String(child.split(separator: "/").last ?? "")], "startsOn": "2026-01-01",
            "rule": "FREQ=DAILY",
        ]
        _ = try await send(.put, "/family/chores/\(chore)/schedule", schedule, token)
        let claimable = try await add("/family/chores", ["name": "Bins", "pictureId": picture], token)
        let shared = schedule.merging(["distribution": "first"]) { $1 }
        _ = try await send(.put, "/family/chores/\(claimable)/schedule", shared, token)
        _ = try await add("/family/pauses", ["startsOn": "2026-12-24"], token)

        try await visit(["/family/shop", "/family/shop/new?suggestion=zoo"], cookie)
        let reward = try await add(
            "/family/shop", ["name": "Zoo", "price": 1, "pictureId": picture, "stock": 5, "cooldownDays": 1], token)
        let device = try await childsCookie(child, token)
        let wished = try await contract.browse("\(child)/wishes", .post, form: "name=Kite", cookie: device)
        #expect(wished.status == .seeOther)
        let bought = try await contract.browse(
            "\(child)/purchases", .post, form: "rewardId=\(reward)&price=1&idempotencyKey=k", cookie: device)
        #expect(bought.status == .seeOther)
        let asked = try await contract.browse(
            "\(child)/requests", .post, form: "choreId=\(chore)", cookie: device)
        #expect(asked.status == .seeOther)
        try await visit(
            [
                "/family", child, "/family/today", "/family/swaps", "\(child)/swaps/new", "/family/shop",
                "\(child)/purchases", "/family/account", "/family/account/edit", "\(child)/devices", "/family/menu",
                "/family/chores/\(chore)/requests/new", "/my-position",
            ], device)
        try await sharedPositions(child, token, cookie, device, visit)
        try await tabletPages(child, chore, token, cookie, visit)
        let shop = try await object(.get, "/family/shop", nil, token)
        let purchase = try #require((shop["waiting"] as? [[String: Any]])?.first?["id"] as? String)
        try await visit(
            [
                "/family/shop", "/family/shop/\(reward)/edit", "\(child)/purchases", "\(child)/purchases/\(purchase)",
            ], cookie)
        try await parentsPages(child, chore, cookie, visit)
    }

    /// A child shares its position with its parent, who has a rule about it.
    private func sharedPositions(
        _ child: String, _ token: String, _ cookie: String, _ device: String,
        _ visit: ([String], String?) async throws -> Void
    ) async throws {
        let me = try #require(try await object(.get, "/family/account", nil, token)["id"] as? String)
        let id = String(child.suffix(36))
        try await visit(["/my-position", "/tracking/people"], cookie)
        let asked = try await contract.browse(
            "/tracking/people/\(id)/request?_method=put", .post, form: "", cookie: cookie)
        #expect(asked.status == .seeOther)
        try await visit(["/my-position"], device)
        let shared = try await contract.browse(
            "/my-position/shares", .post, form: "personIds=\(me)&duration=day", cookie: device)
        #expect(shared.status == .seeOther)
        let moved = try await contract.browse(
            "/my-position?_method=put", .post, form: "latitude=50.7&longitude=6.1&accuracy=5", cookie: device)
        #expect(moved.status == .noContent || moved.status == .seeOther)
        let place = try await add(
            "/tracking/safe-places", ["name": "School", "latitude": 50.7, "longitude": 6.1], token)
        try await visit(["/tracking/people", "/tracking/people/\(id)", "/tracking/people/\(id)/rules/new"], cookie)
        let rule = try await add(
            "/tracking/people/\(id)/rules", ["placeId": place, "kind": "arrive", "timeZone": "UTC"], token)
        try await visit(["/tracking/people/\(id)", "/tracking/people/\(id)/rules/\(rule)"], cookie)
        try await visit(["/my-position", "/family"], device)
    }

    private func parentsPages(
        _ child: String, _ chore: String, _ cookie: String, _ visit: ([String], String?) async throws -> Void
    ) async throws {
        try await visit(
            [
                "/family", child, "\(child)/edit", "\(child)/menu", "\(child)/contracts", "\(child)/assignments",
                "\(child)/assignments/new", "\(child)/sign-in-codes", "\(child)/devices", "/family/menu",
                "/family/children/new", "/family/chores", "/family/chores/new", "/family/starter-chores",
                "/family/setup/new",
                "/family/chores/\(chore)/edit", "\(child)/sign-in-codes?from=setup",
                "/family/chores/\(chore)/schedule", "/family/today", "/family/requests", "/family/pauses",
                "/family/swaps", "/family/account", "/family/account/edit", "/family/invitations",
            ], cookie
        )
        for isFragment in [false, true] {
            let code = try await contract.browse(
                "\(child)/sign-in-codes", .post, form: "", cookie: cookie, isFragment: isFragment)
            #expect(code.status == .created)
            let invitation = try await contract.browse(
                "/family/invitations", .post, form: "password=correct+horse", cookie: cookie, isFragment: isFragment)
            #expect(invitation.status == .created)
            let unproven = try await contract.browse(
                "/family/invitations", .post, form: "", cookie: cookie, isFragment: isFragment)
            #expect(unproven.status == .unprocessableContent)
        }
        let token = try await text("token", .post, "/session", Self.parent)
        let code = try await text("code", .post, "/family/invitations", ["password": "correct horse"], token)
        try await visit(["/family/invitations/\(code)"], nil)
        let requests = try await object(.get, "\(child)/requests", nil, token)
        let request = try #require((requests["items"] as? [[String: Any]])?.first?["id"] as? String)
        let me = try #require(try await object(.get, "/family/account", nil, token)["id"] as? String)
        try await visit(["\(child)/requests/\(request)", "/family/parents/\(me)"], cookie)
        let sibling = try await add("/family/children", Self.child, token)
        _ = try await contract.browse("/family/children/\(sibling)?_method=delete", .post, form: "", cookie: cookie)
        let deleted = "/family/deleted-children/\(sibling)"
        try await visit(["/family/account", "/family/deleted-children", deleted], cookie)
        let unerased = try await contract.browse("\(deleted)?_method=delete", .post, form: "", cookie: cookie)
        #expect(unerased.status == .unprocessableContent)
        // A second parent, who can be removed.
        let other = try await text("token", .post, "/accounts", Self.otherParent)
        _ = try await object(.post, "/family/parents", ["code": code], other)
        contract.clock.advance(seconds: Limits.removalMembershipSeconds)
        let announced = try await object(
            .put, "/family/parents/\(me)/removal", ["password": "correct horse"], other)
        #expect(announced["removal"] is [String: Any])
        let parents = try await object(.get, "/family/parents", nil, token)
        let ids = (parents["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        #expect(ids.count == 2)
        try await visit(ids.map { "/family/parents/\($0)" } + ["/family/account", "/account/delete"], cookie)
    }

    /// The pages of shared tablets: on a tablet, for a child with a picture PIN, and for the parents.
    private func tabletPages(
        _ child: String, _ chore: String, _ token: String, _ cookie: String,
        _ visit: ([String], String?) async throws -> Void
    ) async throws {
        try await visit(["/family/tablets", "/family/tablets/codes", "\(child)/picture-pin"], cookie)
        for isFragment in [false, true] {
            let shown = try await contract.browse(
                "/family/tablets/codes", .post, form: "", cookie: cookie, isFragment: isFragment)
            #expect(shown.status == .created)
        }
        let code = try await text("code", .post, "/family/tablets/codes", [:], token)
        try await visit(["/family/tablet/pairing?code=\(code)"], nil)
        let tablet = try sessionCookie(
            of: try await contract.browse("/family/tablet/pairing", .post, form: "code=\(code)"))
        let used = try await contract.browse("/family/tablet/pairing?code=\(code)")
        #expect(used.status == .notFound)
        _ = try await send(.put, "\(child)/picture-pin", ["pin": "1-2-3"], token)
        let own = child.replacing("/family/", with: "/family/tablet/")
        try await visit(["/family/tablet", own, "\(own)/chores/\(chore)"], tablet)
        try await visit(["/family/tablets", "\(child)/picture-pin"], cookie)
    }

    private func sessionCookie(of answer: TestResponse) throws -> String {
        let name = SiteCookie.session.name(on: contract.server.web.site)
        let setting = try #require(answer.headers[values: .setCookie].first { $0.hasPrefix(name + "=") })
        return String(setting.prefix { $0 != ";" })
    }

    private func childsCookie(_ child: String, _ token: String) async throws -> String {
        let code = try await text("code", .post, "\(child)/sign-in-codes", [:], token)
        let shown = try await contract.browse("/family/sign-in?code=\(code)")
        #expect(shown.status == .ok)
        let entered = try await contract.browse("/family/sign-in", .post, form: "code=\(code)")
        return try sessionCookie(of: entered)
    }

    // MARK: JSON requests

    private static let parent: [String: any Sendable] = ["email": "mia@example.org", "password": "correct horse"]
    private static let otherParent: [String: any Sendable] = [
        "app": "family", "email": "ben.other@example.org", "password": "correct horse", "name": "Ben",
        "dateOfBirth": "1990-05-01",
    ]
    private static let child: [String: any Sendable] = ["name": "Lena", "dateOfBirth": "2017-05-12"]
    private static let contract: [String: any Sendable] = ["maxPoints": 10, "levels": [level(3), level(7)]]

    private static func level(_ points: Int) -> [String: any Sendable] { ["reward": "Zoo", "points": points] }

    private func add(_ path: String, _ body: [String: any Sendable], _ token: String) async throws -> String {
        try await text("id", .post, path, body, token)
    }

    private func text(
        _ key: String, _ method: HTTPRequest.Method, _ path: String, _ body: [String: any Sendable],
        _ token: String? = nil
    ) async throws -> String {
        let object = try await object(method, path, body, token)
        return try #require(object[key] as? String)
    }

    private func object(
        _ method: HTTPRequest.Method, _ path: String, _ body: [String: any Sendable]?, _ token: String?
    ) async throws -> [String: Any] {
        let answer = try await send(method, path, body, token)
        let object = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView)) as? [String: Any]
        return try #require(object)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [String: any Sendable]?, _ token: String?
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.accept: "application/json", .contentType: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let answer = try await contract.client.executeRequest(
            uri: path, method: method, headers: headers, body: ByteBuffer(bytes: Array(data)))
        #expect(answer.status == (method == .post ? .created : .ok), "\(method) \(path)")
        return answer
    }
}

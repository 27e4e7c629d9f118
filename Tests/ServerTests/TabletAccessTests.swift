import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Server
import TestSupport
import Testing
import WebCore

@Suite("A shared tablet's access to routes")
struct TabletAccessTests {
    /// The routes that a tablet may use. A route in this list is open to anyone in front of the tablet: check twice
    /// before you add one.
    private static let tablets: Set<String> = [
        "GET /events", "GET /pictures/{id}", "GET /family/tablet", "GET /family/tablet/children/{id}",
        "GET /family/tablet/children/{id}/chores/{choreId}", "POST /family/tablet/children/{id}/picture-pin",
        "POST /family/tablet/children/{id}/requests", "DELETE /family/tablet/children/{id}/requests/{requestId}",
        "PUT /family/tablet/children/{id}/turns/{choreId}/{date}",
        "DELETE /family/tablet/children/{id}/turns/{choreId}/{date}",
    ]

    /// Pairs a tablet and returns its cookie.
    private static func pair(_ fixture: ChildrenFixture) async throws -> String {
        let made = try await fixture.asParent(.post, "/family/tablets/codes", "{}").object()
        let code = try #require(made["code"] as? String)
        let answer = try await fixture.server.send(.post, "/family/tablet/pairing", #"{"code":"\#(code)"}"#)
        #expect(answer.status == .created)
        let cookie = try #require(answer.headers[.setCookie])
        return String(cookie.prefix { $0 != ";" })
    }

    private static func send(
        _ method: HTTPRequest.Method, _ path: String, _ cookie: String, _ server: ServerHarness, asJSON: Bool
    ) async throws -> TestResponse {
        var headers = HTTPFields.browser(cookie)
        if asJSON { headers[.accept] = "application/json" }
        var target = path
        if method != .get {
            headers[.contentType] = "application/x-www-form-urlencoded"
            if method != .post { target += "?_method=\(method.rawValue.lowercased())" }
        }
        return try await server.client.executeRequest(
            uri: target, method: method == .get ? .get : .post, headers: headers,
            body: method == .get ? nil : ByteBuffer(string: "name=Mallory"))
    }

    private static func path(_ entry: RouteEntry, child: String) -> String {
        entry.path.replacing("/children/{id}", with: "/children/\(child)").split(separator: "/")
            .reduce("") { $0 + "/" + ($1.hasPrefix("{") ? "01890000-0000-7000-8000-000000000000" : String($1)) }
    }

    @Test("The routes for tablets are exactly those in the list")
    func list() async throws {
        try await withServer { server async throws in
            let found = server.server.web.routes.filter { [.sharedDevice, .signedInOrShared].contains($0.access) }
            #expect(Set(found.map { "\($0.method.rawValue) \($0.path)" }) == Self.tablets)
        }
    }

    @Test("On every other route, a tablet isn't signed in: pages lead to its own, programs get 401")
    func everyOtherRoute() async throws {
        try await withChildren { fixture async throws in
            let cookie = try await Self.pair(fixture)
            let own = try await Self.send(.get, "/family/tablet", cookie, fixture.server, asJSON: false)
            #expect(own.status == .ok)
            let closed = fixture.server.server.web.routes.filter {
                [.signedIn, .signedInOrChild, .administrator].contains($0.access)
            }
            #expect(closed.count > 150)
            for entry in closed {
                let path = Self.path(entry, child: "\(fixture.child)")
                let json = try await Self.send(entry.method, path, cookie, fixture.server, asJSON: true)
                #expect(json.status == .unauthorized, "\(entry.method) \(path)")
                let page = try await Self.send(entry.method, path, cookie, fixture.server, asJSON: false)
                #expect(page.status == .seeOther, "\(entry.method) \(path)")
                let target = page.headers[.location] ?? ""
                #expect(
                    entry.method == .get ? target == "/family/tablet" : target.hasPrefix("/sign-in"),
                    "\(entry.method) \(path): \(target)")
            }
            for path in ["/", "/family", "/sign-in", "/register", "/no-such-page"] {
                let page = try await Self.send(.get, path, cookie, fixture.server, asJSON: false)
                #expect(page.headers[.location] == "/family/tablet", "\(path)")
            }
        }
    }

    @Test("The routes of tablets reject people, also with an id of a child in the path")
    func people() async throws {
        try await withChildren { fixture async throws in
            for entry in fixture.server.server.web.routes where entry.access == .sharedDevice {
                let path = Self.path(entry, child: "\(fixture.child)")
                for token in [fixture.parent, fixture.token] {
                    let answer = try await fixture.server.send(entry.method, path, "{}", token: token)
                    #expect(answer.status == .forbidden, "\(entry.method) \(path)")
                }
            }
        }
    }

    @Test("A tablet reaches only children of its own family")
    func otherFamily() async throws {
        try await withChildren { fixture async throws in
            let cookie = try await Self.pair(fixture)
            for entry in fixture.server.server.web.routes
            where entry.access == .sharedDevice && entry.path.contains("{id}") {
                let path = Self.path(entry, child: "\(fixture.neighbourChild)")
                let answer = try await Self.send(entry.method, path, cookie, fixture.server, asJSON: true)
                #expect(answer.status == .notFound, "\(entry.method) \(path)")
            }
        }
    }

    @Test("A chore that is reported on a tablet is the child's request", arguments: Engine.allCases)
    func report(engine: Engine) async throws {
        try await withChildren(engine) { fixture async throws in
            let cookie = try await Self.pair(fixture)
            let starters = try await fixture.asParent(.get, "/pictures?builtin=true").object()
            let picture = try #require((starters["items"] as? [[String: Any]])?.first?["id"] as? String)
            let chore = try await fixture.made("/family/chores", #"{"name":"Dishes","pictureId":"\#(picture)"}"#)
            var headers = HTTPFields.browser(cookie)
            headers[.accept] = "application/json"
            headers[.contentType] = "application/x-www-form-urlencoded"
            let answer = try await fixture.server.client.executeRequest(
                uri: "/family/tablet/children/\(fixture.child)/requests", method: .post, headers: headers,
                body: ByteBuffer(string: "choreId=\(chore)"))
            #expect(answer.status == .created, "\(answer.html)")
            let requests = try await fixture.asParent(.get, "/family/children/\(fixture.child)/requests").object()
            let items = try #require(requests["items"] as? [[String: Any]])
            #expect(items.map { $0["name"] as? String } == ["Dishes"])
        }
    }
}

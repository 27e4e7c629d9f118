import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import Testing
import WebCore

@Suite("Access to routes")
struct AccessTests {
    /// All routes that need no session. A route in this list is public: check twice before you add one.
    private static let open: Set<String> = [
        "GET /", "GET /register", "GET /sign-in", "POST /accounts", "POST /session", "DELETE /session",
        "GET /sign-in/apple", "GET /sign-in/apple/callback", "GET /sign-in/google", "GET /sign-in/google/callback",
        "GET /sign-in/facebook", "GET /sign-in/facebook/callback", "GET /sign-in/oidc", "GET /sign-in/oidc/callback",
        "GET /forgotten-password", "POST /password-resets", "GET /password-resets/{code}",
        "PUT /password-resets/{code}", "GET /email-verifications/{code}", "POST /email-verifications/{code}",
        "GET /carrepsa", "GET /offline", "GET /family", "GET /family/sign-in", "POST /family/sign-in",
        "GET /family/scan", "GET /family/tablet/pairing", "POST /family/tablet/pairing",
        "GET /family/invitations/{code}", "GET /email-undos/{code}", "POST /email-undos/{code}", "GET /found",
        "POST /found", "GET /found/picture", "GET /found/items/{secret}", "POST /found/items/{secret}",
        "GET /found/items/{secret}/picture", "GET /found/reports/{secret}",
        "GET /live/{secret}", "GET /live/{secret}/events", "POST /live/{secret}/position",
        "GET /deliveries/{secret}", "PUT /deliveries/{secret}/instructions", "POST /deliveries/{secret}/refusal",
        "GET /offers/{id}/{secret}",
        "POST /sign-in/passkey/challenge", "POST /sign-in/passkey", "GET /setup", "POST /setup",
        "GET /invitations/{code}", "GET /tracking/invitations/{code}",
    ]
    private static let device: Set<String> = [
        "GET /static/{version}/**", "GET /favicon.ico", "GET /service-worker.js", "GET /health/live",
        "GET /health/ready", "GET /metrics", "GET /map/tiles/{z}/{x}/{y}",
        "POST /trackers", "POST /trackers/{id}/messages", "POST /ingest/owntracks", "GET /ingest/osmand",
        "POST /ingest/osmand", "POST /ingest/hologram", "POST /ingest/hologram/{secret}",
        "POST /sign-in/apple/callback",
    ]

    private static func path(_ entry: RouteEntry) -> String {
        entry.path.split(separator: "/").reduce("") { path, step in
            path + "/" + (step.hasPrefix("{") ? "01890000-0000-7000-8000-000000000000" : String(step))
        }
    }

    @Test("Every route is in the list of public routes, or rejects requests without a session")
    func everyRoute() async throws {
        try await withServer { harness async throws in
            let routes = harness.server.web.routes
            let names = { (access: RouteAccess) in
                Set(routes.filter { $0.access == access }.map { "\($0.method.rawValue) \($0.path)" })
            }
            let opened = names(.open)
            let devices = names(.device)
            #expect(opened.subtracting(Self.open) == [])
            #expect(devices == Self.device)
            let guarded = routes.filter { $0.access != .open && $0.access != .device }
            #expect(guarded.count > 30)
            for entry in guarded {
                let path = Self.path(entry)
                let json = try await harness.send(entry.method, path, "{}")
                #expect(json.status == .unauthorized, "\(entry.method) \(path)")
                #expect(try json.error()["code"] as? String == "unauthenticated")
                let page = try await harness.browse(path, method: entry.method)
                #expect(page.status == .seeOther, "\(entry.method) \(path)")
                #expect(page.headers[.location]?.hasPrefix("/sign-in") ?? false)
                #expect(page.body.readableBytes == 0)
            }
        }
    }

    @Test("A revoked or unknown token gives no access")
    func revoked() async throws {
        try await withServer { harness async throws in
            let token = try await harness.join("mia@example.org")
            let before = try await harness.send(.get, "/account", token: token)
            #expect(before.status == .ok)
            let signOut = try await harness.send(.delete, "/session", token: token)
            #expect(signOut.status == .noContent)
            for entry in harness.server.web.routes where entry.access != .open && entry.access != .device {
                for wrong in [token, "nonsense"] {
                    let answer = try await harness.send(entry.method, Self.path(entry), "{}", token: wrong)
                    #expect(answer.status == .unauthorized, "\(entry.method) \(entry.path)")
                }
            }
        }
    }

    @Test(
        "Another person's resources are not found",
        arguments: [
            "", "/edit", "/fixes", "/tracker", "/commands", "/navigation", "/days", "/days/2026-03-01", "/stays",
            "/trips/1",
        ])
    func strangers(_ part: String) async throws {
        try await withServer { harness async throws in
            let mia = try await harness.join("mia@example.org")
            let ben = try await harness.join("ben@example.org")
            let added = try await harness.send(.post, "/tracking/items", #"{"name":"Keys"}"#, token: mia)
            let id = try #require(try added.object()["id"] as? String)
            let answer = try await harness.send(.get, "/tracking/items/\(id)\(part)", token: ben)
            #expect(answer.status == .notFound)
            let error = try answer.error()
            #expect(error["code"] as? String == "not_found")
        }
    }
}

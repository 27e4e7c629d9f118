import HTTPTypes
import TestSupport
import Testing
import Tracking

/// Live links that aren't open.
@Suite("Tracking: live links over HTTP")
struct TrackingLiveLinkTests {
    /// The status, headers and body of a link's page without what differs between any two pages: a form's key, and the
    /// address.
    private func seen(_ path: String, _ tracking: TrackingTestServer) async throws -> [String] {
        let page = try await tracking.signedOut.page(path)
        let names = ["Cache-Control", "X-Robots-Tag", "Content-Security-Policy"]
        let body = page.text.replacing(#/[0-9a-f]{32}/#, with: "").replacing(path, with: "")
        return ["\(page.status)"] + names.map { page.header($0) ?? "" } + [body]
    }

    @Test("T-6-2-2: A revoked link and an unknown one get the same response", arguments: Engine.allCases)
    func gone(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            let made = try await anna.send(
                .post, "/tracking/live-links", json: ["itemId": String(item.suffix(36)), "duration": "15min"])
            #expect(made.status == 201, "\(made.text)")
            let link = try made.object()
            let path = String(try #require(link.text("url")).dropFirst(TrackingTestServer.url.count))
            let other = String(path.dropLast()) + (path.hasSuffix("A") ? "Q" : "A")
            let before = try await seen(path, tracking)
            #expect(before[0] == "200")
            #expect(before[1].contains("no-store") && before[2].contains("noindex") && !before[3].isEmpty)

            let id = try #require(link.text("id"))
            #expect(try await anna.send(.delete, "/tracking/live-links/\(id)").status == 204)
            let revoked = try await seen(path, tracking)
            let unknown = try await seen(other, tracking)
            #expect(revoked[0] == "404" && revoked[4].contains("This link isn’t open"))
            #expect(revoked == unknown)
            // The events of an open link would not end.
            guard revoked == unknown else { return }
            for address in [path, other] {
                #expect(try await tracking.signedOut.send(.get, address + "/events").status == 404)
                let place: [String: any Sendable] = ["latitude": 1, "longitude": 1]
                #expect(try await tracking.signedOut.send(.post, address + "/position", json: place).status == 404)
            }
            let links = try await anna.send(.get, "/tracking/live-links").object().list("items")
            #expect(links.map { $0.text("state") } == ["revoked"])
            #expect(links.allSatisfy { !$0.keys.contains("url") })
        }
    }
}

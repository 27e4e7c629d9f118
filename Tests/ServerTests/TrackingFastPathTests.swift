import HTTPTypes
import Kernel
import Testing
import Tracking

@testable import TrackingWeb

@Suite("The fast path of position reports")
struct TrackingFastPathTests {
    @Test("It responds as the regular route does, and stores a repeated fix once")
    func sameAnswer() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            let secret = String(source.split(separator: "=").last ?? "")
            let query = "id=\(secret)&lat=1.5&lon=2.5&timestamp=\(tracking.seconds)"
            let short = try await tracking.signedOut.device(.get, "/ingest/osmand?\(query)")
            let usual = try await tracking.signedOut.device(
                .post, "/ingest/osmand", body: query, type: "application/x-www-form-urlencoded"
            )
            #expect(short.status == 200)
            #expect(usual.status == 200)
            for name in ["content-length", "x-content-type-options", "cross-origin-resource-policy", "content-type"] {
                #expect(short.header(name) == usual.header(name), "\(name)")
            }
            let fixes = try await anna.send(.get, url + "/fixes").object().list("items")
            #expect(fixes.map { $0.decimal("latitude") } == [1.5])
            let metrics = try await tracking.signedOut.device(.get, "/metrics").text
            #expect(metrics.contains(#"requests_total{route="/ingest/osmand",method="GET",status="200"} 1"#))
        }
    }

    @Test("A rejected message gets the regular route's response, and is counted once")
    func rejections() async throws {
        try await withTracking { tracking in
            let query = "id=unknown&lat=1&lon=2"
            let reply = try await tracking.signedOut.device(.get, "/ingest/osmand?\(query)")
            let usual = try await tracking.signedOut.device(
                .post, "/ingest/osmand", body: query, type: "application/x-www-form-urlencoded"
            )
            #expect(reply.status == 400)
            #expect(usual.status == 400)
            #expect(reply.text == usual.text)
            for name in ["content-type", "cache-control", "x-content-type-options", "cross-origin-resource-policy"] {
                #expect(reply.header(name) == usual.header(name), "\(name)")
            }
            let metrics = try await tracking.signedOut.device(.get, "/metrics").text
            #expect(metrics.contains(#"requests_total{route="/ingest/osmand",method="GET",status="400"} 1"#))
        }
    }

    @Test("A rejected message isn't processed again by the regular route")
    func noSecondAttempt() async throws {
        try await withTracking { tracking in
            let controller = OsmAndController(osmAnd: tracking.tracking.osmAnd, traccar: tracking.tracking.traccar)
            let error = await #expect(throws: AppError.self) {
                try await controller.createFast("id=unknown&lat=1&lon=2")
            }
            #expect(error?.code == .malformed)
        }
    }
}

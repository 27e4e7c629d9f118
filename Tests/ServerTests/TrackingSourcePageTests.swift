import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing
import Tracking
import Translations
import WebCore

@testable import TrackingWeb

/// Adding a source in a browser without scripts.
@Suite("Tracking: secrets of a source")
struct TrackingSourcePageTests {
    @Test("A repeated form adds no second source, and leads to the page for new secrets")
    func doubleSubmit() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let form = try await anna.page("/tracking/sources/new")
            let isKeyed = form.text.contains(#/name="idempotencyKey" value="[0-9a-f]{32}"/#)
            #expect(isKeyed)
            let fields: KeyValuePairs = [
                "kind": "owntracks", "itemId": "", "speedUnit": "knots", "idempotencyKey": "one",
            ]
            let first = try await anna.submit("/tracking/sources", fields)
            #expect(first.status == 201)
            let again = try await anna.submit("/tracking/sources", fields)
            #expect(again.status == 303)
            let place = try #require(again.header("location"))
            #expect(first.text.contains("data-address=\"\(place)\""))
            let page = try await anna.page(place)
            #expect(page.status == 200)
            #expect(page.text.contains("New secret"))
            #expect(page.text.contains("data-confirm=\"Create a new secret?\""))
            #expect(try await anna.send(.get, "/tracking/sources").object().list("items").count == 1)
            let program = try await anna.send(
                .post, "/tracking/sources", json: ["kind": "osmand"], headers: ["Idempotency-Key": "two"]
            )
            #expect(program.status == 201)
            let repeated = try await anna.send(
                .post, "/tracking/sources", json: ["kind": "osmand"], headers: ["Idempotency-Key": "two"]
            )
            #expect(repeated.status == 409)
            #expect(try repeated.error().text("code") == "conflict")
            #expect(try await anna.send(.get, "/tracking/sources").object().list("items").count == 2)
        }
    }

    @Test("A new secret is shown once, and the old one is revoked", arguments: Engine.allCases)
    func newSecret(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let old = try await anna.source(.osmand, item: url)
            let list = try await anna.send(.get, "/tracking/sources").object().list("items")
            let path = "/tracking/sources/\(list.first?.text("id") ?? "")"
            let shown = try await anna.send(.get, path)
            #expect(shown.status == 200)
            #expect(shown.header("etag") == "\"1\"")
            #expect(!shown.text.contains(String(old.suffix(32))))
            let stale = try await anna.send(.put, path + "/secret", headers: ["If-Match": "\"7\""])
            #expect(stale.status == 409)
            let eve = try await tracking.person("eve@example.org")
            #expect(try await eve.send(.put, path + "/secret").status == 404)
            #expect(try await eve.send(.get, path).status == 404)
            let made = try await anna.send(.put, path + "/secret", headers: ["If-Match": "\"1\""])
            #expect(made.status == 200)
            let new = try made.object()
            #expect(new.number("version") == 2)
            #expect(
                new.keys == ["id", "itemId", "kind", "passphrase", "secret", "speedUnit", "url", "user", "version"])
            let address = String(try #require(new.text("url")).dropFirst(TrackingTestServer.url.count))
            #expect(try await tracking.signedOut.device(.get, "\(old)&lat=1&lon=2").status == 400)
            #expect(try await tracking.signedOut.device(.get, "\(address)&lat=1&lon=2").status == 200)
            let fields: KeyValuePairs = ["idempotencyKey": "renew"]
            let page = try await anna.submit(path + "/secret?_method=put", fields)
            #expect(page.status == 200)
            #expect(page.text.contains("class=\"qr\""))
            #expect(page.text.contains("This is shown only once."))
            let again = try await anna.submit(path + "/secret?_method=put", fields)
            #expect(again.status == 303)
            #expect(again.header("location") == path)
        }
    }

    @Test("The unit of speed is for OsmAnd only, and each unit names its app")
    func speedUnit() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let form = try await anna.page("/tracking/sources/new")
            #expect(
                form.text.contains("<div class=\"field osmand-only\">\n<label class=\"field-label\" for=\"speedUnit\">")
            )
            #expect(form.text.contains(">Knots (Traccar Client)</option>"))
            #expect(form.text.contains(">Metres a second (OsmAnd)</option>"))
            #expect(!form.text.contains("A phone can’t reach this server"))
        }
    }

    struct Address: Sendable {
        let url: String
        let isLoopbackOrUnspecified: Bool
    }

    @Test(
        "A page warns about a URL that only this computer can reach",
        arguments: [
            Address(url: "http://localhost:8080", isLoopbackOrUnspecified: true),
            Address(url: "http://LOCALHOST", isLoopbackOrUnspecified: true),
            Address(url: "http://house.localhost:8080", isLoopbackOrUnspecified: true),
            Address(url: "http://127.0.0.1:8080", isLoopbackOrUnspecified: true),
            Address(url: "http://127.8.9.1", isLoopbackOrUnspecified: true),
            Address(url: "http://[::1]:8080", isLoopbackOrUnspecified: true),
            Address(url: "http://0.0.0.0:8080", isLoopbackOrUnspecified: true),
            Address(url: "https://home.example", isLoopbackOrUnspecified: false),
            Address(url: "https://localhost.example", isLoopbackOrUnspecified: false),
            Address(url: "https://127.example", isLoopbackOrUnspecified: false),
            Address(url: "https://192.168.1.20", isLoopbackOrUnspecified: false),
        ])
    func addresses(_ address: Address) {
        let warning = Unreachable(Site(url: address.url), t: Translations.translator(.english))
        #expect((warning != nil) == address.isLoopbackOrUnspecified)
        #expect(warning?.unreachableText.contains(address.url) != false)
    }

    @Test("HEAD responds as GET, and stores nothing")
    func head() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            let fix = "\(source)&lat=1&lon=2&timestamp=\(tracking.seconds)"
            let head = try await tracking.signedOut.device(.head, fix)
            #expect(head.status == 200)
            #expect(head.text.isEmpty)
            #expect(try await anna.send(.get, url + "/fixes").object().list("items").isEmpty)
            #expect(try await tracking.signedOut.device(.head, "/ingest/osmand?id=unknown&lat=1&lon=2").status == 400)
            #expect(try await tracking.signedOut.device(.get, fix).status == 200)
            #expect(try await anna.send(.get, url + "/fixes").object().list("items").count == 1)
        }
    }
}

import Foundation
import HTTPTypes
import Kernel
import Server
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

    @Test("The form and the secrets of a source warn about an address that only this computer can reach")
    func warning() async throws {
        try await withServer { harness async throws in
            let ada = try await FamilyTestServer(server: harness).parent("Ada")
            let url = harness.services.settings.site.url
            let form = try await ada.page("/tracking/sources/new")
            let secrets = try await ada.submit(
                "/tracking/sources", ["kind": "owntracks", "itemId": "", "speedUnit": "knots"])
            #expect(secrets.status == 201)
            let explanation = "Its address is \(url), which works on this computer only. Set HOMEWARD_URL"
            for page in [form, secrets] {
                #expect(page.text.contains("<div class=\"banner banner-warning\" role=\"status\">"))
                #expect(page.text.contains("A phone can’t reach this server"))
                #expect(page.text.contains(explanation))
            }
        }
    }

    @Test("An item's app is disconnected on the page of its source, and can no longer report")
    func disconnects() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            let tracker = try await anna.page(url + "/tracker").text
            let link = #/href="([^"]+)"><span class="row-text"><span class="row-title">Phones and apps</#
            let path = String(try #require(tracker.firstMatch(of: link)).output.1)
            #expect(path.hasPrefix("/tracking/sources/"))
            let page = try await anna.page(path).text
            #expect(page.contains("<span class=\"row-value\" hx-disable>Bike</span>"))
            #expect(page.contains("data-confirm=\"Disconnect this app?\""))
            #expect(page.contains("action=\"\(path)?_method=delete\""))
            let gone = try await anna.submit(path + "?_method=delete", ["idempotencyKey": "gone"])
            #expect(gone.status == 303)
            #expect(gone.header("location") == "/tracking/sources")
            #expect(try await anna.page("/tracking/sources").text.contains("No app is connected yet."))
            #expect(try await tracking.signedOut.device(.get, "\(source)&lat=50&lon=6").status == 400)
        }
    }

    @Test(
        "The page with the secrets shows the first position that comes with them",
        arguments: SourceKind.allCases, [true, false])
    func firstPosition(kind: SourceKind, isForItem: Bool) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Keys")
            let awaited = "Waiting for the first position"
            let arrived = "The first position has arrived"
            func report(with page: Reply) async throws -> Int {
                let secrets = page.text.matches(of: #/id="secret-\d">([^<]+)</#).map { String($0.1) }
                try #require(secrets.count > 2)
                guard kind == .owntracks else {
                    let place = "lat=50&lon=6&timestamp=\(tracking.seconds)"
                    let address = "/ingest/osmand?id=\(secrets[0])&\(place)"
                    return try await tracking.signedOut.device(.get, address).status
                }
                return try await tracking.signedOut.device(
                    .post, "/ingest/owntracks",
                    body: #"{"_type":"location","lat":50,"lon":6,"tst":\#(tracking.seconds),"acc":5}"#,
                    type: "application/json",
                    authorization: "Basic \(Data("\(secrets[1]):\(secrets[2])".utf8).base64EncodedString())"
                ).status
            }
            func arrivalURL(of page: Reply) throws -> String {
                let address = #/hx-get="(\/tracking\/sources\/[0-9a-f-]{36}\?since=[0-9]+)"/#
                return String(try #require(page.text.firstMatch(of: address)).output.1)
            }
            let page = try await anna.submit(
                "/tracking/sources",
                ["kind": kind.rawValue, "itemId": isForItem ? String(item.suffix(36)) : "", "speedUnit": "knots"])
            #expect(page.status == 201)
            #expect(page.text.contains(awaited) && !page.text.contains(arrived))
            let first = try arrivalURL(of: page)
            #expect(try await anna.fragment(first).text.contains(awaited))
            #expect(try await report(with: page) == 200)
            let shown = try await anna.fragment(first).text
            #expect(shown.contains(arrived) && !shown.contains(awaited))

            tracking.clock.advance(seconds: 60)
            let path = String(first.prefix { $0 != "?" })
            let renewed = try await anna.submit(path + "/secret?_method=put", ["idempotencyKey": "renew"])
            #expect(renewed.status == 200)
            let second = try arrivalURL(of: renewed)
            #expect(try await anna.fragment(second).text.contains(awaited), "an earlier report doesn't count")
            #expect(try await report(with: renewed) == 200)
            #expect(try await anna.fragment(second).text.contains(arrived))
        }
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

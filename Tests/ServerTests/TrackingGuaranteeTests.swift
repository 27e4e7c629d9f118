import Foundation
import HTTPTypes
import Kernel
import Pictures
import TestSupport
import Testing
import Tracking

/// Guarantees of the JSON API for all requests.
@Suite("Tracking: guarantees for programs")
struct TrackingGuaranteeTests {
    @Test(
        "Broken JSON gets 400 and changes nothing",
        arguments: [
            #"{"name":"x",}"#, #"{"name":"x","a":-}"#, #"{"name":"x","a":1e}"#, #"{"name":"x","a":1.}"#,
            #"{"name":"x","a":01}"#, #"{"settings":{"lostMetres":01}}"#, "{\"name\":\"a\nb\"}", "{\"name\":\"a\tb\"}",
            #"{"name":"\x41"}"#, "{\"name\":\"x\"", "",
        ])
    func brokenJSON(_ body: String) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            for (method, uri) in [(TrackingMethod.post, "/tracking/items"), (.patch, url)] {
                let reply = try await anna.send(method, uri, body: body, type: "application/json")
                #expect(reply.status == 400)
                #expect(try reply.error().text("code") == "malformed")
            }
            #expect(try await anna.send(.get, "/tracking/items").object().texts("items", "name") == ["Keys"])
        }
    }

    @Test("Broken JSON of a device gets 400, too")
    func brokenIngest() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            let secret = String(source.split(separator: "=").last ?? "")
            for end in [",}", "}}", ",\"a\":01}"] {
                let body =
                    "{\"device_id\":\"\(secret)\",\"location\":{\"coords\":{\"latitude\":1,\"longitude\":2}}" + end
                let reply = try await tracking.signedOut.device(
                    .post, "/ingest/osmand", body: body, type: "application/json")
                #expect(reply.status == 400)
            }
            let contact = try await tracking.signedOut.device(
                .post, "/trackers", body: "{\"publicKey\":\"\",}", type: "application/json")
            #expect(contact.status == 400)
            #expect(try await anna.send(.get, url + "/fixes").object().list("items").isEmpty)
        }
    }

    @Test("If-Match guards every write to a versioned resource; a stale one gets 409 and changes nothing")
    func ifMatch() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let stale = ["If-Match": "\"1\""]
            #expect(try await anna.send(.patch, url, json: ["name": "Door"]).status == 200)
            let secret = try await anna.source(.osmand, item: url)
            let sources = try await anna.send(.get, "/tracking/sources").object().list("items")
            let source = "/tracking/sources/\(sources.first?.text("id") ?? "")"
            let tries: [(method: TrackingMethod, uri: String, body: [String: any Sendable]?, version: String)] = [
                (.delete, url, nil, "\"1\""), (.delete, url + "/tracker", nil, "\"1\""),
                (.put, url + "/tracker", ["code": "K7QF-2M9X-TR4C"], "\"1\""),
                (.post, url + "/commands", ["kind": "locate"], "\"1\""), (.delete, source, nil, "\"99\""),
                (.delete, "/account", ["password": "correct horse"], "\"99\""), (.delete, url, nil, "W/\"x\""),
            ]
            for one in tries {
                let headers = ["If-Match": one.version]
                let reply =
                    if let body = one.body {
                        try await anna.send(one.method, one.uri, json: body, headers: headers)
                    } else {
                        try await anna.send(one.method, one.uri, headers: headers)
                    }
                #expect(reply.status == 409, "\(one.method) \(one.uri)")
                #expect(try reply.error().text("code") == "conflict")
            }
            let item = try await anna.send(.get, url).object()
            #expect(item.text("name") == "Door")
            #expect(try item.object("tracker").text("state") == "bound")
            #expect(try await tracking.signedOut.device(.get, secret + "&lat=1&lon=2").status == 200)
            let version = try await anna.send(.get, url).header("ETag") ?? ""
            #expect(try await anna.send(.delete, url, headers: stale).status == 409)
            #expect(try await anna.send(.delete, url, headers: ["If-Match": version]).status == 204)
        }
    }

    @Test("A position with a key counts once: not later, and not with another body")
    func positionOnce() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            _ = try await tracking.signedOut.device(.get, source + "&lat=10&lon=10")
            func put(_ latitude: Double, key: String?) async throws -> Int {
                let headers = key.map { ["Idempotency-Key": $0] } ?? [:]
                return try await anna.send(
                    .put, "/tracking/position", json: ["latitude": latitude, "longitude": 10.0], headers: headers
                ).status
            }
            #expect(try await put(10, key: "first") == 204)
            tracking.clock.advance(seconds: 1)
            #expect(try await put(11, key: nil) == 204)
            tracking.clock.advance(seconds: 1)
            #expect(try await put(10, key: "first") == 204)
            #expect(try await put(12, key: "first") == 409)
            let distance = try await anna.send(.get, url).object().decimal("distance") ?? 0
            #expect(distance > 100_000)
        }
    }

    @Test("Exactly 5 m isn't lost, exactly the walking limit is walked, and distances are exact to 1 mm")
    func exactDistances() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            let degree = 6_371_008.8 * Double.pi / 180
            for (metres, isLost, mode) in [
                (5.0, false, "walking"), (2_000, true, "walking"), (2_000.01, true, "transit"),
            ] {
                tracking.clock.advance(seconds: 1)
                let latitude = String(format: "%.15f", metres / degree)
                _ = try await tracking.signedOut.device(.get, source + "&lat=\(latitude)&lon=9")
                _ = try await anna.send(.put, "/tracking/position", json: ["latitude": 0.0, "longitude": 9.0])
                let item = try await anna.send(.get, url).object()
                #expect(item.decimal("distance") == metres)
                #expect(item.flag("lost") == isLost)
                #expect(try await anna.send(.get, url + "/navigation?to=apple").object().text("mode") == mode)
            }
        }
    }

    @Test("A device without a valid credential gets 401 in the common error format, not cacheable")
    func deviceErrors() async throws {
        try await withTracking { tracking in
            let basic = "Basic \(Data("user:wrong".utf8).base64EncodedString())"
            for authorization in [nil, basic] {
                let reply = try await tracking.signedOut.device(
                    .post, "/ingest/owntracks", body: "{}", type: "application/json", authorization: authorization)
                #expect(reply.status == 401)
                #expect(try reply.error().text("code") == "unauthenticated")
                #expect(reply.header("Cache-Control")?.contains("no-store") == true)
                #expect(reply.header("WWW-Authenticate")?.hasPrefix("Basic ") == true)
            }
            let hex = String(repeating: "11", count: 32)
            let contact = try await tracking.signedOut.device(
                .post, "/trackers", body: "{\"publicKey\":\"\(hex)\",\"codeHash\":\"\(hex)\"}", type: "application/json"
            )
            #expect(contact.status == 201)
            let id = try contact.object().text("id") ?? ""
            let message = try await tracking.signedOut.device(
                .post, "/trackers/\(id)/messages", body: "{}", type: "application/json")
            #expect(message.status == 401)
            #expect(try message.error().text("code") == "unauthenticated")
            #expect(message.header("Cache-Control")?.contains("no-store") == true)
        }
    }

    struct Number: Sendable {
        let query: String
        var reason: String?
    }

    @Test(
        "An impossible number goes to quarantine; the devices' values for unknown are unknown",
        arguments: [
            Number(query: "accuracy=1e300", reason: "number_out_of_range"),
            Number(query: "accuracy=-5", reason: "number_out_of_range"),
            Number(query: "altitude=1e300", reason: "number_out_of_range"),
            Number(query: "altitude=-20001", reason: "number_out_of_range"),
            Number(query: "speed=1e308", reason: "number_out_of_range"),
            Number(query: "speed=-40", reason: "number_out_of_range"),
            Number(query: "bearing=720", reason: "number_out_of_range"),
            Number(query: "batt=150", reason: "number_out_of_range"),
            Number(query: "batt=-5", reason: "number_out_of_range"),
            Number(query: "accuracy=abc", reason: "unreadable_number"), Number(query: "accuracy=-1"),
            Number(query: "speed=-1"), Number(query: "speed=-1.94384"), Number(query: "bearing=-1"),
            Number(query: "batt=-1"), Number(query: "batt=-100"),
        ])
    func numbers(_ number: Number) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            let fix = "\(source)&lat=1&lon=2&timestamp=\(tracking.seconds)&\(number.query)"
            #expect(try await tracking.signedOut.device(.get, fix).status == 200)
            let reasons = try await anna.send(.get, "/tracking/quarantine").object().texts("items", "reason")
            #expect(reasons == (number.reason.map { [$0] } ?? []))
            let fixes = try await anna.send(.get, url + "/fixes").object().list("items")
            #expect(fixes.count == (number.reason == nil ? 1 : 0))
            for name in ["accuracy", "speed", "heading", "battery"] {
                if let first = fixes.first { #expect(first.isNull(name), "\(name)") }
            }
        }
    }

    @Test("The phone's accuracy is validated in the same way")
    func phoneAccuracy() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let body: [String: any Sendable] = ["latitude": 1.0, "longitude": 2.0, "accuracy": 1e300]
            let reply = try await anna.send(.put, "/tracking/position", json: body)
            #expect(reply.status == 422)
            #expect(try reply.error().object("fields").text("accuracy") != nil)
        }
    }

    @Test("An unknown maps app gets an error that lists the known ones")
    func mapsApps() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let reply = try await anna.send(.get, url + "/navigation?to=bing")
            #expect(reply.status == 422)
            #expect(try reply.error().object("fields").text("to") == "Choose one of these maps apps: apple, google.")
        }
    }

    @Test("An unknown member doesn't make a repeated request a different one; a known one does")
    func unknownNames() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            func add(_ body: [String: any Sendable]) async throws -> Reply {
                try await anna.send(.post, "/tracking/items", json: body, headers: ["Idempotency-Key": "k"])
            }
            let first = try await add(["name": "Keys"])
            let again = try await add(["name": "Keys", "colour": "red"])
            #expect(first.status == 201)
            #expect(again.status == 201)
            #expect(try first.object().text("id") == again.object().text("id"))
            #expect(try await add(["name": "Door", "colour": "red"]).status == 409)
            #expect(try await anna.send(.get, "/tracking/items").object().list("items").count == 1)
        }
    }

    @Test("An empty code gets an error and doesn't count as a try", arguments: ["", "  "])
    func emptyCode(_ code: String) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            for _ in 0...Limits.claimFailuresPerAccount {
                let reply = try await anna.send(.put, url + "/tracker", json: ["code": code])
                #expect(reply.status == 422)
                #expect(try reply.error().object("fields").text("code") != nil)
            }
            #expect(try await anna.send(.put, url + "/tracker", json: ["code": "AAAA-AAAA-AAAA"]).status == 422)
        }
    }

    @Test(
        "A limit must be a number if it is given",
        arguments: ["limit=", "limit=%00", "limit=5%00", "limit=x", "limit"])
    func limits(_ query: String) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let reply = try await anna.send(.get, "/tracking/items?\(query)")
            #expect(reply.status == 422)
            #expect(try reply.error().object("fields").text("limit") != nil)
        }
    }

    @Test("An empty body doesn't delete an account")
    func emptyDeletion() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            #expect(try await anna.send(.delete, "/account").status == 400)
            #expect(try await anna.send(.get, "/account").status == 200)
        }
    }

    @Test(
        "Pictures are accepted as multipart forms only",
        arguments: ["application/json", "application/x-www-form-urlencoded", ""])
    func pictureTypes(_ type: String) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let reply = try await anna.send(.post, "/pictures", body: "{}", type: type.isEmpty ? nil : type)
            #expect(reply.status == 415)
            #expect(try reply.error().text("code") == "malformed")
        }
    }
}

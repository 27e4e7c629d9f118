import Foundation
import HTTPTypes
import Kernel
import Quotas
import TestSupport
import Testing
import Tracking

/// Reports of phone apps, and the responses.
@Suite("Tracking: ingest over HTTP")
struct TrackingIngestTests {
    @Test("OsmAnd's query form moves an item; the same post twice makes one fix", arguments: Engine.allCases)
    func osmAnd(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            let before = try await anna.send(.get, url).object().object("tracker")
            #expect(before.text("state") == "bound")
            let place = "lat=50.77535&lon=6.08389&timestamp=\(tracking.seconds)"
            let fix = "\(source)&\(place)&accuracy=6&speed=10&batt=82"
            for _ in 1...2 {
                let reply = try await tracking.signedOut.device(.get, fix)
                #expect(reply.status == 200)
                #expect(reply.text.isEmpty)
            }
            let fixes = try await anna.send(.get, url + "/fixes?limit=10").object().list("items")
            #expect(fixes.count == 1)
            let first = try #require(fixes.first)
            #expect(
                Set(first.keys) == [
                    "id", "at", "latitude", "longitude", "accuracy", "altitude", "speed", "heading", "battery",
                    "source",
                ]
            )
            #expect(first.decimal("latitude") == 50.77535)
            #expect(first.decimal("longitude") == 6.08389)
            #expect(first.number("accuracy") == 6)
            #expect(abs((first.decimal("speed") ?? 0) - 5.144) < 0.001)
            #expect(first.number("battery") == 82)
            #expect(first.isNull("altitude"))
            #expect(first.isNull("heading"))
            #expect(first.text("source") == "osmand")
            let item = try await anna.send(.get, url).object()
            #expect(try item.object("lastFix").text("id") == first.text("id"))
            let tracker = try item.object("tracker")
            #expect(
                Set(tracker.keys) == ["id", "state", "mode", "battery", "lastSeenAt", "wanted", "pending"]
            )
            #expect(tracker.text("state") == "active")
            #expect(tracker.number("battery") == 82)
            #expect(try await anna.send(.post, url + "/commands", json: ["kind": "off"]).status == 409)
        }
    }

    @Test("A full history gets 429 with Retry-After in every device protocol", arguments: Engine.allCases)
    func fullHistory(engine: Engine) async throws {
        try await withTracking(engine, fixesPerAccount: 1) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let source = try await anna.source(.osmand, item: try await anna.item("Bike"))
            let place = "lat=50.77535&lon=6.08389&timestamp="
            #expect(try await tracking.signedOut.device(.get, "\(source)&\(place)\(tracking.seconds)").status == 200)
            let refused = try await tracking.signedOut.device(.get, "\(source)&\(place)\(tracking.seconds - 1)")
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After") == "\(Limits.historyFullRetrySeconds)")
            #expect(refused.text.contains("throttled"))
            let posted = try await tracking.signedOut.device(.post, "\(source)&\(place)\(tracking.seconds - 2)")
            #expect(posted.status == 429)
        }
    }

    @Test("OsmAnd's form body and Traccar Client's JSON move an item, too")
    func otherForms() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            let secret = String(source.split(separator: "=").last ?? "")
            let form = "id=\(secret)&lat=1.5&lon=2.5&timestamp=\(tracking.seconds)"
            let formReply = try await tracking.signedOut.device(
                .post, "/ingest/osmand", body: form, type: "application/x-www-form-urlencoded"
            )
            #expect(formReply.status == 200)
            tracking.clock.advance(seconds: 60)
            let json = """
                {"location":{"timestamp":"\(tracking.clock.now.rfc3339)","coords":{"latitude":3.5,"longitude":4.5,\
                "accuracy":3.8,"speed":18.67,"heading":63,"altitude":35.7},"battery":{"level":0.79,"is_charging":false}},\
                "device_id":"\(secret)"}
                """
            let jsonReply = try await tracking.signedOut.device(
                .post, "/ingest/osmand", body: json, type: "application/json"
            )
            #expect(jsonReply.status == 200)
            let fixes = try await anna.send(.get, url + "/fixes").object().list("items")
            let latitudes = fixes.map { $0.decimal("latitude") }
            #expect(latitudes == [3.5, 1.5])
            #expect(fixes.first?.decimal("speed") == 18.67)
            #expect(fixes.first?.number("battery") == 79)
        }
    }

    @Test("A long run of combining marks is rejected in each device protocol, and makes no fix")
    func longRuns() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            let secret = String(source.split(separator: "=").last ?? "")
            let made = try await anna.send(
                .post, "/tracking/sources",
                json: ["kind": "owntracks", "itemId": String(try await anna.item("Keys").suffix(36))])
            let app = try made.object()
            let basic = Data("\(app.text("user") ?? ""):\(app.text("secret") ?? "")".utf8).base64EncodedString()
            for marks in [Limits.nonStarters, Limits.nonStarters + 1] {
                let run = String(repeating: "\u{301}", count: marks)
                let encoded = String(repeating: "%CC%81", count: marks)
                tracking.clock.advance(seconds: 60)
                let place = "lat=1.5&lon=2.5&timestamp=\(tracking.seconds)&note=x\(encoded)"
                let traccar = """
                    {"location":{"timestamp":"\(tracking.clock.now.rfc3339)","coords":{"latitude":3.5,"longitude":4.5,\
                    "accuracy":3.8}},"device_id":"\(secret)","note":"x\(run)"}
                    """
                let location = """
                    {"_type":"location","lat":46.07,"lon":11.15,"tst":\(tracking.seconds),"acc":15,"note":"x\(run)"}
                    """
                let replies = [
                    try await tracking.signedOut.device(.get, "\(source)&\(place)"),
                    try await tracking.signedOut.device(
                        .post, "/ingest/osmand", body: "id=\(secret)&\(place)",
                        type: "application/x-www-form-urlencoded"),
                    try await tracking.signedOut.device(
                        .post, "/ingest/osmand", body: traccar, type: "application/json"),
                    try await tracking.signedOut.device(
                        .post, "/ingest/owntracks", body: location, type: "application/json",
                        authorization: "Basic \(basic)"),
                ]
                let isShort = marks == Limits.nonStarters
                for (number, reply) in replies.enumerated() {
                    #expect((reply.status == 200) == isShort, "\(number) with \(marks): \(reply.status)")
                }
            }
            #expect(try await anna.send(.get, url + "/fixes").object().list("items").count == 1)
        }
    }

    @Test("OwnTracks moves an item; another _type makes no fix; the response is a JSON array")
    func ownTracks() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let made = try await anna.send(
                .post, "/tracking/sources", json: ["kind": "owntracks", "itemId": String(url.suffix(36))]
            )
            #expect(made.status == 201)
            let source = try made.object()
            let (user, secret) = (source.text("user") ?? "", source.text("secret") ?? "")
            #expect((source.text("passphrase") ?? "").utf8.count <= 32)
            let basic = "Basic \(Data("\(user):\(secret)".utf8).base64EncodedString())"
            let bodies: [(body: String, fixes: Int)] = [
                (#"{"_type":"location","lat":46.07,"lon":11.15,"tst":\#(tracking.seconds),"acc":15,"batt":46}"#, 1),
                (#"{"_type":"location","lat":46.07,"lon":11.15,"tst":\#(tracking.seconds),"acc":15,"batt":46}"#, 1),
                (#"{"_type":"lwt","tst":\#(tracking.seconds)}"#, 1),
                (#"{"_type":"transition","event":"enter","lat":1,"lon":2,"acc":3,"tst":\#(tracking.seconds)}"#, 1),
                ("", 1),
            ]
            for sent in bodies {
                let reply = try await tracking.signedOut.device(
                    .post, "/ingest/owntracks", body: sent.body, type: "application/json", authorization: basic
                )
                #expect(reply.status == 200)
                #expect(reply.text == "[]")
                #expect(reply.header("content-type") == "application/json")
                #expect(try await anna.send(.get, url + "/fixes").object().list("items").count == sent.fixes)
            }
            for kind in ["transition", "waypoint", "lwt", "status", "card"] {
                tracking.clock.advance(seconds: 60)
                let reply = try await tracking.signedOut.device(
                    .post, "/ingest/owntracks",
                    body: #"{"_type":"\#(kind)","lat":48.14,"lon":11.58,"tst":\#(tracking.seconds),"acc":5}"#,
                    type: "application/json", authorization: basic
                )
                #expect(reply.status == 200)
                #expect(reply.text == "[]")
                #expect(try await anna.send(.get, url + "/fixes").object().list("items").count == 1, "\(kind)")
            }
            #expect(try await anna.send(.get, url).object().object("lastFix").number("battery") == 46)
            #expect(try await anna.send(.post, url + "/commands", json: ["kind": "locate"]).status == 202)
        }
    }

    @Test("Wrong credentials, unknown devices, and broken and oversized bodies get the documented errors")
    func refusals() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let made = try await anna.send(.post, "/tracking/sources", json: ["kind": "owntracks"]).object()
            let (user, secret) = (made.text("user") ?? "", made.text("secret") ?? "")
            let good = "Basic \(Data("\(user):\(secret)".utf8).base64EncodedString())"
            let wrong = "Basic \(Data("\(user):nope".utf8).base64EncodedString())"
            let device = tracking.signedOut
            func post(_ body: String, _ authorization: String?) async throws -> Reply {
                try await device.device(
                    .post, "/ingest/owntracks", body: body, type: "application/json", authorization: authorization
                )
            }
            let location = #"{"_type":"location","lat":1,"lon":2,"tst":\#(tracking.seconds)}"#
            #expect(try await post(location, nil).status == 401)
            let refused = try await post(location, wrong)
            #expect(refused.status == 401)
            #expect(refused.header("www-authenticate")?.hasPrefix("Basic") == true)
            #expect(try await post(location, "Bearer \(anna.token ?? "")").status == 401)
            #expect(try await post("{", good).status == 400)
            #expect(try await post(String(repeating: " ", count: 70_000), good).status == 413)
            #expect(try await device.device(.get, "/ingest/osmand?id=unknown&lat=1&lon=2").status == 400)
            #expect(try await device.device(.get, "/ingest/osmand?lat=1&lon=2").status == 400)
            let json = #"{"location":{"coords":{"latitude":1,"longitude":2}},"device_id":"unknown"}"#
            let unknown = try await device.device(.post, "/ingest/osmand", body: json, type: "application/json")
            #expect(unknown.status == 404)
            let broken = try await device.device(.post, "/ingest/osmand", body: "{", type: "application/json")
            #expect(broken.status == 400)
        }
    }

    struct Unusable: Sendable {
        let query: String
        let reason: String
    }

    @Test(
        "An authenticated message that can't be used gets 200 and is listed in the quarantine",
        arguments: [
            Unusable(query: "lat=91&lon=0", reason: "place_out_of_range"),
            Unusable(query: "lat=NaN&lon=0", reason: "unreadable_number"),
            Unusable(query: "lat=1&lon=2&timestamp=100", reason: "time_out_of_range"),
            Unusable(query: "lat=1&lon=2&timestamp=2036-01-01T00:00:00Z", reason: "time_out_of_range"),
            Unusable(query: "lat=1&lon=2&timestamp=2027-03-01T12:00:00Z", reason: "time_out_of_range"),
            Unusable(query: "lat=1&lon=2&timestamp=never", reason: "unreadable_time"),
            Unusable(query: "lat=1&lon=2&valid=false", reason: "marked_invalid"),
        ])
    func quarantine(_ unusable: Unusable) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            #expect(try await tracking.signedOut.device(.get, "\(source)&\(unusable.query)").status == 200)
            #expect(try await anna.send(.get, url + "/fixes").object().list("items").isEmpty)
            let entries = try await anna.send(.get, "/tracking/quarantine").object().list("items")
            #expect(entries.first?.text("reason") == unusable.reason)
            #expect(entries.count == 1)
            #expect(Set(entries.first?.keys ?? []) == ["id", "sourceId", "receivedAt", "reason"])
            let page = try await anna.page("/tracking/quarantine")
            #expect(page.status == 200)
            #expect(page.text.contains("<time data-relative"))
            let eve = try await tracking.person("eve@example.org")
            #expect(try await eve.send(.get, "/tracking/quarantine").object().list("items").isEmpty)
        }
    }

    @Test("A phone of the person's own updates the person's position")
    func phone() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let bike = try await anna.source(.osmand, item: url)
            let phone = try await anna.source(.osmand)
            let now = tracking.seconds
            #expect(try await tracking.signedOut.device(.get, "\(bike)&lat=0.001&lon=1&timestamp=\(now)").status == 200)
            #expect(try await tracking.signedOut.device(.get, "\(phone)&lat=0&lon=1&timestamp=\(now)").status == 200)
            let item = try await anna.send(.get, url).object()
            #expect(item.flag("lost") == true)
            #expect(abs((item.decimal("distance") ?? 0) - 111.2) < 0.1)
        }
    }

    @Test("The history is exported as GPX, GeoJSON and CSV, complete and oldest first")
    func exports() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("=Bike")
            let source = try await anna.source(.osmand, item: url)
            for latitude in 1...3 {
                tracking.clock.advance(seconds: 60)
                let fix = "\(source)&lat=\(latitude).5&lon=6&timestamp=\(tracking.seconds)"
                _ = try await tracking.signedOut.device(.get, fix)
            }
            let csv = try await anna.send(.get, url + "/fixes?format=csv")
            #expect(csv.header("content-type")?.hasPrefix("text/csv") == true)
            let lines = csv.text.split(whereSeparator: \.isNewline)
            #expect(
                lines.first
                    == "item,at,latitude,longitude,accuracy_m,altitude_m,speed_mps,heading_deg,battery_pct,source"
            )
            #expect(lines.count == 4)
            #expect(lines.dropFirst().first?.hasPrefix("'=Bike,") == true)
            #expect(lines.dropFirst().first?.contains(",1.5,6") == true)
            let gpx = try await anna.page(url + "/fixes?format=gpx")
            #expect(gpx.header("content-type") == "application/gpx+xml")
            #expect(gpx.header("content-disposition")?.hasPrefix("attachment") == true)
            #expect(gpx.text.contains("<gpx"))
            let geoJSON = try await anna.send(.get, url + "/fixes?format=geojson")
            #expect(geoJSON.header("content-type") == "application/geo+json")
            #expect(try geoJSON.object().text("type") == "FeatureCollection")
            #expect(try await anna.send(.get, url + "/fixes?format=kml").status == 422)
        }
    }

    @Test("A source's secrets are shown once, and deleting the source revokes them")
    func sources() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            let secret = String(source.split(separator: "=").last ?? "")
            let list = try await anna.send(.get, "/tracking/sources")
            #expect(!list.text.contains(secret))
            let first = try #require(try list.object().list("items").first)
            #expect(first.text("kind") == "osmand")
            #expect(first.text("itemId") == String(url.suffix(36)))
            #expect(first.text("speedUnit") == "knots")
            let again = try await anna.send(
                .post, "/tracking/sources", json: ["kind": "owntracks", "itemId": String(url.suffix(36))]
            )
            #expect(again.status == 409)
            #expect(try await anna.send(.post, "/tracking/sources", json: ["kind": "fax"]).status == 422)
            #expect(try await anna.send(.post, "/tracking/sources", json: [:]).status == 422)
            let path = "/tracking/sources/\(first.text("id") ?? "")"
            let eve = try await tracking.person("eve@example.org")
            #expect(try await eve.send(.delete, path).status == 404)
            #expect(try await anna.send(.delete, path).status == 204)
            #expect(try await anna.send(.delete, path).status == 404)
            #expect(try await tracking.signedOut.device(.get, "\(source)&lat=1&lon=2").status == 400)
            #expect(try await anna.send(.get, url).object().isNull("tracker"))
        }
    }
}

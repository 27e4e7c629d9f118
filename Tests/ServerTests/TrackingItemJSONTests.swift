import HTTPTypes
import TestSupport
import Testing

/// The JSON API of `/tracking/items`.
@Suite("Tracking: items as JSON")
struct TrackingItemJSONTests {
    private static let itemKeys: Set<String> = [
        "access",
        "id", "name", "pictureId", "tracker", "lastFix", "lost", "distance", "tooFarSince", "parkedSince",
        "settings",
        "version",
    ]

    @Test("A new item is returned complete, with Location and version, and null for unknown values")
    func adds() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let reply = try await anna.send(.post, "/tracking/items", json: ["name": "  Keys "])
            #expect(reply.status == 201)
            let item = try reply.object()
            #expect(Set(item.keys) == Self.itemKeys)
            #expect(item.text("name") == "Keys")
            for key in ["pictureId", "tracker", "lastFix", "distance", "tooFarSince", "parkedSince"] {
                #expect(item.isNull(key), "\(key)")
            }
            #expect(item.flag("lost") == false)
            #expect(item.number("version") == 1)
            #expect(reply.header("location") == "/tracking/items/\(item.text("id") ?? "")")
            #expect(reply.header("etag") == "\"1\"")
            let settings = try item.object("settings")
            #expect(settings.number("locateMinutes") == 10)
            #expect(settings.number("lostMetres") == 5)
            #expect(settings.number("alertMetres") == 10)
            #expect(settings.number("walkMetres") == 2000)
            let list = try await anna.send(.get, "/tracking/items")
            #expect(try list.object().texts("items", "id") == [item.text("id")])
            #expect(try list.object().isNull("next"))
            #expect(list.header("vary")?.contains("Accept") == true)
            #expect(list.header("cache-control") == "private, no-store")
        }
    }

    struct Name: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let stored: String?
    }

    private static let names = [
        Name(testDescription: "empty", json: #"{"name":""}"#, stored: nil),
        Name(testDescription: "white space", json: #"{"name":" \u2003\n "}"#, stored: nil),
        Name(testDescription: "missing", json: "{}", stored: nil),
        Name(testDescription: "null", json: #"{"name":null}"#, stored: nil),
        Name(testDescription: "a number", json: #"{"name":5}"#, stored: nil),
        Name(testDescription: "51 characters", json: #"{"name":"\#(String(repeating: "a", count: 51))"}"#, stored: nil),
        Name(testDescription: "a control character", json: #"{"name":"a\u0007b"}"#, stored: nil),
        Name(
            testDescription: "50 characters", json: #"{"name":"\#(String(repeating: "a", count: 50))"}"#,
            stored: String(repeating: "a", count: 50)
        ),
        Name(
            testDescription: "50 emoji", json: #"{"name":"\#(String(repeating: "👍🏽", count: 50))"}"#,
            stored: String(repeating: "👍🏽", count: 50)
        ),
        Name(testDescription: "right to left", json: #"{"name":"מפתחות"}"#, stored: "מפתחות"),
        Name(testDescription: "markup", json: #"{"name":"<b>Bag</b>"}"#, stored: "<b>Bag</b>"),
    ]

    @Test("T-1-4-1: A name has 1 to 50 characters; an invalid one gets an error, nothing is stored", arguments: names)
    func checksNames(_ name: Name) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let reply = try await anna.send(.post, "/tracking/items", body: name.json, type: "application/json")
            let stored = try await anna.send(.get, "/tracking/items").object().texts("items", "name")
            if let expected = name.stored {
                #expect(reply.status == 201)
                #expect(stored == [expected])
            } else {
                #expect(reply.status == 422)
                let error = try reply.error()
                #expect(error.text("code") == "invalid")
                #expect(error.keys == ["code", "fields", "message", "requestId"])
                #expect(try error.object("fields").keys == ["name"])
                #expect(stored.isEmpty)
            }
        }
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let type: String?
        let status: Int
        let code: String
        var fields: [String] = []
    }

    @Test(
        "Each kind of broken body gets its own status",
        arguments: [
            Broken(
                testDescription: "broken JSON", body: #"{"name":"#, type: "application/json", status: 400,
                code: "malformed"),
            Broken(testDescription: "empty", body: "", type: "application/json", status: 400, code: "malformed"),
            Broken(
                testDescription: "an array", body: #"["name"]"#, type: "application/json", status: 422,
                code: "invalid"),
            Broken(
                testDescription: "a photo that doesn't exist", body: #"{"name":"Keys","pictureId":"not-an-id"}"#,
                type: "application/json", status: 422, code: "invalid", fields: ["pictureId"]),
            Broken(
                testDescription: "plain text", body: "name=Keys", type: "text/plain", status: 415, code: "malformed"),
            Broken(
                testDescription: "too large", body: #"{"name":"\#(String(repeating: "x", count: 300_000))"}"#,
                type: "application/json", status: 413, code: "too_large"
            ),
        ])
    func brokenBodies(_ broken: Broken) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let reply = try await anna.send(.post, "/tracking/items", body: broken.body, type: broken.type)
            #expect(reply.status == broken.status)
            let error = try reply.error()
            #expect(error.keys == ["code", "fields", "message", "requestId"])
            #expect(error.text("code") == broken.code)
            #expect(try error.object("fields").keys == broken.fields)
            #expect(try await anna.send(.get, "/tracking/items").object().list("items").isEmpty)
        }
    }

    @Test("T-3-5-1: PATCH changes the given fields, keeps the rest, and returns the complete item")
    func patches() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let renamed = try await anna.send(.patch, url, json: ["name": "House keys"])
            #expect(renamed.status == 200)
            #expect(try renamed.object().text("name") == "House keys")
            #expect(try renamed.object().number("version") == 2)
            let tuned = try await anna.send(
                .patch, url, body: #"{"settings":{"locateMinutes":1440,"lostMetres":1e3,"walkMetres":0.0}}"#,
                type: "application/json"
            )
            #expect(try tuned.object().object("settings").number("locateMinutes") == 1440)
            #expect(try tuned.object().object("settings").number("lostMetres") == 1000)
            #expect(try tuned.object().object("settings").number("walkMetres") == 0)
            #expect(try tuned.object().text("name") == "House keys")
            let back = try await anna.send(
                .patch, url, body: #"{"settings":{"lostMetres":null}}"#, type: "application/json"
            )
            #expect(try back.object().object("settings").number("lostMetres") == 5)
            #expect(try back.object().object("settings").number("walkMetres") == 0)
            #expect(try back.object().object("settings").isNull("keepDays"))
            let keeping = try await anna.send(
                .patch, url, body: #"{"settings":{"keepDays":30}}"#, type: "application/json"
            )
            #expect(try keeping.object().object("settings").number("keepDays") == 30)
            let standard = try await anna.send(.patch, url, body: #"{"settings":null}"#, type: "application/json")
            #expect(try standard.object().object("settings").isNull("keepDays"))
            #expect(try standard.object().object("settings").number("walkMetres") == 2000)
        }
    }

    struct Setting: Sendable {
        let json: String
        let field: String
    }

    @Test(
        "A setting out of range or of another type gets an error at its path",
        arguments: [
            Setting(json: #"{"settings":{"lostMetres":0}}"#, field: "settings.lostMetres"),
            Setting(json: #"{"settings":{"lostMetres":100001}}"#, field: "settings.lostMetres"),
            Setting(json: #"{"settings":{"lostMetres":"5"}}"#, field: "settings.lostMetres"),
            Setting(json: #"{"settings":{"lostMetres":1.5}}"#, field: "settings.lostMetres"),
            Setting(json: #"{"settings":{"lostMetres":9223372036854775808}}"#, field: "settings.lostMetres"),
            Setting(json: #"{"settings":{"alertMetres":true}}"#, field: "settings.alertMetres"),
            Setting(json: #"{"settings":{"alertMetres":"5"}}"#, field: "settings.alertMetres"),
            Setting(json: #"{"settings":{"locateMinutes":1441}}"#, field: "settings.locateMinutes"),
            Setting(json: #"{"settings":{"walkMetres":-1}}"#, field: "settings.walkMetres"),
            Setting(json: #"{"settings":{"keepDays":0}}"#, field: "settings.keepDays"),
            Setting(json: #"{"settings":{"keepDays":3651}}"#, field: "settings.keepDays"),
            Setting(json: #"{"settings":{"keepDays":"5"}}"#, field: "settings.keepDays"),
            Setting(json: #"{"name":null}"#, field: "name"),
            Setting(json: #"{"pictureId":"nope"}"#, field: "pictureId"),
        ])
    func wrongSettings(_ setting: Setting) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let reply = try await anna.send(.patch, url, body: setting.json, type: "application/json")
            #expect(reply.status == 422)
            #expect(try reply.error().object("fields").keys == [setting.field])
            #expect(try await anna.send(.get, url).object().number("version") == 1)
        }
    }

    @Test("A stale If-Match gets 409 and changes nothing")
    func movedOn() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let first = try await anna.send(.patch, url, json: ["name": "One"], headers: ["If-Match": "\"1\""])
            #expect(first.status == 200)
            let late = try await anna.send(.patch, url, json: ["name": "Two"], headers: ["If-Match": "\"1\""])
            #expect(late.status == 409)
            #expect(try late.error().text("code") == "conflict")
            #expect(try await anna.send(.get, url).object().text("name") == "One")
        }
    }

    @Test("T-3-6-1: A deletion gets 204, then 404")
    func deletes() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            #expect(try await anna.send(.delete, url).status == 204)
            #expect(try await anna.send(.delete, url).status == 404)
            #expect(try await anna.send(.get, url).status == 404)
            #expect(try await anna.send(.get, "/tracking/items").object().list("items").isEmpty)
        }
    }

    @Test("The same Idempotency-Key makes one item; with another body it is a conflict")
    func replays() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let key = ["Idempotency-Key": "tap-1"]
            let first = try await anna.send(.post, "/tracking/items", json: ["name": "Keys"], headers: key)
            let again = try await anna.send(.post, "/tracking/items", json: ["name": "Keys"], headers: key)
            #expect(first.status == 201)
            #expect(again.status == 201)
            #expect(try first.object().text("id") == again.object().text("id"))
            let other = try await anna.send(.post, "/tracking/items", json: ["name": "Bag"], headers: key)
            #expect(other.status == 409)
            #expect(try await anna.send(.get, "/tracking/items").object().list("items").count == 1)
            let url = "/tracking/items/\(try first.object().text("id") ?? "")"
            let gone = ["Idempotency-Key": "tap-2"]
            #expect(try await anna.send(.delete, url, headers: gone).status == 204)
            #expect(try await anna.send(.delete, url, headers: gone).status == 204)
        }
    }

    @Test("Lists have pages of the requested size, and a size outside 1 to 200 is rejected")
    func pages() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            for number in 1...3 {
                tracking.clock.advance(seconds: 1)
                _ = try await anna.item("Item \(number)")
            }
            let first = try await anna.send(.get, "/tracking/items?limit=2").object()
            #expect(try first.texts("items", "name") == ["Item 1", "Item 2"])
            let cursor = try #require(first.text("next"))
            let second = try await anna.send(.get, "/tracking/items?limit=2&after=\(cursor)").object()
            #expect(try second.texts("items", "name") == ["Item 3"])
            #expect(second.isNull("next"))
            for limit in ["0", "201", "-1", "ten", "1.5"] {
                let reply = try await anna.send(.get, "/tracking/items?limit=\(limit)")
                #expect(reply.status == 422, "\(limit)")
                #expect(try reply.error().object("fields").text("limit") != nil)
            }
            #expect(try await anna.send(.get, "/tracking/items?after=nonsense").status == 422)
        }
    }
}

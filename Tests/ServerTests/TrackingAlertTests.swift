import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing
import Tracking
import WebCore

@testable import TrackingWeb

@Suite("Tracking: alerts and safe places")
struct TrackingAlertTests {
    private static let places = "/tracking/safe-places"

    @Test("Programs read and change how alerts are delivered", arguments: Engine.allCases)
    func mode(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            #expect(try await anna.send(.get, "/tracking/alerts").object().text("mode") == "everyTime")
            let changed = try await anna.send(.patch, "/tracking/alerts", json: ["mode": "whenSure"])
            #expect(changed.status == 200)
            #expect(try changed.object().text("mode") == "whenSure")
            #expect(try await anna.send(.get, "/tracking/alerts").object().text("mode") == "whenSure")
            let wrong = try await anna.send(.patch, "/tracking/alerts", json: ["mode": "never"])
            #expect(wrong.status == 422)
            #expect(try wrong.error().object("fields").keys == ["mode"])
            let null = try await anna.send(.patch, "/tracking/alerts", json: ["mode": NSNull()])
            #expect(null.status == 422)
            #expect(try await anna.send(.patch, "/tracking/alerts", json: [:]).status == 200)
            #expect(try await tracking.signedOut.send(.get, "/tracking/alerts").status == 401)
        }
    }

    @Test("T-4-1-1: Set-up asks once how to deliver alerts, with a recommendation, and returns to the item")
    func choice() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bag")
            #expect(try await !anna.page(url).text.contains("Only when sure"))
            _ = try await anna.source(.osmand, item: url)
            let asking = try await anna.page(url).text
            let best = try #require(asking.range(of: "Only when sure (recommended)"))
            let other = try #require(asking.range(of: "Every time"))
            #expect(best.lowerBound < other.lowerBound)
            #expect(asking.contains("many alerts are false, even with the item in your pocket"))
            #expect(asking.contains("almost never false"))
            #expect(try await anna.send(.get, "/tracking/alerts").object().text("mode") == "everyTime")
            let chosen = try await anna.submit(
                "/tracking/alerts?_method=patch", ["mode": "whenSure", "return": url])
            #expect(chosen.status == 303 && chosen.header("location") == url)
            #expect(try await !anna.page(url).text.contains("Only when sure"))
            #expect(try await anna.send(.get, "/tracking/alerts").object().text("mode") == "whenSure")
            let second = try await anna.item("Keys")
            _ = try await anna.source(.osmand, item: second)
            #expect(try await !anna.page(second).text.contains("When do you want an alert?"))
            let elsewhere = try await anna.submit(
                "/tracking/alerts?_method=patch", ["mode": "everyTime", "return": "//evil.example"])
            #expect(elsewhere.header("location") == "/tracking/alerts")
            let page = try await anna.page("/tracking/alerts").text
            let first = try #require(page.range(of: "value=\"whenSure\""))
            let last = try #require(page.range(of: "value=\"everyTime\""))
            #expect(first.lowerBound < last.lowerBound && page.contains("Recommended"))
        }
    }

    @Test("Programs create, change and delete safe places", arguments: Engine.allCases)
    func safePlaces(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let eve = try await tracking.person("eve@example.org")
            let made = try await anna.send(
                .post, Self.places, json: ["name": " Home ", "latitude": 50.7753, "longitude": 6.0839]
            )
            #expect(made.status == 201)
            let place = try made.object()
            #expect(place.keys == ["id", "latitude", "longitude", "name", "outline", "radiusMetres", "version"])
            #expect(place.text("name") == "Home")
            #expect(place.number("radiusMetres") == 100)
            let path = try #require(made.header("location"))
            #expect(path == "\(Self.places)/\(place.text("id") ?? "")")
            #expect(made.header("etag") == "\"1\"")
            for method in [TrackingMethod.get, .delete] { #expect(try await eve.send(method, path).status == 404) }
            let changed = try await anna.send(
                .patch, path, json: ["radiusMetres": 55, "latitude": 1], headers: ["If-Match": "\"1\""]
            )
            #expect(changed.status == 200)
            #expect(try changed.object().number("radiusMetres") == 55)
            let stale = try await anna.send(.patch, path, json: ["name": "x"], headers: ["If-Match": "\"1\""])
            #expect(stale.status == 409)
            let list = try await anna.send(.get, Self.places).object()
            #expect(try list.texts("items", "name") == ["Home"])
            #expect(list.isNull("next"))
            #expect(try await anna.send(.delete, path).status == 204)
            #expect(try await anna.send(.delete, path).status == 404)
        }
    }

    struct Bad: Sendable {
        let json: String
        let fields: [String]
    }

    @Test(
        "An invalid safe place gets an error for its field",
        arguments: [
            Bad(json: "{}", fields: ["latitude", "longitude", "name"]),
            Bad(json: #"{"name":"","latitude":0,"longitude":0}"#, fields: ["name"]),
            Bad(json: #"{"name":"a","latitude":90.1,"longitude":-180.1}"#, fields: ["latitude", "longitude"]),
            Bad(json: #"{"name":"a","latitude":"5","longitude":0}"#, fields: ["latitude"]),
            Bad(json: #"{"name":"a","latitude":0,"longitude":0,"radiusMetres":9}"#, fields: ["radiusMetres"]),
            Bad(json: #"{"name":"a","latitude":0,"longitude":0,"radiusMetres":10001}"#, fields: ["radiusMetres"]),
            Bad(json: #"{"name":"a","latitude":0,"longitude":0,"radiusMetres":1.5}"#, fields: ["radiusMetres"]),
            Bad(
                json: #"{"name":"a","latitude":0,"longitude":0,"radiusMetres":9223372036854775807}"#,
                fields: ["radiusMetres"]),
        ])
    func bad(_ bad: Bad) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let reply = try await anna.send(.post, Self.places, body: bad.json, type: "application/json")
            #expect(reply.status == 422)
            #expect(try reply.error().object("fields").keys == bad.fields)
        }
    }

    @Test("A browser without scripts chooses how alerts are delivered")
    func modePage() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let page = try await anna.page("/tracking/alerts")
            #expect(page.status == 200)
            #expect(page.text.contains("Only when sure") && !page.text.contains("aria-current=\"true\""))
            #expect(page.text.contains("Choose one. Until then, you get no alerts."))
            let saved = try await anna.submit("/tracking/alerts?_method=patch", ["mode": "whenSure"])
            #expect(saved.status == 303)
            #expect(saved.header("location") == "/tracking/alerts")
            let after = try await anna.page("/tracking/alerts").text
            #expect(after.contains(#/value="whenSure" aria-current="true"/#))
            #expect(!after.contains("Until then, you get no alerts."))
            #expect(try await anna.send(.get, "/tracking/alerts").object().text("mode") == "whenSure")
        }
    }

    @Test("A browser without scripts adds, changes and deletes a safe place")
    func placePages() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            #expect(try await anna.page(Self.places).text.contains("No safe places yet"))
            let bad = try await anna.submit(
                Self.places, ["name": "My Home", "latitude": "95", "longitude": "", "radiusMetres": "5"]
            )
            #expect(bad.status == 422)
            #expect(bad.text.contains("value=\"My Home\""))
            #expect(bad.text.contains("value=\"95\""))
            #expect(bad.text.contains("Choose a place on the map, or enter its degrees."))
            #expect(bad.text.contains("Enter a whole number from 10 to 10000."))
            let added = try await anna.submit(
                Self.places, ["name": "My Home", "latitude": "50.7753", "longitude": "6.0839", "radiusMetres": "80"]
            )
            #expect(added.status == 303)
            let list = try await anna.page(Self.places).text
            #expect(list.contains("My Home"))
            #expect(list.contains("80\u{a0}m around 50.77530, 6.08390"))
            let path = try #require(list.firstMatch(of: #/href="(\/tracking\/safe-places\/[0-9a-f-]{36})"/#)).output.1
            let form = try await anna.page(String(path)).text
            #expect(form.contains("value=\"80\""))
            let changed = try await anna.submit(
                "\(path)?_method=patch",
                ["name": "Home", "latitude": "50.7753", "longitude": "6.0839", "radiusMetres": "90", "version": "1"]
            )
            #expect(changed.status == 303)
            let stale = try await anna.submit(
                "\(path)?_method=patch",
                ["name": "Flat", "latitude": "50.7753", "longitude": "6.0839", "radiusMetres": "70", "version": "1"]
            )
            #expect(stale.status == 409)
            #expect(stale.text.contains("value=\"Flat\""))
            #expect(stale.text.contains("name=\"version\" value=\"2\""))
            #expect(try await anna.submit("\(path)?_method=delete", [:]).status == 303)
            #expect(try await anna.page(String(path)).status == 404)
            #expect(try await anna.page(Self.places).text.contains("No safe places yet"))
            #expect(try await anna.send(.get, Self.places).object().list("items").isEmpty)
        }
    }

    @Test("A new safe place starts at the item's last position, or at the phone's")
    func origins() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: item)
            let empty = try await anna.page("\(Self.places)/new").text
            #expect(!empty.contains("Take the place from"))
            _ = try await anna.device(.get, "\(source)&lat=50.5&lon=6.25")
            _ = try await anna.send(.put, "/tracking/position", json: ["latitude": 51.5, "longitude": 7.25])
            let offered = try await anna.page("\(Self.places)/new").text
            #expect(offered.contains("My phone") && offered.contains("Bike"))
            let atBike = try await anna.page("\(Self.places)/new?item=\(item.suffix(36))").text
            #expect(atBike.contains("value=\"50.5\"") && atBike.contains("value=\"6.25\""))
            let atPhone = try await anna.page("\(Self.places)/new?phone=1").text
            #expect(atPhone.contains("value=\"51.5\"") && atPhone.contains("value=\"7.25\""))
            #expect(try await anna.page(item).text.contains("\(Self.places)/new?item=\(item.suffix(36))"))
            #expect(atBike.contains("name=\"radiusMetres\" value=\"100\""))
            let saved = try await anna.submit(
                Self.places, ["name": "Home", "latitude": "50.5", "longitude": "6.25", "radiusMetres": "100"])
            #expect(saved.status == 303)
            let place = try #require(try await anna.send(.get, Self.places).object().list("items").first)
            #expect(place.decimal("latitude") == 50.5 && place.number("radiusMetres") == 100)
            #expect(try await anna.page(Self.places).text.contains("100\u{a0}m around 50.50000, 6.25000"))
        }
    }

    @Test("The details show since when an item is too far away", arguments: Engine.allCases)
    func tooFarSince(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: item)
            _ = try await anna.send(.put, "/tracking/position", json: ["latitude": 50, "longitude": 6])
            _ = try await anna.device(.get, "\(source)&lat=50&lon=6")
            #expect(try await !anna.page(item).text.contains("Too far since"))
            tracking.clock.advance(seconds: 60)
            _ = try await anna.device(.get, "\(source)&lat=50.1&lon=6")
            #expect(try await anna.page(item).text.contains("Too far since"))
            let since = try await anna.send(.get, item).object().text("tooFarSince")
            #expect(since == tracking.clock.now.rfc3339)
        }
    }
}

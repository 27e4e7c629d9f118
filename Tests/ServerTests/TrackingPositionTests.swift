import Foundation
import HTTPTypes
import TestSupport
import Testing
import Tracking

/// The phone's position, distances, lost items and navigation.
@Suite("Tracking: positions as JSON")
struct TrackingPositionTests {
    @Test("T-3-1-4: An item more than 5 m from the phone is lost, with its distance")
    func lost() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            #expect(
                try await anna.send(.put, "/tracking/position", json: ["latitude": 0, "longitude": 9]).status == 204)
            // A thousandth of a degree of latitude is 111.2 m.
            let places: [(latitude: String, isLost: Bool)] = [("0.001", true), ("0.00004", false), ("0.00005", true)]
            for place in places {
                tracking.clock.advance(seconds: 60)
                let fix = "\(source)&lat=\(place.latitude)&lon=9&timestamp=\(tracking.seconds)"
                #expect(try await tracking.signedOut.device(.get, fix).status == 200)
                let item = try await anna.send(.get, url).object()
                #expect(item.flag("lost") == place.isLost, "\(place.latitude)")
                #expect(item.decimal("distance") != nil)
            }
        }
    }

    @Test("T-3-1-4: Without a phone's position no item is lost and the distance is unknown")
    func unknown() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            let fix = "\(source)&lat=50&lon=6&timestamp=\(tracking.seconds)"
            #expect(try await tracking.signedOut.device(.get, fix).status == 200)
            let item = try await anna.send(.get, url).object()
            #expect(item.flag("lost") == false)
            #expect(item.isNull("distance"))
            let page = try await anna.page(url)
            #expect(page.text.contains("Distance unknown"))
            let list = try await anna.page("/tracking/items").text
            #expect(list.contains("Distance unknown") && list.contains("Phone app"))
            #expect(!list.contains(">Lost</span>") && !list.contains("card is-lost"))
        }
    }

    @Test("T-3-1-4, T-3-3-1: A late fix joins the history without moving the item")
    func late() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bag")
            let source = try await anna.source(.osmand, item: url)
            _ = try await anna.send(.put, "/tracking/position", json: ["latitude": 50, "longitude": 6])
            let sent: [(latitude: String, age: Int64)] = [("50.00002", 0), ("50.00036", 300)]
            for fix in sent {
                let report = "\(source)&lat=\(fix.latitude)&lon=6&timestamp=\(tracking.seconds - fix.age)"
                #expect(try await tracking.signedOut.device(.get, report).status == 200)
            }
            let item = try await anna.send(.get, url).object()
            #expect(item.flag("lost") == false)
            let latitude = try #require(try item.object("lastFix").decimal("latitude"))
            #expect(abs(latitude - 50.00002) < 1e-6)
            let fixes = try await anna.send(.get, url + "/fixes").object().list("items")
            let latitudes = fixes.compactMap { $0.decimal("latitude") }
            #expect(latitudes.count == 2)
            #expect(zip(latitudes, [50.00002, 50.00036]).allSatisfy { abs($0 - $1) < 1e-6 })
            #expect(try await anna.page(url).text.components(separatedBy: "data-fix-id=\"").count == 3)
            let list = try await anna.page("/tracking/items").text
            #expect(list.contains(">Bag</a>") && !list.contains(">Lost</span>"))
        }
    }

    struct Bad: Sendable {
        let json: String
        let status: Int
        let field: String?
    }

    @Test(
        "An impossible position is rejected, naming the invalid number",
        arguments: [
            Bad(json: #"{"latitude":91,"longitude":0}"#, status: 422, field: "latitude"),
            Bad(json: #"{"latitude":0,"longitude":-180.5}"#, status: 422, field: "longitude"),
            Bad(json: #"{"latitude":"50","longitude":0}"#, status: 422, field: "latitude"),
            Bad(json: #"{"longitude":0}"#, status: 422, field: "latitude"),
            Bad(json: #"{"latitude":NaN,"longitude":0}"#, status: 400, field: nil),
            Bad(json: #"{"latitude":"NaN","longitude":6}"#, status: 422, field: "latitude"),
            Bad(json: #"{"latitude":1e400,"longitude":0}"#, status: 422, field: "latitude"),
            Bad(json: #"{"latitude":0,"longitude":0}"#, status: 422, field: "latitude"),
            Bad(json: #"{"latitude":0,"longitude":1,"accuracy":-1}"#, status: 422, field: "accuracy"),
            Bad(json: #"{"latitude":0,"longitude":1,"at":"yesterday"}"#, status: 422, field: "at"),
            Bad(json: #"{"latitude":0,"longitude":1,"at":"1970-01-01T00:00:00Z"}"#, status: 422, field: "at"),
            Bad(json: #"{"latitude":0,"longitude":1,"at":"2036-01-01T00:00:00Z"}"#, status: 422, field: "at"),
        ])
    func badPositions(_ bad: Bad) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let reply = try await anna.send(.put, "/tracking/position", body: bad.json, type: "application/json")
            #expect(reply.status == bad.status)
            if let field = bad.field { #expect(try reply.error().object("fields").text(field) != nil) }
        }
    }

    @Test("T-3-4-1, T-3-4-2: Navigation walks when near and uses transit when far, in the chosen app")
    func navigation() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            #expect(try await anna.send(.get, url + "/navigation").status == 409)
            let fix = "\(source)&lat=50.5&lon=6.25&timestamp=\(tracking.seconds)"
            #expect(try await tracking.signedOut.device(.get, fix).status == 200)
            let apple = try await anna.send(.get, url + "/navigation").object()
            #expect(apple.text("url") == "https://maps.apple.com/?daddr=50.5,6.25&dirflg=w")
            #expect(apple.text("mode") == "walking")
            let place = "https://www.google.com/maps/dir/?api=1&destination=50.5,6.25"
            let onFoot = try await anna.send(.get, url + "/navigation?to=google").object()
            #expect(onFoot.text("url") == "\(place)&travelmode=walking&dir_action=navigate")
            #expect(try await anna.send(.get, url + "/navigation?to=bing").status == 422)
            _ = try await anna.send(.put, "/tracking/position", json: ["latitude": 50.0, "longitude": 6.0])
            let google = try await anna.send(.get, url + "/navigation?to=google").object()
            #expect(google.text("mode") == "transit")
            #expect(google.text("url") == "\(place)&travelmode=transit&dir_action=navigate")
            let far = try await anna.send(.get, url + "/navigation?to=apple").object()
            #expect(far.text("url") == "https://maps.apple.com/?daddr=50.5,6.25&dirflg=r")
        }
    }

    @Test("T-3-4-2: A browser asks for the maps app once, and then opens it directly")
    func choosesOnce() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            _ = try await tracking.signedOut.device(.get, "\(source)&lat=50.5&lon=6.25&timestamp=\(tracking.seconds)")
            let asked = try await anna.page(url + "/navigation")
            #expect(asked.status == 200)
            #expect(asked.text.contains("Apple Maps"))
            #expect(asked.text.contains("Google Maps"))
            #expect(try await anna.page(url).text.contains("data-sheet=\"maps\""))
            let chosen = try await anna.submit(url + "/navigation", ["to": "google"])
            #expect(chosen.status == 303)
            #expect(chosen.header("location")?.hasPrefix("https://www.google.com/maps/dir/") == true)
            let straight = try await anna.page(url + "/navigation")
            #expect(straight.status == 303)
            #expect(straight.header("location")?.hasPrefix("https://www.google.com/maps/dir/") == true)
            #expect(try await !anna.page(url).text.contains("data-sheet=\"maps\""))
            #expect(try await anna.send(.get, "/account").object().text("mapsApp") == "google")
        }
    }

    @Test("T-3-4-2: The maps app can be changed in the settings")
    func changesApp() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: url)
            _ = try await tracking.signedOut.device(.get, "\(source)&lat=50.5&lon=6.25&timestamp=\(tracking.seconds)")
            #expect(try await anna.send(.patch, "/account", json: ["mapsApp": "apple"]).status == 200)
            let settings = try await anna.page("/account").text
            #expect(settings.contains("href=\"/account/choices/maps\""))
            #expect(settings.contains(">Apple Maps</span></a>"))
            let choices = try await anna.page("/account/choices/maps").text
            #expect(choices.contains("name=\"mapsApp\" value=\"apple\" aria-current=\"true\">"))
            #expect(choices.contains("name=\"mapsApp\" value=\"google\">"))
            let chosen = try await anna.submit("/account?_method=patch", ["mapsApp": "google"])
            #expect(chosen.status == 303)
            #expect(chosen.header("location") == "/account")
            #expect(try await anna.page("/account").text.contains(">Google Maps</span></a>"))
            let way = try await anna.send(.get, url + "/navigation").object()
            #expect(way.text("url")?.hasPrefix("https://www.google.com/maps") == true)
        }
    }
}

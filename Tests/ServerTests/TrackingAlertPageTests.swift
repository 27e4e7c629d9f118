import Foundation
import HTTPTypes
import TestSupport
import Testing
import Tracking

/// Conditions of alerts, separated items in the list, and the pages that explain an alert.
@Suite("Tracking: alerts and their pages")
struct TrackingAlertPageTests {
    @Test("T-4-1-1: Leaving an item sends one alert, unless the item is in a safe place", arguments: Engine.allCases)
    func leaving(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            try await anna.chooseAlerts(.everyTime)
            let keys = try await TrackedItem("Keys", of: anna)
            let bag = try await TrackedItem("Bag", of: anna)
            try await keys.move(0)
            let last = tracking.seconds
            try await bag.move(1_000)
            _ = try await anna.safePlace("Work", at: 1_000, radiusMetres: 50)
            try await anna.walk(to: 8)
            #expect(try await keys.notices().isEmpty)
            #expect(try await bag.notices().isEmpty)
            try await anna.walk(to: 300)
            #expect(try await keys.notices() == ["itemTooFar"])
            #expect(try await bag.notices().isEmpty, "it is where it may be")
            try await bag.move(1_100)
            #expect(try await bag.notices() == ["itemTooFar"], "it left the safe place without its owner")
            try await keys.report(5_000, at: last - 60)
            #expect(try await keys.notices() == ["itemTooFar"], "a late position sends no alert about the past")
        }
    }

    @Test(
        "T-4-1-1: An alert comes beyond ten metres, or beyond the item's own distance", arguments: Engine.allCases)
    func distances(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            try await anna.chooseAlerts(.everyTime)
            try await anna.walk(to: 0)
            let keys = try await TrackedItem("Keys", of: anna)
            #expect(try await anna.send(.get, keys.path).object().object("settings").number("alertMetres") == 10)
            try await keys.move(9.9)
            #expect(try await keys.notices().isEmpty)
            try await keys.move(10.1)
            #expect(try await keys.notices() == ["itemTooFar"])
            let bag = try await TrackedItem("Bag", of: anna)
            let settings: [String: any Sendable] = ["alertMetres": 50]
            #expect(try await anna.send(.patch, bag.path, json: ["settings": settings]).status == 200)
            try await bag.move(49.9)
            #expect(try await bag.notices().isEmpty)
            try await bag.move(50.1)
            #expect(try await bag.notices() == ["itemTooFar"])
        }
    }

    @Test("T-4-1-1: No alert comes before the person has chosen when to get one")
    func unanswered() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let keys = try await TrackedItem("Keys", of: anna)
            try await anna.walk(to: 0)
            try await keys.move(0, 300)
            #expect(try await keys.notices().isEmpty)
            #expect(try await anna.page("/tracking/items").text.contains("You get none until you choose."))
            let chosen = try await anna.submit(
                "/tracking/alerts?_method=patch", ["mode": "everyTime", "return": "/tracking/items"])
            #expect(chosen.status == 303 && chosen.header("location") == "/tracking/items")
            #expect(try await !anna.page("/tracking/items").text.contains("When do you want an alert?"))
            try await keys.move(310)
            #expect(try await keys.notices() == ["itemTooFar"])
        }
    }

    @Test("T-4-1-1: The first alerts offer to get them only when sure, with one tap")
    func offer() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            try await anna.chooseAlerts(.everyTime)
            try await anna.walk(to: 0)
            let keys = try await TrackedItem("Keys", of: anna)
            try await keys.move(0)
            let offer = "False alarm? Get alerts only when sure"
            for path in ["/notifications", keys.path] {
                #expect(try await !anna.page(path).text.contains(offer), "\(path)")
            }
            try await keys.move(111)
            for path in ["/notifications", keys.path] {
                let page = try await anna.page(path).text
                #expect(page.contains(offer), "\(path)")
                #expect(page.contains("name=\"return\" value=\"\(path)\""), "\(path)")
                #expect(page.contains("name=\"mode\" value=\"whenSure\">Only when sure</button>"), "\(path)")
                #expect(try await anna.fragment(path).text.contains(offer), "\(path)")
            }
            let chosen = try await anna.submit(
                "/tracking/alerts?_method=patch", ["mode": "whenSure", "return": "/notifications"])
            #expect(chosen.status == 303 && chosen.header("location") == "/notifications")
            #expect(try chosen.toast() == "Saved")
            #expect(try await !anna.page("/notifications").text.contains(offer))
            let mode = try await anna.send(.get, "/tracking/alerts").object()
            #expect(mode.keys == ["mode"] && mode.text("mode") == "whenSure")
        }
    }

    /// The words on the cards of the list, by the names of the items.
    private func words(_ anna: TrackingTestClient, _ names: String...) async throws -> [String: String] {
        let cards = try await anna.page("/tracking/items").text.components(separatedBy: "<li class=\"card").dropFirst()
        var words: [String: String] = [:]
        for card in cards {
            guard let name = names.first(where: { card.contains(">\($0)</a>") }) else { continue }
            words[name] = card.firstMatch(of: #/<span class="badge [^"]*">([^<]*)</#).map { String($0.output.1) }
        }
        return words
    }

    @Test("T-3-1-4: The list distinguishes items that are near, apart and lost")
    func presence() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            try await anna.chooseAlerts(.everyTime)
            try await anna.walk(to: 0)
            let places: KeyValuePairs<String, Double> = ["Keys": 2, "Bag": 40, "Bike": 300]
            for (name, metres) in places { try await TrackedItem(name, of: anna).move(metres) }
            // The alert about the bike was sent before.
            _ = try await anna.safePlace("Work", at: 300)
            #expect(
                try await words(anna, "Keys", "Bag", "Bike") == ["Keys": "Near", "Bag": "Lost", "Bike": "Apart"])
            try await TrackedItem("Lamp", of: anna).move(310)
            #expect(try await words(anna, "Lamp") == ["Lamp": "Apart"])
            let list = try await anna.page("/tracking/items").text
            #expect(list.components(separatedBy: "class=\"card is-lost").count == 2)
        }
    }

    @Test("T-6-4-2: An item that is silent for the hours of its form is reported once")
    func silence() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let bike = try await TrackedItem("Bike", of: anna)
            let bag = try await TrackedItem("Bag", of: anna)
            let version = try #require(try await anna.send(.get, bike.path).object().number("version"))
            let saved = try await anna.submit(
                bike.path + "?_method=patch",
                [
                    "name": "Bike", "pictureId": "", "settings.locateMinutes": "30", "settings.lostMetres": "",
                    "settings.alertMetres": "50", "settings.walkMetres": "0", "settings.silentHours": "2",
                    "version": "\(version)",
                ])
            #expect(saved.status == 303)
            try await bike.move(0)
            try await bag.move(0)
            tracking.clock.advance(seconds: 2 * 3_600 + 120)
            for _ in 1...2 { try await tracking.tracking.housekeeping.run() }
            #expect(try await bike.notices() == ["itemSilent"])
            #expect(try await bag.notices().isEmpty)
            #expect(try await anna.page("/notifications").text.contains("Bike has not reported for 2 hours"))
        }
    }

    @Test("T-6-5-1: The pages of battery, parking and geofence alerts say why each of them came")
    func reasons() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let home = try await anna.safePlace("Home", at: 0)
            let keys = try await TrackedItem("Keys", of: anna)
            try await keys.move(0, fields: "accuracy=7&batt=12")
            let rule = try await anna.send(
                .post, keys.path + "/geofences", json: ["placeId": home, "kind": "leave"])
            #expect(rule.status == 201, "\(rule.text)")
            #expect(try await anna.send(.put, keys.path + "/parking").status == 200)
            try await keys.move(400, 420, fields: "accuracy=7")
            let details = try await anna.page(keys.path).text
            let links = details.matches(of: #/href="(\/tracking\/alerts\/[0-9a-f-]{36})"/#).map { String($0.output.1) }
            #expect(links.count == 3)
            var pages: [String] = []
            for link in links { pages.append(try await anna.page(link).text) }
            let expected: KeyValuePairs = [
                "The battery of Keys was low": [
                    "The tracker reported 12\u{a0}%.",
                    "The next alert comes only after the battery was at 35\u{a0}% or more.",
                ],
                "Keys moved while it was parked": [
                    "It was 420\u{a0}m from the place where it was parked.", "were farther than 25\u{a0}m away",
                ],
                "Keys left Home": [
                    "Its position was 320\u{a0}m outside the place’s border.", "The rule has no waiting time.",
                ],
            ]
            for (title, reasons) in expected {
                #expect(details.contains("row-title\">\(title)</span>"), "\(title)")
                let page = pages.first { $0.contains("<h2 class=\"group-title\">\(title)</h2>") } ?? ""
                for reason in reasons { #expect(page.contains(reason), "\(title)") }
            }
        }
    }

    @Test("T-6-6-3: The list beside the map has the items with a position, and names those without one")
    func mapList() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let bag = try await TrackedItem("Bag", of: anna)
            try await bag.move(100)
            _ = try await anna.item("Umbrella")
            _ = try await anna.safePlace("Home", at: 0, radiusMetres: 50)
            let map = try await anna.page("/tracking/map").text
            #expect(map.components(separatedBy: "data-map-row=\"").count == 2)
            #expect(map.contains("<a class=\"row\" href=\"\(bag.path)\" data-map-row="))
            #expect(map.contains("row-title\">Bag</span>"))
            #expect(map.contains(#/row-note">100.m.north of Home<\/span>/#))
            #expect(map.contains("Without a position: Umbrella"))
        }
    }

    @Test("The map without items says when they appear")
    func emptyMap() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let map = try await anna.page("/tracking/map")
            #expect(map.status == 200)
            #expect(map.text.contains("Items appear on the map as soon as their trackers report a position."))
        }
    }
}

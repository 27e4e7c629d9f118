import Foundation
import HTTPTypes
import TestSupport
import Testing
import Tracking

/// What would have come last month, in the form of an item.
@Suite("Tracking: alerts of last month on an item's page")
struct TrackingReplayPageTests {
    @Test(
        "T-6-5-2: The settings of an item list what would have come, keep what was entered, and store nothing",
        arguments: Engine.allCases)
    func settings(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let eve = try await tracking.person("eve@example.org")
            let bike = try await TrackedItem("Bike", of: anna)
            // A gap of 30 hours, and a low battery.
            let walk: [(secondsAgo: Int64, metres: Double)] = [
                (115_000, 500), (7_200, 500), (7_140, 500), (7_000, 20), (6_940, 20), (6_880, 20), (3_600, 500),
                (3_540, 500),
            ]
            for one in walk {
                try await bike.report(one.metres, at: tracking.seconds - one.secondsAgo, "accuracy=5&batt=15")
            }
            let replay = bike.path + "/replay"
            let hours: [String: any Sendable] = ["silentHours": 2]
            #expect(try await eve.send(.post, replay, json: ["settings": hours]).status == 404)
            let edit = try await anna.page(bike.path + "/edit").text
            #expect(edit.contains("formaction=\"\(replay)\">Which alerts would have come last month?</button>"))

            let form: KeyValuePairs = ["name": "Bike", "settings.silentHours": "24"]
            let found = try await anna.submit(replay, form)
            #expect(found.status == 200)
            #expect(found.text.contains("id=\"replay\""))
            for title in ["Bike didn’t report", "The battery of Bike was low"] {
                #expect(found.text.components(separatedBy: "row-title\">\(title)</span>").count == 2, "\(title)")
            }
            #expect(found.text.contains("name=\"settings.silentHours\" value=\"24\""))
            #expect(try await anna.send(.get, bike.path).object().object("settings").isNull("silentHours"))
            let saved = try await anna.submit(bike.path + "?_method=patch", form)
            #expect(saved.status == 303 && saved.header("location") == bike.path)
            let settings = try await anna.send(.get, bike.path).object().object("settings")
            #expect(settings.number("silentHours") == 24)
        }
    }

    @Test("T-6-5-3: Separations are listed with another distance, mode and place, and nothing is stored")
    func separations() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let ben = try await tracking.person("ben@example.org")
            let bike = try await TrackedItem("Bike", of: anna)
            let made = try await anna.send(.post, bike.path + "/invitations", json: ["access": "see"])
            let code = try #require(try made.object().text("url")?.split(separator: "/").last)
            let joined = try await ben.send(.post, "/tracking/invitations", json: ["code": String(code)])
            #expect(joined.status == 201, "\(joined.text)")
            // Both phones leave the item behind by 60 m.
            for metres in [0.0, 60, 60] {
                try await bike.move(0)
                for person in [anna, ben] { try await person.walk(to: metres) }
            }
            let title = "row-title\">Bike was too far from your phone</span>"
            func replay(
                _ person: TrackingTestClient, _ path: String, _ form: KeyValuePairs<String, String>
            ) async throws -> (count: Int, text: String) {
                let reply = try await person.submit(path, form)
                #expect(reply.status == 200, "\(path)")
                return (reply.text.components(separatedBy: title).count - 1, reply.text)
            }
            let none = "No alerts would have come."

            let edit = bike.path + "/replay"
            let near = try await replay(anna, edit, ["name": "Bike", "settings.alertMetres": "10"])
            #expect(near.count == 1 && near.text.contains("but not where your phone was"))
            let far = try await replay(anna, edit, ["name": "Bike", "settings.alertMetres": "100"])
            #expect(far.count == 0 && far.text.contains(none))
            #expect(far.text.contains("name=\"settings.alertMetres\" value=\"100\""))
            #expect(try await anna.send(.get, bike.path).object().object("settings").number("alertMetres") == 10)

            // Only when sure, none would have come.
            let modes = try await replay(anna, "/tracking/alerts/replay", [:])
            #expect(modes.count == 1 && modes.text.contains(none))
            let place: KeyValuePairs = ["name": "Home", "latitude": "50", "longitude": "6", "radiusMetres": "100"]
            let safe = try await replay(anna, "/tracking/safe-places/replay", place)
            #expect(safe.count == 0 && safe.text.contains(none))
            #expect(try await anna.send(.get, "/tracking/safe-places").object().list("items").isEmpty)

            let own = bike.path + "/membership/replay"
            #expect(try await replay(ben, own, ["name": "", "alertMetres": "50"]).count == 1)
            let other = try await replay(ben, own, ["name": "", "alertMetres": "70"])
            #expect(other.count == 0 && other.text.contains(none))
        }
    }
}

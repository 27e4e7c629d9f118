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
}

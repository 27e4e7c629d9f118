import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The pages of an item's rules about safe places.
@Suite("Tracking: pages of rules about places")
struct TrackingGeofencePageTests {
    private typealias Form = KeyValuePairs<String, String>

    @Test("T-6-3-1: A rule is listed, checked with all its fields at once, changed and deleted")
    func form() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let eve = try await tracking.person("eve@example.org")
            let rules = try await anna.item("Bike") + "/geofences"
            let bare = try await anna.page(rules).text
            #expect(bare.contains("No rules yet") && bare.contains("A rule needs a safe place. Add one first."))
            #expect(bare.contains(">Add a safe place</a>") && !bare.contains(">Add a rule</a>"))
            let place = try await anna.safePlace("Home", at: 0)
            #expect(try await anna.page(rules).text.contains(">Add a rule</a>"))
            let added = try await anna.send(
                .post, rules, json: ["placeId": place, "kind": "arrive", "dwellMinutes": 5])
            #expect(added.status == 201, "\(added.text)")
            let rule = "\(rules)/\(try #require(try added.object().text("id")))"
            let other: [String: any Sendable] = ["placeId": place, "kind": "leave"]
            #expect(try await eve.send(.get, rules).status == 404)
            #expect(try await eve.send(.put, rule, json: other).status == 404)
            #expect(try await eve.send(.delete, rule).status == 404)
            let shown = try await anna.page(rule).text
            #expect(shown.contains("role=\"switch\" name=\"days\" value=\"SU\" checked>"))
            #expect(shown.contains("data-confirm=\"Delete this rule?\""))

            let wrong: Form = [
                "placeId": place, "kind": "arrive", "dwellMinutes": "241", "from": "08:00", "until": "", "by": "",
                "timeZone": "Europe/Berlin", "version": "1",
            ]
            let refused = try await anna.submit(rule + "?_method=put", wrong)
            #expect(refused.status == 422)
            for message in [
                "Enter a whole number from 0 to 240.", "Choose at least one day.",
                "Enter the start and the end of the hours, or neither.",
            ] {
                #expect(refused.text.contains(message), "\(message)")
            }
            #expect(refused.text.contains("value=\"241\"") && refused.text.contains("value=\"08:00\""))
            #expect(refused.text.contains("aria-invalid=\"true\""))
            let right: Form = [
                "placeId": place, "kind": "arrive", "dwellMinutes": "10", "days": "MO", "from": "08:00",
                "until": "18:00", "by": "", "timeZone": "Europe/Berlin", "version": "1",
            ]
            let changed = try await anna.submit(rule + "?_method=put", right)
            #expect(changed.status == 303 && changed.header("location") == rules)
            let list = try await anna.page(rules).text
            #expect(list.contains("href=\"\(rule)\""))
            #expect(list.contains("row-title\">Arrives at Home</span>"))
            #expect(list.contains("row-note\">Mon · 08:00–18:00 · after 10\u{a0}min</span>"))
            let deleted = try await anna.submit(rule + "?_method=delete", [:])
            #expect(deleted.status == 303 && deleted.header("location") == rules)
            #expect(try await anna.page(rules).text.contains("No rules yet"))
            #expect(try await anna.send(.get, rules).object().list("items").isEmpty)
        }
    }

    @Test("T-6-3-1: A form without scripts asks for the time zone, and the next rule has the same one")
    func timeZone() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let rules = try await anna.item("Bike") + "/geofences"
            let place = try await anna.safePlace("Home", at: 0)
            let fields: [(key: String, value: String)] = [
                ("placeId", place), ("dwellMinutes", "0"), ("from", ""), ("until", ""), ("by", ""), ("days", "MO"),
                ("days", "TU"), ("days", "WE"), ("days", "TH"), ("days", "FR"), ("days", "SA"), ("days", "SU"),
            ]
            func submit(_ kind: String, zone: String) async throws -> Reply {
                var form = fields
                form.append((key: "kind", value: kind))
                form.append((key: "timeZone", value: zone))
                return try await anna.submit(rules, pairs: form)
            }
            let refused = try await submit("arrive", zone: "")
            #expect(refused.status == 422)
            #expect(refused.text.contains("aria-describedby=\"timeZone-error\" aria-invalid=\"true\""))
            #expect(try await anna.send(.get, rules).object().list("items").isEmpty)
            #expect(try await submit("arrive", zone: "Europe/Berlin").status == 303)
            let next = try await anna.page(rules + "/new").text
            #expect(next.contains("<option value=\"Europe/Berlin\" selected>"))
            #expect(try await submit("leave", zone: "Europe/Berlin").status == 303)
            let list = try await anna.page(rules).text
            #expect(list.contains("Arrives at Home") && list.contains("Leaves Home"))
            #expect(list.contains("row-note\">Every day</span>"))
        }
    }

    @Test("T-6-3-1: The rules of a deleted place are deleted and report nothing", arguments: Engine.allCases)
    func deletedPlace(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let place = try await anna.safePlace("Home", at: 0)
            let bike = try await TrackedItem("Bike", of: anna)
            try await bike.move(500, 500)
            let rules = bike.path + "/geofences"
            let added = try await anna.send(.post, rules, json: ["placeId": place, "kind": "arrive"])
            #expect(added.status == 201, "\(added.text)")
            #expect(try await anna.send(.delete, "/tracking/safe-places/\(place)").status == 204)
            #expect(try await anna.send(.get, rules).object().list("items").isEmpty)
            try await bike.move(10, 10, 10)
            #expect(try await bike.notices().isEmpty)
        }
    }

    @Test("T-6-5-2: The form of a rule lists what would have come, keeps what was entered, and stores nothing")
    func replay() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let place = try await anna.safePlace("Home", at: 0)
            let bike = try await TrackedItem("Bike", of: anna)
            let walk: [(secondsAgo: Int64, metres: Double)] = [
                (115_000, 500), (7_200, 500), (7_140, 500), (7_000, 20), (6_940, 20), (6_880, 20), (3_600, 500),
                (3_540, 500),
            ]
            for one in walk { try await bike.report(one.metres, at: tracking.seconds - one.secondsAgo) }
            let rules = bike.path + "/geofences"
            let form = try await anna.page(rules + "/new").text
            #expect(form.contains("formaction=\"\(rules)/replay\">Which alerts would have come last month?</button>"))
            func submit(_ path: String, wait: String) async throws -> Reply {
                try await anna.submit(
                    path,
                    [
                        "placeId": place, "kind": "arrive", "dwellMinutes": wait, "from": "", "until": "", "by": "",
                        "timeZone": "Europe/Berlin", "days": "MO", "days": "TU", "days": "WE", "days": "TH",
                        "days": "FR", "days": "SA", "days": "SU",
                    ])
            }
            let found = try await submit(rules + "/replay", wait: "1")
            #expect(found.status == 200)
            #expect(found.text.components(separatedBy: "Bike arrived at Home").count == 2)
            #expect(found.text.contains("From 8 positions of the last 30 days."))
            let none = try await submit(rules + "/replay", wait: "30")
            #expect(none.text.contains("No alerts would have come."))
            #expect(none.text.contains("name=\"dwellMinutes\" value=\"30\""))
            let refused = try await submit(rules + "/replay", wait: "241")
            #expect(refused.status == 422)
            #expect(refused.text.contains("Enter a whole number from 0 to 240."))
            #expect(!refused.text.contains("id=\"replay\""))
            #expect(try await anna.send(.get, rules).object().list("items").isEmpty)
            #expect(try await submit(rules, wait: "1").status == 303)
            #expect(try await anna.page(rules).text.contains("Arrives at Home"))
        }
    }
}

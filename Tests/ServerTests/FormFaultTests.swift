import Foundation
import HTTPTypes
import Kernel
import Pictures
import TestSupport
import Testing

/// Every form with several fields marks all of its invalid fields at the first try.
@Suite("Several invalid fields at once")
struct FormFaultTests {
    /// A request whose fields are all wrong.
    struct Fault: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        /// With `{child}`, `{chore}`, `{reward}`, `{item}`, `{place}`, `{rule}` and `{package}` for ids of existing
        /// resources.
        let path: String
        let json: [String: any Sendable]
        /// The fields that the error names, by their JSON path.
        let named: Set<String>
        /// The same request as a form.
        let form: KeyValuePairs<String, String>
        /// The controls that the page marks.
        let marked: Set<String>
        var testDescription: String { "\(method) \(path)" }
    }

    private static let tooLong = String(repeating: "a", count: Limits.nameCharacters + 1)
    private static let longText = String(repeating: "a", count: Limits.descriptionCharacters + 1)
    private static let reward: [String: any Sendable] = [
        "name": tooLong + longText, "pictureId": 1, "price": 0, "stock": -1, "childIds": [String](), "cooldownDays": 0,
    ]
    private static let rewardFields: Set<String> = ["name", "pictureId", "price", "stock", "childIds", "cooldownDays"]
    private static let rewardForm: KeyValuePairs = ["name": "", "price": "many", "stock": "-1", "cooldownDays": "0"]
    private static let person: [String: any Sendable] = ["name": tooLong, "dateOfBirth": "2999-01-01"]
    private static let place: [String: any Sendable] = [
        "name": "", "latitude": 91, "longitude": 181, "radiusMetres": 1,
    ]
    private static let placeFields: Set<String> = ["name", "latitude", "longitude", "radiusMetres"]

    private static let rule: [String: any Sendable] = ["dwellMinutes": 241, "from": "x", "timeZone": "Moon"]
    private static let ruleFields: Set<String> = ["placeId", "kind", "dwellMinutes", "from", "timeZone"]
    private static let ruleForm: KeyValuePairs = ["dwellMinutes": "241", "from": "x", "timeZone": "Moon"]

    static let faults: [Fault] = [
        Fault(
            method: .patch, path: "/account", json: person.merging(["phone": "x"]) { $1 },
            named: ["name", "dateOfBirth", "phone"],
            form: ["name": tooLong, "dateOfBirth": "2999-01-01", "phone": "x"],
            marked: ["name", "dateOfBirth", "phone"]
        ),
        Fault(
            method: .patch, path: "/family/account", json: person,
            named: ["name", "dateOfBirth"], form: ["name": tooLong, "dateOfBirth": ""],
            marked: ["name", "dateOfBirth"]
        ),
        Fault(
            method: .post, path: "/family/children", json: person, named: ["name", "dateOfBirth"],
            form: ["name": "", "dateOfBirth": "2999-01-01"], marked: ["name", "dateOfBirth"]
        ),
        Fault(
            method: .post, path: "/family/setup",
            json: person.merging(["chores": [String](), "reward": "", "points": 0, "timeZone": "x"]) { $1 },
            named: ["name", "dateOfBirth", "chores", "reward", "points", "timeZone"],
            form: [
                "name": "", "dateOfBirth": "2999-01-01", "age": "5", "hasReward": "on", "reward": "", "points": "x",
                "timeZone": "x",
            ], marked: ["name", "dateOfBirth", "reward", "points"]
        ),
        Fault(
            method: .patch, path: "/family/children/{child}", json: person.merging(["avatarPictureId": 1]) { $1 },
            named: ["name", "dateOfBirth", "avatarPictureId"], form: ["name": "", "dateOfBirth": "2999-01-01"],
            marked: ["name", "dateOfBirth"]
        ),
        Fault(
            method: .post, path: "/family/chores",
            json: ["name": tooLong, "pictureId": 1, "automaticHours": 0, "automaticPoints": 4],
            named: ["name", "pictureId", "automaticHours", "automaticPoints"],
            form: ["name": tooLong, "pictureId": "", "automaticHours": "169", "automaticPoints": "1"],
            marked: ["name", "automaticHours"]
        ),
        Fault(
            method: .patch, path: "/family/chores/{chore}",
            json: ["name": tooLong, "pictureId": 1, "automaticHours": 169],
            named: ["name", "pictureId", "automaticHours", "automaticPoints"],
            form: ["name": tooLong, "automaticHours": "0", "automaticPoints": "1"], marked: ["name", "automaticHours"]
        ),
        Fault(
            method: .put, path: "/family/chores/{chore}/schedule",
            json: [
                "childIds": [String](), "startsOn": "x", "dueTime": "25:00", "rule": "x", "distribution": "x",
                "offeredPoints": 4, "graceMinutes": -1, "remindMinutesBefore": 1, "timeZone": "x",
            ],
            named: [
                "childIds", "startsOn", "dueTime", "rule", "distribution", "offeredPoints", "graceMinutes",
                "remindMinutesBefore",
                "timeZone",
            ],
            form: [
                "repeats": "weekly", "weeks": "0", "startsOn": "x", "dueTime": "25:00", "until": "x", "timeZone": "x",
                "graceMinutes": "x", "remindMinutesBefore": "x",
            ],
            marked: [
                "weeks", "startsOn", "dueTime", "until", "timeZone", "graceMinutes", "remindMinutesBefore",
            ]
        ),
        Fault(
            method: .post, path: "/family/pauses", json: ["childId": "x", "startsOn": "x", "endsOn": "x"],
            named: ["childId", "startsOn", "endsOn"], form: ["startsOn": "x", "endsOn": "x"],
            marked: ["startsOn", "endsOn"]
        ),
        Fault(
            method: .post, path: "/family/shop", json: reward, named: rewardFields, form: rewardForm,
            marked: ["name", "price", "stock", "cooldownDays"]
        ),
        Fault(
            method: .put, path: "/family/shop/{reward}", json: reward, named: rewardFields, form: rewardForm,
            marked: ["name", "price", "stock", "cooldownDays"]
        ),
        Fault(
            method: .put, path: "/account/password", json: ["current": "", "password": "short"],
            named: ["current", "password"], form: ["current": "", "password": "short"],
            marked: ["current", "password"]
        ),
        Fault(
            method: .post, path: "/account/access-tokens",
            json: ["name": tooLong, "scopes": ["x"], "expiresInDays": 0], named: ["name", "scopes", "expiresInDays"],
            form: ["name": tooLong, "scopes": "x", "expiresInDays": "0"], marked: ["name", "expiresInDays"]
        ),
        Fault(
            method: .post, path: "/tracking/items", json: ["name": tooLong, "pictureId": 1],
            named: ["name", "pictureId"], form: ["name": tooLong], marked: ["name"]
        ),
        Fault(
            method: .patch, path: "/tracking/items/{item}",
            json: ["name": tooLong, "settings": ["lostMetres": 0, "locateMinutes": 0] as [String: any Sendable]],
            named: ["name", "settings.lostMetres", "settings.locateMinutes"],
            form: ["name": tooLong, "settings.lostMetres": "0", "settings.locateMinutes": "0"],
            marked: ["name", "settings.lostMetres", "settings.locateMinutes"]
        ),
        Fault(
            method: .patch, path: "/tracking/settings",
            json: ["settings": ["lostMetres": "x", "locateMinutes": 0] as [String: any Sendable]],
            named: ["settings.lostMetres", "settings.locateMinutes"],
            form: ["settings.lostMetres": "x", "settings.locateMinutes": "0"],
            marked: ["settings.lostMetres", "settings.locateMinutes"]
        ),
        Fault(
            method: .put, path: "/tracking/items/{item}/lost",
            json: ["message": longText, "contact": "x", "showsPhoto": "x"] as [String: any Sendable],
            named: ["message", "contact", "showsPhoto"], form: ["message": "", "contact": "x"],
            marked: ["message", "contact"]
        ),
        Fault(
            method: .post, path: "/tracking/safe-places", json: place, named: placeFields,
            form: ["name": "", "latitude": "91", "longitude": "181", "radiusMetres": "1"],
            marked: placeFields
        ),
        Fault(
            method: .post, path: "/tracking/safe-places/replay", json: place, named: placeFields,
            form: ["name": "", "latitude": "91", "longitude": "181", "radiusMetres": "1"],
            marked: placeFields
        ),
        Fault(
            method: .post, path: "/tracking/items/{item}/replay",
            json: ["settings": ["silentHours": 0, "alertMetres": 0] as [String: any Sendable]],
            named: ["settings.silentHours", "settings.alertMetres"],
            form: ["settings.silentHours": "0", "settings.alertMetres": "0"],
            marked: ["settings.silentHours", "settings.alertMetres"]
        ),
        Fault(
            method: .patch, path: "/tracking/safe-places/{place}",
            json: ["name": tooLong, "latitude": 91, "longitude": 181, "radiusMetres": 1], named: placeFields,
            form: ["name": tooLong, "latitude": "91", "longitude": "181", "radiusMetres": "1"],
            marked: placeFields
        ),
        Fault(
            method: .post, path: "/tracking/items/{item}/geofences", json: rule, named: ruleFields, form: ruleForm,
            marked: ["dwellMinutes", "from", "timeZone"]
        ),
        Fault(
            method: .post, path: "/tracking/items/{item}/geofences/replay", json: rule, named: ruleFields,
            form: ruleForm, marked: ["dwellMinutes", "from", "timeZone"]
        ),
        Fault(
            method: .put, path: "/tracking/items/{item}/geofences/{rule}", json: rule, named: ruleFields,
            form: ruleForm,
            marked: ["dwellMinutes", "from", "timeZone"]
        ),
        Fault(
            method: .post, path: "/carrepsa/packages",
            json: [
                "title": tooLong, "from": "", "to": "", "weight": "x", "reward": 0, "moneyLock": "x",
                "description": longText, "deadline": "never",
            ],
            named: ["title", "from", "to", "weight", "reward", "moneyLock", "description", "deadline"],
            form: [
                "title": tooLong, "from": "", "to": "", "weight": "x", "reward": "0", "moneyLock": "x",
                "description": longText, "deadlineDay": "never",
            ],
            marked: ["title", "from", "to", "weight", "reward", "moneyLock", "description", "deadlineDay"]
        ),
        Fault(
            method: .post, path: "/carrepsa/trips",
            json: [
                "from": "", "to": tooLong + tooLong, "fromLatitude": 91, "toLongitude": "x", "days": ["XX"],
                "detour": 0,
                "size": "crate",
            ],
            named: ["from", "to", "fromLatitude", "toLatitude", "toLongitude", "days", "detour", "size"],
            form: [
                "from": "", "to": tooLong + tooLong, "fromLatitude": "91", "toLongitude": "x", "days": "XX",
                "detour": "0", "size": "crate",
            ],
            marked: ["from", "to", "fromLatitude", "toLatitude", "toLongitude", "detour"]
        ),
        Fault(
            method: .post, path: "/carrepsa/packages/{package}/decision", json: ["note": longText],
            named: ["outcome", "note"], form: ["note": longText], marked: ["note"]
        ),
        Fault(
            method: .post, path: "/carrepsa/packages/{sent}/dispute", json: ["kind": "x", "reason": longText],
            named: ["kind", "reason"], form: ["kind": "x", "reason": ""], marked: ["kind", "reason"]
        ),
        Fault(
            method: .post, path: "/carrepsa/packages/{disputed}/split-offer",
            json: ["rewardToCarrier": "x", "statement": longText],
            named: ["rewardToCarrier", "depositToOwner", "statement"],
            form: ["rewardToCarrier": "x", "depositToOwner": "", "statement": longText],
            marked: ["rewardToCarrier", "depositToOwner", "statement"]
        ),
    ]

    @Test("All invalid fields are named and marked", arguments: faults)
    func all(fault: Fault) async throws {
        try await withCarrepsa { site in
            let olga = try await site.person("Olga", isOperator: true)
            let path = try await Self.path(fault.path, for: olga, site)
            let refused = try await olga.send(fault.method, path, json: fault.json)
            #expect(refused.status == 422, "\(refused.text)")
            #expect(Set(try refused.error().object("fields").members.keys) == fault.named)
            let method = fault.method == .post ? "" : "?_method=\(fault.method.rawValue.lowercased())"
            let page = try await olga.submit(path + method, fault.form)
            #expect(page.status == 422, "\(page.text)")
            #expect(page.marked == fault.marked, "\(page.text)")
        }
    }

    @Test("Fifty family emoji count as fifty characters, and too many bytes have a separate message")
    func emoji() async throws {
        try await withCarrepsa { site in
            let olga = try await site.person("Olga")
            _ = try await olga.send(.patch, "/account", json: ["dateOfBirth": "1990-01-01"])
            let families = String(repeating: "👨‍👩‍👧‍👦", count: Limits.nameCharacters)
            let marks = String(repeating: "x" + String(repeating: "\u{301}", count: 25), count: Limits.nameCharacters)
            let sentence = "This text is too long. Use fewer emoji or accents."
            let routes: [(HTTPRequest.Method, String, String, [String: any Sendable])] = [
                (.patch, "/account", "name", [:]), (.post, "/tracking/items", "name", [:]),
                (.post, "/tracking/safe-places", "name", ["latitude": 50, "longitude": 7]),
                (.post, "/family/children", "name", ["dateOfBirth": "2018-01-01"]),
                (
                    .post, "/carrepsa/packages", "title",
                    ["from": "Aachen", "to": "Bonn", "weight": 1, "reward": 1, "moneyLock": 1]
                ),
            ]
            for (method, path, field, others) in routes {
                let taken = try await olga.send(method, path, json: others.merging([field: families]) { $1 })
                #expect(taken.status == (method == .patch ? 200 : 201), "\(path) \(taken.text)")
                let refused = try await olga.send(method, path, json: others.merging([field: marks]) { $1 })
                #expect(refused.status == 422, "\(path)")
                #expect(try refused.error().object("fields").text(field) == sentence, "\(path)")
            }
        }
    }

    @Test("An empty claim code gets the message that it is empty", arguments: ["", "  "])
    func claimCode(typed: String) async throws {
        try await withCarrepsa { site in
            let olga = try await site.person("Olga")
            let item = try #require(
                try await olga.send(.post, "/tracking/items", json: ["name": "Keys"]).object().text("id"))
            let page = try await olga.submit("/tracking/items/\(item)/tracker?_method=put", ["code": typed])
            #expect(page.status == 422)
            #expect(page.text.contains("id=\"code-error\">Enter the code.</p>"))
            #expect(page.text.contains("placeholder=\"Such as K7QF-2M9X-TR4C\""))
        }
    }

    /// Creates the resources in a path and returns the path with their ids.
    private static func path(_ path: String, for olga: CarrepsaTestClient, _ site: CarrepsaTestServer) async throws
        -> String
    {
        _ = try await olga.send(.patch, "/account", json: ["dateOfBirth": "1990-01-01"])
        func id(_ path: String, _ json: [String: any Sendable]) async throws -> String {
            try #require(try await olga.send(.post, path, json: json).object().text("id"))
        }
        if path.contains("{child}") {
            let child = try await id("/family/children", ["name": "Kim", "dateOfBirth": "2018-01-01"])
            return path.replacing("{child}", with: child)
        }
        if path.contains("{chore}") {
            // The form of a schedule needs a child to choose.
            _ = try await id("/family/children", ["name": "Kim", "dateOfBirth": "2018-01-01"])
            let picture = BuiltinAvatars.all[0].id.description
            let chore = try await id("/family/chores", ["name": "Dishes", "pictureId": picture])
            return path.replacing("{chore}", with: chore)
        }
        if path.contains("{reward}") {
            return path.replacing("{reward}", with: try await id("/family/shop", ["name": "Zoo", "price": 1]))
        }
        if path.contains("{rule}") {
            let item = try await id("/tracking/items", ["name": "Keys"])
            let place = try await id("/tracking/safe-places", ["name": "Home", "latitude": 50, "longitude": 7])
            let rule = try await id(
                "/tracking/items/\(item)/geofences", ["placeId": place, "kind": "arrive"])
            return path.replacing("{item}", with: item).replacing("{rule}", with: rule)
        }
        if path.contains("{item}") {
            return path.replacing("{item}", with: try await id("/tracking/items", ["name": "Keys"]))
        }
        if path.contains("{place}") {
            let place = try await id("/tracking/safe-places", ["name": "Home", "latitude": 50, "longitude": 7])
            return path.replacing("{place}", with: place)
        }
        if path.contains("{sent}") || path.contains("{disputed}") {
            let ben = try await site.person("Ben")
            let package = try await olga.offer()
            _ = try await ben.send(.post, package + "/acceptance")
            _ = try await olga.send(.post, package + "/pickup")
            guard path.contains("{disputed}") else {
                return path.replacing("/carrepsa/packages/{sent}", with: package)
            }
            _ = try await olga.send(.post, package + "/dispute", json: ["reason": "It is late"])
            return path.replacing("/carrepsa/packages/{disputed}", with: package)
        }
        guard path.contains("{package}") else { return path }
        let ada = try await site.person("Ada")
        let ben = try await site.person("Ben")
        let package = try await ada.offer()
        _ = try await ben.send(.post, package + "/acceptance")
        _ = try await ada.send(.post, package + "/pickup")
        _ = try await ada.send(.post, package + "/dispute", json: ["reason": "It is late"])
        _ = try await ben.send(.post, package + "/statements", json: ["statement": "It is there"])
        return path.replacing("/carrepsa/packages/{package}", with: package)
    }
}

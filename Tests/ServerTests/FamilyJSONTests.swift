import Family
import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing
import WebCore

/// Family's JSON API.
@Suite("Family: JSON")
struct FamilyJSONTests {
    @Test("a contract of 10 points with levels of 3, 3 and 4", arguments: Engine.allCases)
    func points(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let dog = try await ada.chore("Dog")
            #expect(try await ada.score(of: mia) == [0, 0, 0])
            try await ada.assign([dishes: 1], to: mia)
            #expect(try await ada.score(of: mia) == [0, 1, 0])
            let contract = try await ada.contract(of: mia)
            #expect(try await ada.score(of: mia) == [0, 1, 0])
            try await ada.assign([dishes: 3], to: mia)
            #expect(try await ada.score(of: mia) == [3, 4, 1])
            let handover = "\(contract)/levels/1/handover"
            #expect(try await ada.send(.put, "\(contract)/levels/2/handover").status == 409)
            let handedOver = try await ada.send(.put, handover)
            #expect(handedOver.status == 200)
            #expect(try handedOver.object().list("levels")[0].text("handedOverAt") != nil)
            try await ada.assign([dishes: 2], to: mia)
            #expect(try await ada.score(of: mia) == [5, 6, 1])
            try await ada.assign([dog: 1], to: mia)
            #expect(try await ada.score(of: mia) == [6, 7, 2])
            try await ada.assign([dog: 3], to: mia)
            #expect(try await ada.score(of: mia) == [9, 10, 2])
            let last = try await ada.assign([dog: 3], to: mia)
            #expect(try await ada.score(of: mia) == [10, 13, 3])
            let shown = try await ada.send(.get, mia).object().object("contract")
            #expect(shown.number("surplusPoints") == 2)
            #expect(try shown.list("levels").map { $0.number("threshold") } == [3, 6, 10])
            #expect(try await ada.send(.delete, "\(mia)/assignments/\(last[0])").status == 204)
            #expect(try await ada.score(of: mia) == [9, 10, 2])
            let levels = try await ada.send(.get, mia).object().object("contract").list("levels")
            #expect(levels.map { $0.flag("lost") } == [false, false, true])
            #expect(levels.map { $0.flag("reached") } == [true, true, false])
            #expect(try await ada.send(.delete, "\(mia)/assignments/\(last[0])").status == 404)
            let listed = try await ada.send(.get, "\(mia)/assignments").object().list("items")
            #expect(listed.map { $0.number("points") } == [3, 3, 1, 2, 3, 1])
            #expect(listed[0].text("reversedAt") != nil)
            #expect(listed.dropFirst().allSatisfy { $0.isNull("reversedAt") })
            #expect(try await ada.send(.delete, handover).object().list("levels")[0].isNull("handedOverAt"))
            _ = try await ada.contract(of: mia, maxPoints: 5, levels: [5])
            #expect(try await ada.score(of: mia) == [0, 10, 0])
            let history = try await ada.send(.get, "\(mia)/contracts").object().list("items")
            #expect(history.map { $0.number("maxPoints") } == [5, 10])
            #expect(history[0].isNull("endedAt") && history[1].text("endedAt") != nil)
        }
    }

    @Test("Each resource has every key of the API, including nulls")
    func shapes() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let child = try await ada.send(.get, mia)
            #expect(
                try child.object().keys == [
                    "achievementPoints", "avatarPictureId", "contract", "createdAt", "dateOfBirth", "deviceCount",
                    "gainedPoints", "id", "name", "prizeLevel", "savingGoal", "spendablePoints", "theme",
                    "version",
                ])
            #expect(try child.object().isNull("contract"))
            #expect(try child.object().text("theme") == "standard")
            #expect(try child.object().text("avatarPictureId") != nil)
            #expect(child.header("ETag") == "\"1\"")
            let chore = try await ada.chore()
            try await ada.assign([chore: 2], to: mia)
            let booked = try await ada.send(.get, "\(mia)/assignments").object()
            #expect(booked.isNull("next"))
            let entry = try booked.list("items")[0]
            #expect(
                entry.keys == [
                    "at", "automatic", "by", "choreId", "contractId", "id", "name", "occurrence", "pictureId",
                    "points", "reversedAt",
                ])
            #expect(try entry.object("by").text("name") == "Ada")
            _ = try await ada.contract(of: mia)
            let contract = try await ada.send(.get, mia).object().object("contract")
            #expect(
                contract.keys == [
                    "createdAt", "description", "endedAt", "gainedPoints", "id", "levels", "maxPoints", "prizeLevel",
                    "surplusPoints", "version",
                ])
            #expect(
                try contract.list("levels")[0].keys == [
                    "handedOverAt", "lost", "number", "points", "reached", "reachedAt", "reward", "threshold",
                ])
            let one = try await ada.send(.get, "/family/chores/\(chore)").object()
            #expect(
                one.keys == [
                    "automaticHours", "automaticPoints", "createdAt", "id", "name", "needsPhoto", "pictureId", "steps",
                    "version",
                ])
            let parents = try await ada.send(.get, "/family/parents").object().list("items")
            #expect(
                parents.map(\.keys) == [
                    ["avatarPictureId", "dateOfBirth", "id", "name", "role", "theme", "version"]
                ])
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: [String: any Sendable]
        let fields: [String]
        var testDescription: String { "\(body)" }
    }

    static let badChildren: [Refusal] = [
        Refusal(body: [:], fields: ["dateOfBirth", "name"]),
        Refusal(body: ["name": "Mia"], fields: ["dateOfBirth"]),
        Refusal(body: ["name": "", "dateOfBirth": "2017-05-12"], fields: ["name"]),
        Refusal(body: ["name": 5, "dateOfBirth": "2017-05-12"], fields: ["name"]),
        Refusal(body: ["name": "Mia", "dateOfBirth": "2017-02-29"], fields: ["dateOfBirth"]),
        Refusal(body: ["name": "Mia", "dateOfBirth": "1899-12-31"], fields: ["dateOfBirth"]),
        Refusal(body: ["name": "Mia", "dateOfBirth": "12.05.2017"], fields: ["dateOfBirth"]),
        Refusal(body: ["name": "Mia", "dateOfBirth": "9999-01-01"], fields: ["dateOfBirth"]),
        Refusal(body: ["name": "Mia", "dateOfBirth": "2017-05-12", "theme": "neon"], fields: ["theme"]),
        Refusal(
            body: ["name": "Mia", "dateOfBirth": "2017-05-12", "avatarPictureId": "x"], fields: ["avatarPictureId"]),
    ]

    @Test("An invalid child gets errors for its fields and isn't created", arguments: badChildren)
    func refusesChildren(refusal: Refusal) async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let reply = try await ada.send(.post, "/family/children", json: refusal.body)
            #expect(reply.status == 422)
            #expect(try reply.error().object("fields").keys == refusal.fields)
            #expect(try await ada.names("/family/children") == [])
        }
    }

    private static func entry(_ chore: any Sendable, _ points: any Sendable) -> [String: any Sendable] {
        ["choreId": chore, "points": points]
    }

    private static func level(_ points: any Sendable, reward: any Sendable = "Zoo") -> [String: any Sendable] {
        ["reward": reward, "points": points]
    }

    static let badContracts: [Refusal] = [
        Refusal(body: [:], fields: ["levels", "maxPoints"]),
        Refusal(body: ["maxPoints": "10", "levels": [level(1)]], fields: ["maxPoints"]),
        Refusal(body: ["maxPoints": 1.5, "levels": [level(1)]], fields: ["maxPoints"]),
        Refusal(body: ["maxPoints": 0, "levels": [level(1)]], fields: ["maxPoints"]),
        Refusal(body: ["maxPoints": 1_000_001, "levels": [level(1)]], fields: ["maxPoints"]),
        Refusal(body: ["maxPoints": 10, "levels": [level(11)]], fields: ["levels.0.points"]),
        Refusal(
            body: ["maxPoints": 10, "levels": [level(3), level(3), level(5)]], fields: ["levels", "levels.2.points"]),
        Refusal(body: ["maxPoints": 10, "levels": [level(0)]], fields: ["levels.0.points"]),
        Refusal(body: ["maxPoints": 10, "levels": [level("3")]], fields: ["levels.0.points"]),
        Refusal(body: ["maxPoints": 10, "levels": [level(3), level(1, reward: "")]], fields: ["levels.1.reward"]),
        Refusal(body: ["maxPoints": 10, "levels": [String]()], fields: ["levels"]),
        Refusal(body: ["maxPoints": 10, "levels": "Zoo"], fields: ["levels"]),
    ]

    @Test("An invalid contract gets errors for its fields; the current one is unchanged", arguments: badContracts)
    func refusesContracts(refusal: Refusal) async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let present = try await ada.contract(of: mia)
            let reply = try await ada.send(.post, "\(mia)/contracts", json: refusal.body)
            #expect(reply.status == 422)
            #expect(try reply.error().object("fields").keys == refusal.fields)
            let contract = try await ada.send(.get, mia).object().object("contract")
            #expect(present.hasSuffix(contract.text("id") ?? "-"))
        }
    }

    @Test("Invalid assignments get 422, a deleted chore 409, and no points are posted")
    func refusesAssignments() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let dog = try await ada.chore("Dog")
            func refused(_ chores: [[String: any Sendable]]) async throws -> (Int, [String]) {
                let reply = try await ada.send(.post, "\(mia)/assignments", json: ["chores": chores])
                return (reply.status, try reply.error().object("fields").keys)
            }
            #expect(try await refused([]) == (422, ["chores"]))
            #expect(try await refused([["choreId": dishes]]) == (422, ["chores.0.points"]))
            #expect(try await refused([Self.entry(dishes, 4)]) == (422, ["chores.0.points"]))
            #expect(try await refused([Self.entry(dishes, "1")]) == (422, ["chores.0.points"]))
            #expect(
                try await refused([["choreId": dishes, "points": 1], ["choreId": dishes, "points": 2]])
                    == (422, ["chores.1.choreId"]))
            #expect(try await ada.send(.delete, "/family/chores/\(dog)").status == 204)
            #expect(
                try await refused([["choreId": dishes, "points": 1], ["choreId": dog, "points": 2]])
                    == (409, ["chores.1.choreId"]))
            #expect(try await ada.score(of: mia) == [0, 0, 0])
            #expect(try await ada.send(.get, "\(mia)/assignments").object().list("items").isEmpty)
        }
    }

    @Test("A stale version is a conflict, and a repeated key changes once")
    func changes() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let renamed = try await ada.send(.patch, mia, json: ["name": "Mia Sofia"], headers: ["If-Match": "\"1\""])
            #expect(renamed.status == 200)
            #expect(try renamed.object().number("version") == 2)
            let stale = try await ada.send(.patch, mia, json: ["name": "Mo"], headers: ["If-Match": "\"1\""])
            #expect(stale.status == 409)
            #expect(try stale.error().text("code") == "conflict")
            let cleared = try await ada.send(.patch, mia, json: ["name": NSNull(), "theme": NSNull()])
            #expect(cleared.status == 422)
            #expect(try cleared.error().object("fields").keys == ["name", "theme"])
            let dishes = try await ada.chore()
            let entries: [String: any Sendable] = ["chores": [Self.entry(dishes, 2)]]
            for _ in 0..<3 {
                let reply = try await ada.send(
                    .post, "\(mia)/assignments", json: entries, headers: ["Idempotency-Key": "once"])
                #expect(reply.status == 201)
            }
            #expect(try await ada.score(of: mia) == [0, 2, 0])
            let other: [String: any Sendable] = ["chores": [Self.entry(dishes, 3)]]
            let reused = try await ada.send(
                .post, "\(mia)/assignments", json: other, headers: ["Idempotency-Key": "once"])
            #expect(reused.status == 409)
            #expect(try await ada.score(of: mia) == [0, 2, 0])
        }
    }

    @Test("A deleted child is restored within 7 days, a deleted chore within 10 minutes")
    func restores() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            try await ada.assign([dishes: 3], to: mia)
            for path in [mia, "/family/chores/\(dishes)"] {
                #expect(try await ada.send(.delete, path).status == 204)
                #expect(try await ada.send(.get, path).status == 404)
                #expect(try await ada.send(.delete, path).status == 404)
                #expect(try await ada.send(.post, "\(path)/restoration").status == 201)
                #expect(try await ada.send(.get, path).status == 200)
            }
            #expect(try await ada.score(of: mia) == [0, 3, 0])
            #expect(try await ada.send(.delete, mia).status == 204)
            let deleted = mia.replacing("/children/", with: "/deleted-children/")
            let list = try await ada.send(.get, "/family/deleted-children").object()
            #expect(try list.texts("items", "name") == ["Mia"])
            #expect(try await ada.send(.get, deleted).object().text("restorableUntil") != nil)
            #expect(try await ada.send(.delete, deleted).status == 422)
            site.clock.advance(seconds: Limits.childRestorationSeconds)
            #expect(try await ada.send(.post, "\(mia)/restoration").status == 404)
            #expect(try await ada.send(.get, deleted).status == 404)
        }
    }

    @Test("Another family's children and chores are not found by any request")
    func strangers() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let eve = try await site.parent("Eve")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let contract = try await ada.contract(of: mia)
            let booked = try await ada.assign([dishes: 3], to: mia)
            let tries: [(HTTPRequest.Method, String, [String: any Sendable]?)] = [
                (.get, mia, nil), (.patch, mia, ["name": "Mo"]), (.delete, mia, nil),
                (.post, "\(mia)/restoration", nil), (.get, "\(mia)/contracts", nil),
                (.post, "\(mia)/contracts", ["maxPoints": 1, "levels": [Self.level(1)]]),
                (.put, "\(contract)/levels/1/handover", nil), (.get, "\(mia)/assignments", nil),
                (.post, "\(mia)/assignments", ["chores": [Self.entry(dishes, 1)]]),
                (.delete, "\(mia)/assignments/\(booked[0])", nil), (.get, "\(mia)/requests", nil),
                (.post, "\(mia)/sign-in-codes", nil), (.get, "\(mia)/devices", nil),
                (.get, "/family/chores/\(dishes)", nil), (.patch, "/family/chores/\(dishes)", ["name": "Mine"]),
                (.delete, "/family/chores/\(dishes)", nil), (.post, "/family/chores/\(dishes)/restoration", nil),
            ]
            for (method, path, body) in tries {
                let reply = try await eve.send(method, path, json: body)
                #expect(reply.status == 404, "\(method) \(path) \(reply.text)")
            }
            #expect(try await eve.names("/family/children") == [])
            #expect(try await ada.score(of: mia) == [3, 3, 1])
        }
    }

    @Test("A child requests points; a parent approves once, or declines", arguments: Engine.allCases)
    func requests(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let dog = try await ada.chore("Dog")
            let device = try await site.device(of: mia, by: ada)
            for chore in [dishes, dog] {
                #expect(try await device.send(.post, "\(mia)/requests", json: ["choreId": chore]).status == 201)
            }
            let open = try await ada.send(.get, "\(mia)/requests").object().list("items")
            #expect(open.map { $0.text("name") } == ["Dishes", "Dog"])
            #expect(
                open[0].keys == [
                    "at", "automaticAt", "childId", "choreId", "id", "name", "occurrence", "photoId", "pictureId",
                ])
            let ids = open.compactMap { $0.text("id") }
            let first = "\(mia)/requests/\(ids[0])"
            #expect(try await ada.send(.post, "\(first)/approval", json: ["points": 4]).status == 422)
            let approved = try await ada.send(.post, "\(first)/approval", json: ["points": 3])
            #expect(approved.status == 201)
            #expect(try approved.object().number("points") == 3)
            #expect(try await ada.send(.post, "\(first)/approval", json: ["points": 3]).status == 404)
            #expect(try await ada.send(.delete, "\(mia)/requests/\(ids[1])").status == 204)
            #expect(try await ada.send(.get, "\(mia)/requests").object().list("items").isEmpty)
            #expect(try await ada.score(of: mia) == [0, 3, 0])
        }
    }

    @Test("A child reads its parents' names, but not their dates of birth")
    func parentsForChildren() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let device = try await site.device(of: try await ada.child(), by: ada)
            let asParent = try await ada.send(.get, "/family/parents").object()
            #expect(try asParent.texts("items", "dateOfBirth") == ["1990-05-01"])
            let asChild = try await device.send(.get, "/family/parents").object()
            #expect(try asChild.texts("items", "name") == ["Ada"])
            #expect(try asChild.texts("items", "dateOfBirth") == [nil])
        }
    }

    @Test("Every route for parents rejects a child's session, as page and as JSON")
    func childIsRefused() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let device = try await site.device(of: mia, by: ada)
            let own = mia.dropFirst("/family/children/".count)
            let routes = site.server.server.web.routes.filter { $0.access == .signedIn }
            #expect(routes.count > 30)
            for entry in routes {
                let path = entry.path.split(separator: "/").reduce("") { path, step in
                    path + "/" + (step == "{id}" ? String(own) : step.hasPrefix("{") ? "1" : String(step))
                }
                let reply = try await device.send(entry.method, path, json: entry.method == .get ? nil : [:])
                #expect(reply.status == 403, "\(entry.method) \(path)")
                guard entry.method == .get else { continue }
                #expect(try await device.page(path).status == 403, "\(path)")
            }
        }
    }
}

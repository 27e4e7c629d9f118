import Family
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing

/// Requests for points and their decisions, on the pages of parents and children.
@Suite("Family: requests for points")
struct RequestPageTests {
    /// A person's notifications except those about children's sign-ins, newest first.
    private static func feed(_ person: FamilyTestClient) async throws -> [JSONObject] {
        try await person.notifications().filter { $0.text("kind") != "childSignedIn" }
    }

    @Test("F-32-B: A request is approved on the child's card, and declined from there in a second step without a word")
    func card() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let dog = try await ada.chore("Dog")
            let device = try await site.device(of: mia, by: ada)
            let first = try await device.request(dishes, for: mia)
            let second = try await device.request(dog, for: mia)
            let both = try await ada.page("/family").text
            #expect(both.contains("2 chores to approve") && both.contains("Give 3 points for “Dishes”"))
            let given = try await ada.submit("\(first)/approval", ["points": "3", "from": "dashboard"])
            #expect(given.header("location") == "/family")
            let one = try await ada.page("/family").text
            #expect(one.contains("1 chore to approve") && !one.contains("“Dishes”"))
            #expect(one.contains("aria-label=\"Decline “Dog”\""))
            // One tap declines nothing yet.
            let asks = try await ada.page("\(second)?view=decline&from=dashboard").text
            #expect(asks.contains("id=\"decline\" open>") && asks.contains("name=\"from\" value=\"dashboard\""))
            #expect(asks.contains("Reason (optional)"))
            #expect(try await ada.send(.get, "\(mia)/requests").object().texts("items", "name") == ["Dog"])
            let declined = try await ada.submit("\(second)?_method=delete", ["from": "dashboard", "reason": ""])
            #expect(declined.header("location") == "/family")
            let none = try await ada.page("/family").text
            #expect(!none.contains("chore to approve") && !none.contains("“Dog”"))
            #expect(try await ada.score(of: mia) == [0, 3, 0])
            let told = try await Self.feed(device)
            #expect(Set(told.map { $0.text("title") }) == ["Dishes: 3 points", "No points for “Dog”"])
        }
    }

    @Test("A reason that is too long is marked and stays; the child reads the one that a parent gives")
    func reason() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let device = try await site.device(of: mia, by: ada)
            let asked = try await device.request(dishes, for: mia)
            let page = try await ada.page(asked).text
            #expect(page.contains("id=\"decline\">") && page.contains("Reason (optional)"))
            let long = String(repeating: "x", count: Limits.declineReasonCharacters + 1)
            let refused = try await ada.submit("\(asked)?_method=delete", ["from": "", "reason": long])
            #expect(refused.status == 422)
            #expect(refused.marked == ["reason"])
            #expect(refused.text.contains("id=\"reason-error\">Use at most 200 characters for the reason.<"))
            #expect(refused.text.contains("id=\"decline\" open>") && refused.text.contains("value=\"\(long)\""))
            #expect(try await Self.feed(device).isEmpty)
            let declined = try await ada.submit("\(asked)?_method=delete", ["from": "", "reason": "Still wet"])
            #expect(declined.header("location") == mia)
            #expect(try declined.toast() == "“Dishes” declined")
            let told = try await Self.feed(device)
            #expect(told.map { $0.text("title") } == ["No points for “Dishes”"])
            #expect(told.map { $0.text("body") } == ["Ada: Still wet"])
            #expect(try await device.page(mia).text.contains("Declined by Ada: Still wet"))
            // The link of the parents' notification leads to the child, because it is too late.
            let late = try await ada.page(asked)
            #expect(late.status == 303)
            #expect(late.header("location") == mia)
        }
    }

    @Test("A child is notified of points that are taken back, and parents and children choose among their own kinds")
    func kinds() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let booked = try await ada.assign([dishes: 2], to: mia)
            #expect(try await ada.send(.delete, "\(mia)/assignments/\(booked[0])").status == 204)
            let device = try await site.device(of: mia, by: ada)
            #expect(try await device.page("/notifications").text.contains("“Dishes”: 2 points taken back"))
            let own = try await device.page("/account/notifications").text
            #expect(own.contains("Points are taken back") && own.contains("value=\"pointsUndone\" checked"))
            #expect(!own.contains("A child asks for points") && !own.contains("value=\"choreRequested\""))
            let parents = try await ada.page("/account/notifications").text
            #expect(parents.contains("A child asks for points") && parents.contains("value=\"choreRequested\" checked"))
            #expect(!parents.contains("Points are taken back") && !parents.contains("value=\"pointsUndone\""))
        }
    }

    @Test("F-33-A: If one of the chosen requests is already decided, none is approved; a child approves none at all")
    func decidedChoice() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let dog = try await ada.chore("Dog")
            let device = try await site.device(of: mia, by: ada)
            let first = try await device.request(dishes, for: mia)
            let second = try await device.request(dog, for: mia)
            let ids = [first, second].map { String($0.dropFirst("\(mia)/requests/".count)) }
            let approvals = "/family/requests/approvals"
            let box = "type=\"checkbox\" name=\"requestIds\" value=\""
            let page = try await ada.page("/family/requests").text
            #expect(page.contains("action=\"\(approvals)\""))
            for id in ids { #expect(page.contains("\(box)\(id)\"")) }
            #expect(try await ada.send(.delete, first).status == 204)
            let late = try await ada.submit(
                approvals, ["requestIds": ids[0], "requestIds": ids[1], "points": "2"])
            #expect(late.header("location") == "/family/requests")
            #expect(try late.toast().hasPrefix("One of these requests was already decided."))
            let left = try await ada.page("/family/requests").text
            #expect(!left.contains(ids[0]) && left.contains("\(box)\(ids[1])\""))
            #expect(try await ada.score(of: mia) == [0, 0, 0])
            #expect(try await ada.names("/family/requests") == ["Dog"])
            let all = try await device.send(.post, approvals, json: ["requestIds": [ids[1]], "points": 3])
            #expect(all.status == 403)
            #expect(try await device.send(.post, "\(second)/approval", json: ["points": 3]).status == 403)
            #expect(try await ada.score(of: mia) == [0, 0, 0])
        }
    }

    @Test("F-32-A: A request that another device decided is neither declined nor taken back")
    func decided() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let device = try await site.device(of: mia, by: ada)
            let asked = try await device.request(dishes, for: mia)
            #expect(try await ada.page("\(asked)?view=decline").text.contains("Please do it again"))
            #expect(try await device.page(mia).text.contains("action=\"\(asked)?_method=delete\""))
            #expect(try await ada.send(.post, "\(asked)/approval", json: ["points": 2]).status == 201)
            let late = try await ada.submit(
                "\(asked)?_method=delete", ["from": "", "reason": "Please do it again"])
            #expect(late.header("location") == mia)
            #expect(try !late.toast().contains("declined"))
            let back = try await device.submit("\(asked)?_method=delete", [:])
            #expect(back.header("location") == mia)
            #expect(try await device.send(.delete, asked).status == 404)
            #expect(try await ada.score(of: mia) == [0, 2, 0])
            #expect(try await !device.page(mia).text.contains("Declined"))
        }
    }

    @Test("F-35-N: Points are given automatically after the hours of the form, once; child and parents are notified")
    func automatic() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let saved = try await ada.submit(
                "/family/chores/\(dishes)?_method=patch",
                [
                    "version": "1", "name": "Dishes", "pictureId": site.picture, "automaticHours": "24",
                    "automaticPoints": "2",
                ])
            #expect(try saved.toast() == "“Dishes” is updated")
            #expect(try await ada.page("/family/chores/\(dishes)/edit").text.contains("After 24 hours"))
            let device = try await site.device(of: mia, by: ada)
            _ = try await device.request(dishes, for: mia)
            for (reader, page) in [(device, mia), (ada, "/family")] {
                let text = try await reader.page(page).text
                #expect(text.contains("Points are given automatically:"), "\(reader.name)")
            }
            let family = site.server.services.family
            site.clock.advance(seconds: 24 * 60 * 60 - 60)
            try await family.housekeeping.run()
            #expect(try await ada.score(of: mia) == [0, 0, 0])
            site.clock.advance(seconds: 60)
            for _ in 0..<2 { try await family.housekeeping.run() }
            #expect(try await ada.score(of: mia) == [0, 2, 0])
            for person in [device, ada] {
                // By now it is Monday, when the weekly review is also sent.
                let told = try await Self.feed(person).filter { $0.text("kind") != "weekReviewed" }
                #expect(told.map { $0.text("title") } == ["Dishes: 2 points"], "\(person.name)")
                #expect(
                    told.map { $0.text("body") } == [
                        "Mia got the points automatically because no parent decided in time."
                    ], "\(person.name)")
            }
            #expect(try await ada.page(mia).text.contains("given automatically"))
        }
    }

    @Test("F-35-B: If a parent decides before the points are given automatically, only that counts")
    func beforeAutomatic() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let saved = try await ada.send(
                .patch, "/family/chores/\(dishes)", json: ["automaticHours": 168, "automaticPoints": 3])
            #expect(saved.status == 200, "\(saved.text)")
            let device = try await site.device(of: mia, by: ada)
            let asked = try await device.request(dishes, for: mia)
            let request = try await ada.send(.get, asked).object()
            let at = try #require(request.text("at"))
            let automaticAt = try #require(request.text("automaticAt"))
            #expect(automaticAt > at)
            #expect(try await ada.send(.post, "\(asked)/approval", json: ["points": 1]).status == 201)
            site.clock.advance(seconds: 168 * 60 * 60)
            try await site.server.services.family.housekeeping.run()
            let made = try await ada.send(.get, "\(mia)/assignments").object().list("items")
            #expect(made.map { $0.number("points") } == [1])
            #expect(made.map { $0.flag("automatic") } == [false])
            #expect(try await ada.score(of: mia) == [0, 1, 0])
        }
    }
}

import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The clock of the server shows Sunday, 2026-03-01 at 12:00 UTC.
@Suite("Family: schedules, turns and pauses")
struct SchedulePageTests {
    private typealias Home = ScheduleFixture

    // MARK: Schedules

    @Test("F-23-A: No child, no weekday and an end before the start are marked, and nothing is lost")
    func refusesSchedule() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let bins = try await home.ada.chore("Bins")
            let path = Home.schedule(of: bins)
            let form = "\(path)?_method=put"
            let wrong = try await home.ada.submit(
                form,
                [
                    "distribution": "each", "repeats": "weekly", "weeks": "0", "dayPart": "any",
                    "startsOn": Home.firstDay, "until": "2020-01-01", "timeZone": "Mars",
                ])
            #expect(wrong.status == 422)
            for field in ["weeks", "timeZone"] {
                #expect(try wrong.control(field).contains("aria-invalid=\"true\""), "\(field)")
                #expect(!wrong.text.contains("id=\"\(field)-error\"></p>"), "\(field)")
            }
            #expect(wrong.text.contains("id=\"childIds-error\" role=\"alert\">Choose at least one child.</p>"))
            #expect(wrong.text.contains("id=\"weekdays-error\" role=\"alert\">Choose at least one day.</p>"))
            #expect(try wrong.control("until").contains("value=\"2020-01-01\""))
            #expect(wrong.text.contains("name=\"repeats\" value=\"weekly\" checked"))
            func submit(until: String) async throws -> Reply {
                try await home.ada.submit(
                    form,
                    [
                        "childIds": Home.id(home.ben), "distribution": "each", "repeats": "weekly", "weekdays": "SU",
                        "weeks": "1", "dayPart": "any", "startsOn": Home.firstDay, "until": until, "timeZone": "UTC",
                    ])
            }
            let ended = try await submit(until: "2020-01-01")
            #expect(ended.status == 422)
            #expect(try ended.control("until").contains("aria-invalid=\"true\""))
            #expect(ended.text.contains("id=\"until-error\">No day matches. Check the first and the last day.</p>"))
            #expect(ended.text.contains("name=\"childIds\" value=\"\(Home.id(home.ben))\" checked"))
            #expect(!ended.text.contains("name=\"childIds\" value=\"\(Home.id(home.mia))\" checked"))
            #expect(try await home.ada.send(.get, path).status == 404)
            let saved = try await submit(until: "")
            #expect(saved.header("location") == "/family/chores/\(bins)/edit")
            #expect(try saved.toast() == "“Bins”: Every week on Sunday")
            #expect(try await home.ada.page("/family/chores/\(bins)/edit").text.contains("Every week on Sunday"))
            let noChild = try await home.ada.send(.put, path, json: ["childIds": [String]()])
            #expect(noChild.status == 422)
            #expect(try noChild.error().object("fields").keys == ["childIds", "startsOn"])
        }
    }

    @Test("F-23-B: Day 31 is the last day of a month, and another program's rule stays when the time changes")
    func summarizesRules() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let bins = try await ada.chore("Bins")
            let path = Home.schedule(of: bins)
            let edit = "/family/chores/\(bins)/edit"
            func save(_ repeats: String, time: String = "", rule: String = "") async throws -> Reply {
                try await ada.submit(
                    "\(path)?_method=put",
                    [
                        "rule": rule, "childIds": Home.id(mia), "repeats": repeats, "weekdays": "MO",
                        "weekdays": "TH", "weeks": "2", "monthDay": "31", "dayPart": time.isEmpty ? "any" : "time",
                        "dueTime": time, "startsOn": Home.firstDay, "timeZone": "Europe/Berlin",
                    ])
            }
            // An only child is chosen.
            let form = try await ada.page(path).text
            #expect(form.contains("name=\"childIds\" value=\"\(Home.id(mia))\" checked"))
            #expect(try await save("monthly").header("location") == edit)
            #expect(try await ada.page(edit).text.contains("On the last day of each month"))
            let monthly = try await ada.send(.get, path).object()
            #expect(monthly.text("rule") == "FREQ=MONTHLY;BYMONTHDAY=-1")
            #expect(monthly.text("timeZone") == "Europe/Berlin")
            #expect(try await ada.page(path).control("monthDay").contains("value=\"31\""))
            #expect(try await save("weekly", time: "18:00").header("location") == edit)
            let summary = "Every 2 weeks on Monday and Thursday, by 18:00"
            #expect(try await ada.page(edit).text.contains(summary))
            let weekly = try await ada.send(.get, path).object()
            #expect(weekly.text("rule") == "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH")
            let rule = "FREQ=MONTHLY;BYDAY=-1FR"
            let set = try await ada.send(
                .put, path, json: ["childIds": [Home.id(mia)], "startsOn": Home.firstDay, "rule": rule])
            #expect(set.status == 200, "\(set.text)")
            let other = try await ada.page(path).text
            #expect(other.contains("name=\"rule\" value=\"\(rule)\""))
            #expect(other.contains("name=\"repeats\" value=\"other\" checked"))
            #expect(try await save("other", time: "07:30", rule: rule).header("location") == edit)
            #expect(try await ada.page(edit).text.contains("By the rule \(rule), by 07:30"))
            let kept = try await ada.send(.get, path).object()
            #expect(kept.text("rule") == rule && kept.text("dueTime") == "07:30")
            #expect(try await ada.page(path).text.contains("Stop repeating"))
            let stopped = try await ada.submit("\(path)?_method=delete", [:])
            #expect(stopped.header("location") == edit)
            #expect(try await ada.page(edit).text.contains("No fixed days"))
            #expect(try await ada.send(.get, path).status == 404)
        }
    }

    @Test("F-37-A: A missing time and minutes out of range are marked, and what was entered stays")
    func refusesReminders() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let path = Home.schedule(of: try await home.ada.chore())
            let refused = try await home.ada.submit(
                "\(path)?_method=put",
                [
                    "childIds": Home.id(home.mia), "distribution": "each", "repeats": "daily", "dayPart": "time",
                    "dueTime": "", "remindMinutesBefore": "often", "graceMinutes": "2000",
                    "startsOn": Home.firstDay, "timeZone": "UTC",
                ])
            #expect(refused.status == 422)
            for (field, typed) in [("dueTime", ""), ("remindMinutesBefore", "often"), ("graceMinutes", "2000")] {
                let control = try refused.control(field)
                #expect(control.contains("aria-invalid=\"true\"") && control.contains("value=\"\(typed)\""))
                #expect(!refused.text.contains("id=\"\(field)-error\"></p>"), "\(field)")
            }
            #expect(refused.text.contains("id=\"schedule-reminders\" open>"))
            #expect(refused.text.contains("name=\"childIds\" value=\"\(Home.id(home.mia))\" checked"))
            #expect(try await home.ada.send(.get, path).status == 404)
        }
    }

    @Test("F-24-A: An occurrence counts once, also from a page that was opened before")
    func countsOnce() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            try await home.schedule(dishes, for: [home.mia])
            let device = try await site.device(of: home.mia, by: home.ada)
            #expect(try await home.today(of: home.mia).contains("aria-label=\"Give 3 points for “Dishes”\""))
            for person in [home.ada, device] { #expect(try await person.page("/family").text.contains("1 due")) }
            // Another device gives the points first.
            let entry: [String: any Sendable] = ["choreId": dishes, "points": 1]
            let given = try await home.ada.send(.post, "\(home.mia)/assignments", json: ["chores": [entry]])
            #expect(try given.object().texts("items", "occurrence") == [Home.firstDay])
            let late = try await home.ada.submit(
                "\(home.mia)/assignments",
                [
                    "from": "today", "chores.0.choreId": dishes, "chores.0.occurrence": Home.firstDay,
                    "chores.0.points": "3",
                ])
            #expect(late.header("location") == "/family/today")
            #expect(try late.toast() == "This already counts.")
            #expect(try await home.today(of: home.mia).contains("Done +1"))
            #expect(try await home.ada.score(of: home.mia) == [0, 1, 0])
            let asked = try await device.send(
                .post, "\(home.mia)/requests", json: ["choreId": dishes, "occurrence": Home.firstDay])
            #expect(asked.status == 409)
            let planned = try await device.send(
                .put, Home.schedule(of: dishes), json: ["childIds": [Home.id(home.mia)]])
            #expect(planned.status == 403)
            let states = try await device.send(.get, "/family/today").object().texts("items", "state")
            #expect(states == ["done", "next"])
        }
    }

    @Test("F-44-A: A date that is done or over isn't skipped, and a child skips none")
    func refusesSkips() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            try await home.schedule(dishes, for: [home.mia, home.ben])
            try await home.ada.assign([dishes: 2], to: home.mia)
            let skips = "/family/chores/\(dishes)/skips"
            let form = try await home.ada.page(Home.schedule(of: dishes)).text
            #expect(form.contains("action=\"\(skips)/\(Home.firstDay)?_method=put\""))
            let done = try await home.ada.submit("\(skips)/\(Home.firstDay)?_method=put", ["from": ""])
            #expect(done.header("location") == "\(Home.schedule(of: dishes))#schedule-dates")
            #expect(try done.toast() == "This already counts.")
            let device = try await site.device(of: home.ben, by: home.ada)
            #expect(try await device.send(.put, "\(skips)/2026-03-02").status == 403)
            #expect(try await home.ada.send(.put, "\(skips)/2020-01-01").status == 409)
            let due = try await home.due()
            #expect(Set(due) == ["done Mia Dishes", "due Ben Dishes"])
        }
    }

    @Test("F-24-B: A changed rule keeps what was done, and an undone occurrence is due again under today's rule")
    func changedRule() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            let dog = try await home.ada.chore("Dog")
            try await home.schedule(dishes, for: [home.mia, home.ben])
            try await home.schedule(dog, for: [home.mia], with: ["dueTime": "00:00"])
            let before = try await home.today(of: home.mia)
            #expect(before.contains(">Overdue<") && before.contains("Was due by 00:00"))
            #expect(before.contains("aria-label=\"Give 3 points for “Dishes”\""))
            let given = try await home.ada.submit(
                "\(home.mia)/assignments",
                [
                    "from": "today", "chores.0.choreId": dishes, "chores.0.occurrence": Home.firstDay,
                    "chores.0.points": "3",
                ])
            #expect(given.header("location") == "/family/today")
            #expect(try await home.today(of: home.mia).contains("Done +3"))
            #expect(try await !home.today(of: home.ben).isEmpty)
            try await home.schedule(
                dishes, for: [home.mia], with: ["startsOn": "2026-03-02", "rule": NSNull()])
            let today = try await home.ada.send(.get, "/family/today").object()
            #expect(try today.texts("items", "state") == ["overdue", "done", "next", "next"])
            #expect(try today.texts("items", "name") == ["Dog", "Dishes", "Dog", "Dishes"])
            #expect(try await home.today(of: home.ben).isEmpty)
            #expect(try await home.ada.score(of: home.mia) == [0, 3, 0])
            // An undone occurrence of the old rule is no longer open; one of today's rule is.
            try await home.schedule(dishes, for: [home.mia])
            let done = try await home.ada.send(.get, "\(home.mia)/assignments").object().texts("items", "id")[0] ?? ""
            #expect(try await home.ada.send(.delete, "\(home.mia)/assignments/\(done)").status == 204)
            #expect(try await home.today(of: home.mia).contains("aria-label=\"Give 3 points for “Dishes”\""))
        }
    }

    // MARK: Turns

    @Test("F-25-B: By points, the child with the fewest points is next, and today's points decide tomorrow's turn")
    func fewestPoints() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            let bins = try await home.ada.chore("Bins")
            try await home.ada.assign([bins: 2], to: home.mia)
            try await home.schedule(dishes, for: [home.mia, home.ben], with: ["distribution": "points"])
            #expect(try await home.due() == ["due Ben Dishes"])
            try await home.ada.assign([bins: 3], to: home.ben)
            #expect(try await home.due() == ["due Ben Dishes"])
            site.clock.advance(seconds: 24 * 60 * 60)
            #expect(try await home.due() == ["overdue Ben Dishes", "due Mia Dishes"])
        }
    }

    @Test("F-25-A: Points for another child's turn are refused when the request names the date")
    func anotherTurn() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            try await home.schedule(dishes, for: [home.mia, home.ben], with: ["distribution": "turns"])
            let entry: [String: any Sendable] = ["choreId": dishes, "points": 1, "occurrence": Home.firstDay]
            let refused = try await home.ada.send(.post, "\(home.ben)/assignments", json: ["chores": [entry]])
            #expect(refused.status == 409)
            let fields = try refused.error().object("fields")
            #expect(fields.keys == ["chores.0.occurrence"])
            #expect(fields.text("chores.0.occurrence") == "Another child is doing this.")
            #expect(try await home.ada.score(of: home.ben) == [0, 0, 0])
        }
    }

    @Test("F-25-A, F-38-A: An unknown way to share a chore and more than 3 points in advance are refused")
    func refusesSharing() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let path = Home.schedule(of: try await home.ada.chore())
            let faults: [(field: String, value: any Sendable)] = [("distribution", "dice"), ("offeredPoints", 4)]
            for (field, value) in faults {
                let body: [String: any Sendable] = [
                    "childIds": [Home.id(home.mia)], "startsOn": Home.firstDay, field: value,
                ]
                let refused = try await home.ada.send(.put, path, json: body)
                #expect(refused.status == 422, "\(field)")
                #expect(try refused.error().object("fields").keys == [field])
            }
            #expect(try await home.ada.send(.get, path).status == 404)
        }
    }

    @Test("F-26-B: A parent gives a chore to one of the children, who is notified, and takes it back")
    func givesOut() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            try await home.schedule(dishes, for: [home.mia, home.ben], with: ["distribution": "first"])
            let device = try await site.device(of: home.ben, by: home.ada)
            let turn = "\(home.ben)/turns/\(dishes)/\(Home.firstDay)"
            let offer = "aria-label=\"Ben does “Dishes”\""
            let before = try await home.ada.page("/family/today").text
            #expect(before.contains("action=\"\(turn)?_method=put\"") && before.contains(offer))
            let given = try await home.ada.submit("\(turn)?_method=put", [:])
            #expect(given.header("location") == "/family/today")
            #expect(try given.toast() == "The chore was given out")
            #expect(try await home.today(of: home.ben).contains("aria-label=\"Give 1 point for “Dishes”\""))
            #expect(try await device.page("/notifications").text.contains("It’s your turn: Dishes"))
            let undo = try #require(try given.toastUndo())
            #expect(undo == "\(turn)?_method=delete")
            let undone = try await home.ada.submit(undo, [:])
            #expect(undone.header("location") == "/family/today")
            #expect(try await home.ada.page("/family/today").text.contains(offer))
        }
    }

    // MARK: Pauses

    @Test("F-27-A: A pause that starts in the past or ends before it starts is marked, and a child can't add one")
    func refusesPause() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let refused = try await home.ada.submit(
                "/family/pauses", ["childId": "", "startsOn": "2026-02-28", "endsOn": "2026-02-27"])
            #expect(refused.status == 422)
            for (field, typed) in [("startsOn", "2026-02-28"), ("endsOn", "2026-02-27")] {
                let control = try refused.control(field)
                #expect(control.contains("aria-invalid=\"true\"") && control.contains("value=\"\(typed)\""))
            }
            #expect(refused.text.contains("id=\"startsOn-error\">Enter today or a later day.</p>"))
            #expect(
                refused.text.contains("id=\"endsOn-error\">Enter the first day of the pause or a later day.</p>"))
            #expect(try await home.ada.send(.get, "/family/pauses").object().list("items").isEmpty)
            let device = try await site.device(of: home.mia, by: home.ada)
            #expect(try await device.send(.post, "/family/pauses", json: [:]).status == 403)
        }
    }
}

import Accounts
import Kernel
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Family

/// The clock of a fixture shows Sunday, 2026-03-01 at 12:00 UTC.
@Suite("Schedules of chores, and what is to do today")
struct ScheduleTests {
    @Test("F-23: A schedule is set, replaced and ended, with a version for each change", arguments: Engine.allCases)
    func changes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chore = try await fixture.chore(of: ada)
            let service = fixture.family.schedules
            #expect(try await service.details(of: chore, for: ada).schedule == nil)
            let first = try await fixture.schedule(
                chore, for: [kim, leo, kim], rule: "FREQ=WEEKLY;BYDAY=TH,MO", dueTime: "18:00", by: ada)
            #expect(first.children == [kim, leo])
            #expect(first.rule?.rfc5545 == "FREQ=WEEKLY;BYDAY=MO,TH")
            #expect(first.dueTime == LocalTime(hour: 18, minute: 0))
            #expect(first.version == 1)
            let second = try await fixture.schedule(chore, for: [leo], rule: nil, zone: "Europe/Berlin", by: ada)
            #expect(second.version == 2)
            #expect(second.rule == nil && second.dueTime == nil)
            let details = try await service.details(of: chore, for: ada)
            #expect(details.schedule == second)
            #expect(details.timeZone == "Europe/Berlin")
            let stale = await refusal {
                let input = ChoreScheduleInput(children: ["\(kim)"], startsOn: "2026-03-01")
                _ = try await service.set(input, of: chore, by: Change(actor: ada, ifVersion: 1))
            }
            #expect(stale?.code == .conflict)
            try await service.remove(of: chore, by: Change(actor: ada, ifVersion: 2))
            #expect(try await service.details(of: chore, for: ada).schedule == nil)
            let gone = await refusal { try await service.remove(of: chore, by: Change(actor: ada)) }
            #expect(gone?.code == .notFound)
            #expect(try await fixture.schedule(chore, for: [kim], by: ada).version == 3)
        }
    }

    @Test("F-23: Wrong fields of a schedule are named together, and only parents set one", arguments: Engine.allCases)
    func refusals(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let bob = try await fixture.parent("Bob")
            let kim = try await fixture.child(of: ada)
            let stranger = try await fixture.child("Zoe", of: bob)
            let chore = try await fixture.chore(of: ada)
            let service = fixture.family.schedules
            func fields(_ input: ChoreScheduleInput) async -> Set<String> {
                let error = await refusal { _ = try await service.set(input, of: chore, by: Change(actor: ada)) }
                #expect(error?.code == .invalid)
                return Set((error?.fields ?? [:]).keys)
            }
            let wrong = ChoreScheduleInput(
                children: [], startsOn: "2026-02-30", dueTime: "25:00", rule: "FREQ=HOURLY", timeZone: "Mars/Base")
            #expect(await fields(wrong) == ["childIds", "startsOn", "dueTime", "rule", "timeZone"])
            #expect(await fields(ChoreScheduleInput()) == ["childIds", "startsOn"])
            #expect(await fields(ChoreScheduleInput(children: ["x"], startsOn: "2026-03-01")) == ["childIds"])
            let foreign = ChoreScheduleInput(children: ["\(stranger)"], startsOn: "2026-03-01")
            #expect(await fields(foreign) == ["childIds"])
            let ended = ChoreScheduleInput(
                children: ["\(kim)"], startsOn: "2026-03-02", rule: "FREQ=DAILY;UNTIL=20260301")
            #expect(await fields(ended) == ["rule"])
            let good = ChoreScheduleInput(children: ["\(kim)"], startsOn: "2026-03-01")
            for (actor, code) in [(fixture.asking(kim), AppError.Code.forbidden), (bob, .notFound)] {
                let error = await refusal { _ = try await service.set(good, of: chore, by: Change(actor: actor)) }
                #expect(error?.code == code)
            }
            #expect(try await fixture.count("family_schedule") == 0)
        }
    }

    @Test("F-24: Today has what is overdue, due, waiting, done and next", arguments: Engine.allCases)
    func today(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let dishes = try await fixture.chore("Dishes", of: ada)
            let bins = try await fixture.chore("Bins", of: ada)
            try await fixture.schedule(dishes, for: [kim, leo], rule: "FREQ=DAILY", dueTime: "18:00", by: ada)
            try await fixture.schedule(bins, for: [kim], rule: "FREQ=WEEKLY;BYDAY=MO", by: ada)
            #expect(
                try await fixture.today(ada) == [
                    "due Kim Dishes 03-01", "due Leo Dishes 03-01", "next Kim Dishes 03-02", "next Leo Dishes 03-02",
                    "next Kim Bins 03-02",
                ])
            // Monday evening, after 18:00.
            fixture.clock.advance(seconds: 30 * 60 * 60 + 1)
            #expect(
                try await fixture.today(fixture.asking(kim)) == [
                    "overdue Kim Dishes 03-01", "overdue Kim Dishes 03-02", "due Kim Bins 03-02",
                    "next Kim Dishes 03-03", "next Kim Bins 03-09",
                ])
            let asking = Change(actor: fixture.asking(kim))
            _ = try await fixture.family.requests.create(dishes, occurrence: "2026-03-01", for: kim, by: asking)
            let request = try await fixture.family.requests.create(
                dishes, occurrence: "2026-03-02", for: kim, by: asking)
            _ = try await fixture.family.requestDecisions.approve(
                request.id, of: kim, points: 2, by: Change(actor: ada))
            #expect(
                try await fixture.today(fixture.asking(kim)) == [
                    "due Kim Bins 03-02", "waiting Kim Dishes 03-01", "done Kim Dishes 03-02", "next Kim Dishes 03-03",
                    "next Kim Bins 03-09",
                ])
            // Four days later, the first occurrence isn't overdue any more.
            fixture.clock.advance(seconds: 4 * 24 * 60 * 60)
            let later = try await fixture.today(fixture.asking(leo))
            #expect(
                later == [
                    "overdue Leo Dishes 03-03", "overdue Leo Dishes 03-04", "overdue Leo Dishes 03-05",
                    "overdue Leo Dishes 03-06", "next Leo Dishes 03-07",
                ])
            try await fixture.checkPoints()
        }
    }

    @Test("F-24: A changed rule keeps what was done and what is overdue", arguments: Engine.allCases)
    func changedRule(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
            fixture.clock.advance(seconds: 24 * 60 * 60)
            _ = try await fixture.give(chore, on: "2026-03-02", to: kim, by: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=WEEKLY;BYDAY=SU", by: ada)
            // The new rule has no occurrence before the day of the change.
            #expect(
                try await fixture.today(ada) == [
                    "overdue Kim Dishes 03-01", "done Kim Dishes 03-02", "next Kim Dishes 03-08",
                ])
            try await fixture.family.schedules.remove(of: chore, by: Change(actor: ada))
            #expect(try await fixture.today(ada) == ["done Kim Dishes 03-02"])
            #expect(try await fixture.points(kim, ada) == [0, 1, 0])
        }
    }

    @Test("F-24: An occurrence counts once, also for other days or an extra request", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
            let asking = Change(actor: fixture.asking(kim))
            // Without a date it is today's occurrence. The parent's points close the request.
            #expect(
                try await fixture.family.requests.create(chore, for: kim, by: asking).occurrence?.text == "2026-03-01")
            let repeated = await refusal { _ = try await fixture.family.requests.create(chore, for: kim, by: asking) }
            #expect(repeated?.code == .conflict)
            let given = try await fixture.family.assignments.assign(.each([chore], 3), to: kim, by: Change(actor: ada))
            #expect(given.map(\.occurrence?.text) == ["2026-03-01"])
            #expect(try await fixture.count("family_request") == 0)
            for date in ["2026-03-01", "2026-02-28", "2026-03-02"] {
                let error = await refusal { _ = try await fixture.give(chore, on: date, to: kim, by: ada) }
                #expect(error?.code == .conflict)
                #expect(error?.fields.keys.contains("chores.0.occurrence") == true)
                let asked = await refusal {
                    _ = try await fixture.family.requests.create(chore, occurrence: date, for: kim, by: asking)
                }
                #expect(asked?.fields.keys.contains("occurrence") == true)
            }
            // What is done again on the same day counts for no occurrence.
            let extra = try await fixture.family.assignments.assign(.each([chore], 1), to: kim, by: Change(actor: ada))
            #expect(extra.map(\.occurrence) == [nil])
            // An undone occurrence is open again.
            try await fixture.family.assignments.undo(given[0].id, of: kim, by: Change(actor: ada))
            #expect(try await fixture.today(ada).first == "due Kim Dishes 03-01")
            _ = try await fixture.give(chore, on: "2026-03-01", to: kim, by: ada)
            #expect(try await fixture.points(kim, ada) == [0, 2, 0])
            try await fixture.checkPoints()
        }
    }

    @Test("F-23: Changing the rule and the time zone, and both back, keeps one occurrence", arguments: Engine.allCases)
    func zoneAndBack(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            // It is 2 March in Auckland and 1 March in Honolulu.
            fixture.clock.advance(seconds: 6 * 60 * 60)
            let zones = ["Pacific/Auckland", "Pacific/Honolulu"]
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", zone: zones[0], by: ada)
            for zone in zones + zones.reversed() + zones {
                try await fixture.schedule(chore, for: [kim], rule: "FREQ=WEEKLY;BYDAY=SU,MO", zone: zone, by: ada)
                try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", zone: zone, by: ada)
                let today = try await fixture.family.today.today(for: ada)
                let dates = today.entries.map(\.date)
                #expect(Set(dates).count == dates.count, "\(zone): \(dates)")
                #expect(today.count(.due) == 1)
            }
        }
    }

    @Test("F-23: A rule of another program is read, and one that isn't supported is refused by its part")
    func rulesOfPrograms() throws {
        func draft(_ rule: String, start: String? = nil, time: String? = nil, zone: String? = nil) throws
            -> ChoreScheduleDraft
        {
            try ChoreScheduleDraft(
                ChoreScheduleInput(
                    children: ["\(PersonID(at: Instant(millisecondsSince1970: 0), series: 1))"], startsOn: start,
                    dueTime: time, rule: rule, timeZone: zone))
        }
        let apple = "DTSTART;TZID=Europe/Berlin:20260301T183000\r\nRRULE:FREQ=DAILY;BYDAY=SA,SU"
        let read = try draft(apple)
        #expect(read.startsOn.text == "2026-03-01" && read.dueTime?.text == "18:30")
        #expect(read.rule?.rfc5545 == "FREQ=WEEKLY;BYDAY=SA,SU" && read.timeZone?.identifier == "Europe/Berlin")
        #expect(try draft(apple, start: "2026-03-01", time: "18:30", zone: "Europe/Berlin").dueTime?.text == "18:30")
        let utc = "DTSTART:20260301T233000Z\nRRULE:FREQ=DAILY"
        #expect(try draft(utc, zone: "Europe/Berlin").startsOn.text == "2026-03-02")
        let differs = FamilyMessage.scheduleStartDiffers.text
        for (start, time, zone) in [
            ("2026-03-02", nil, nil), (nil, "18:00", nil), (nil, nil, "Europe/Paris"),
        ] as [(String?, String?, String?)] {
            let error = try? refusalOf { _ = try draft(apple, start: start, time: time, zone: zone) }
            #expect(error?.fields["rule"] == differs)
        }
        #expect(try refusalOf { _ = try draft(utc) }?.fields["rule"] == differs)
        for (rule, part) in [
            ("FREQ=DAILY;BYHOUR=9", "BYHOUR"), ("RRULE:FREQ=HOURLY", "FREQ"), ("RRULE:INTERVAL=2", "FREQ"),
            ("RRULE:FREQ=DAILY\nEXDATE:20260303", "EXDATE"), ("FREQ=DAILY;COUNT=2;COUNT=3", "COUNT"),
            ("FREQ=DAILY;COUNT=2;UNTIL=20260401", "UNTIL"), ("FREQ=YEARLY;BYDAY=1MO", "BYMONTH"),
            ("DTSTART;TZID=Mars/Base:20260301T080000\nRRULE:FREQ=DAILY", "TZID"),
            ("RRULE:FREQ=DAILY\nRRULE:FREQ=DAILY", "RRULE"),
        ] {
            let error = try refusalOf { _ = try draft(rule, start: "2026-03-01") }
            #expect(error?.fields["rule"]?.contains(part) == true, "\(rule): \(String(describing: error))")
        }
    }

    private func refusalOf(_ body: () throws -> Void) throws -> AppError? {
        do {
            try body()
            return nil
        } catch let error as AppError {
            return error
        }
    }

    @Test("F-24: Many who report an occurrence at once make it count once", arguments: Engine.allCases)
    func atOnce(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let chore = try await fixture.chore(of: ada)
            for _ in 0..<Counts.races {
                let kim = try await fixture.child(of: ada)
                try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
                let asking = Change(actor: fixture.asking(kim))
                let request = try await fixture.family.requests.create(chore, for: kim, by: asking).id
                let codes = await together([
                    { _ = try await fixture.give(chore, on: "2026-03-01", to: kim, by: ada) },
                    { _ = try await fixture.give(chore, on: "2026-03-01", to: kim, by: ben) },
                    {
                        _ = try await fixture.family.requestDecisions.approve(
                            request, of: kim, points: 1, by: Change(actor: ben))
                    },
                    { _ = try await fixture.give(chore, on: "2026-03-01", to: kim, by: ada) },
                ])
                #expect(codes.filter { $0 == nil }.count == 1, "\(codes)")
                #expect(try await fixture.points(kim, ada) == [0, 1, 0])
            }
            #expect(try await fixture.count("family_request") == 0)
            try await fixture.checkPoints()
        }
    }

    @Test("F-24: The database refuses a second assignment of an occurrence", arguments: Engine.allCases)
    func uniqueRows(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
            _ = try await fixture.give(chore, on: "2026-03-01", to: kim, by: ada)
            let copy: SQL = """
                INSERT INTO family_assignment (id, child_id, booking_id, chore_id, name, picture_id, points, at,
                    occurrence_date)
                SELECT 'copy', child_id, booking_id, chore_id, name, picture_id, points, at, occurrence_date
                FROM family_assignment
                """
            await #expect(throws: StorageError.self) {
                try await fixture.database.write { tx in try tx.executeAndWait(copy) }
            }
            #expect(try await fixture.count("family_assignment") == 1)
        }
    }

    @Test("F-23: A due time keeps its place on the clock when clocks change", arguments: Engine.allCases)
    func clockChange(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            // Clocks are set from 02:00 to 03:00 on 29 March, so 02:30 is 03:30, which is 01:30 UTC.
            fixture.clock.set(try #require(Instant(rfc3339: "2026-03-28T12:00:00Z")))
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(
                chore, for: [kim], rule: "FREQ=DAILY", dueTime: "02:30", start: "2026-03-29", zone: "Europe/Berlin",
                by: ada)
            fixture.clock.set(try #require(Instant(rfc3339: "2026-03-29T01:29:59Z")))
            #expect(try await fixture.today(ada).first == "due Kim Dishes 03-29")
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.today(ada).first == "overdue Kim Dishes 03-29")
            // The date is that of the family: 30 March there, 29 March in UTC.
            fixture.clock.set(try #require(Instant(rfc3339: "2026-03-29T22:00:00Z")))
            #expect(try await fixture.today(ada).dropFirst().first == "due Kim Dishes 03-30")
        }
    }

    @Test("F-23: The last day of a month is due in short months too", arguments: Engine.allCases)
    func lastDay(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=MONTHLY;BYMONTHDAY=-1", by: ada)
            #expect(try await fixture.today(ada) == ["next Kim Dishes 03-31"])
            fixture.clock.set(try #require(Instant(rfc3339: "2026-04-30T00:00:00Z")))
            #expect(try await fixture.today(ada) == ["due Kim Dishes 04-30", "next Kim Dishes 05-31"])
        }
    }

    @Test("Deleted chores and children aren't due; a child's data goes with it", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim, leo], rule: "FREQ=DAILY", by: ada)
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            #expect(try await fixture.today(ada) == ["due Leo Dishes 03-01", "next Leo Dishes 03-02"])
            #expect(try await fixture.family.schedules.details(of: chore, for: ada).schedule?.children == [leo])
            try await fixture.database.write { tx in try ChildDataStore.deleteAll(of: kim, in: tx) }
            #expect(try await fixture.count("family_schedule_child") == 1)
            try await fixture.family.chores.delete(chore, by: Change(actor: ada))
            #expect(try await fixture.today(ada).isEmpty)
            fixture.clock.advance(seconds: Limits.familyUndoSeconds + 1)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("family_schedule") == 0)
        }
    }

    @Test("What is done and what is scheduled is found by indexes, so the history costs nothing")
    func boundedCost() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let household = try await fixture.database.read { tx in
                try #require(try HouseholdStore.member(ada.person, in: tx)).household
            }
            var plans: [String] = []
            for query in [
                AssignmentStore.occurrencesQuery(of: [ada.person], since: .last),
                ScheduleStore.applyingQuery(since: .last, of: household),
            ] { plans.append(try await fixture.plan(of: query)) }
            #expect(plans[0].contains("family_assignment_occurrence (child_id=? AND occurrence_date>?)"), "\(plans[0])")
            #expect(plans[1].contains("family_schedule_chore (chore_id=? AND applies_until>?)"), "\(plans[1])")
            #expect(!plans.joined().contains("SCAN"), "\(plans)")
        }
    }
}

extension FamilyFixture {
    @discardableResult
    func schedule(
        _ chore: ID<Chore>, for children: [PersonID], rule: String? = nil, dueTime: String? = nil,
        start: String = "2026-03-01", distribution: ChoreDistribution? = nil, zone: String? = nil, by actor: Actor
    ) async throws -> ChoreSchedule {
        let input = ChoreScheduleInput(
            children: children.map(\.description), startsOn: start, dueTime: dueTime, rule: rule,
            distribution: distribution?.rawValue, timeZone: zone)
        return try await family.schedules.set(input, of: chore, by: Change(actor: actor))
    }

    /// Gives one point for an occurrence.
    func give(
        _ chore: ID<Chore>, on date: String, to child: PersonID, by actor: Actor
    ) async throws -> [Assignment] {
        try await family.assignments.assign(
            [AssignmentInput(choreID: chore, points: 1, occurrence: date)], to: child, by: Change(actor: actor))
    }

    /// Returns the entries of *Today* as `state child chore month-day`.
    func today(_ actor: Actor) async throws -> [String] {
        let today = try await family.today.today(for: actor)
        let names = Dictionary(uniqueKeysWithValues: today.children.map { ($0.id, $0.name) })
        return today.entries.map { entry in
            "\(entry.state) \(entry.childID.map { names[$0] ?? "?" } ?? "anyone") \(entry.name) \(entry.date?.text.dropFirst(5) ?? "-")"
        }
    }
}

import Accounts
import Kernel
import Notifications
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Family

/// The clock of a fixture shows Sunday, 2026-03-01 at 12:00 UTC.
@Suite("Streaks and the summary of a week")
struct StreakTests {
    private static let hour: Int64 = 3_600
    private static let day: Int64 = 24 * hour

    @Test("F-39: A streak bears a missed day for each seven days, and never goes below zero")
    func rule() throws {
        let child = PersonID(at: Instant(millisecondsSince1970: 0), series: 1)
        var streak = Streak(childID: child, days: 0, bestDays: 0, freezes: 0)
        func pass(_ days: StreakRule.Day...) { for day in days { streak = StreakRule.after(day, streak) } }
        pass(.missed, .free)
        #expect(streak.days == 0 && streak.freezes == 0)
        for _ in 0..<7 { pass(.done) }
        #expect(streak.days == 7 && streak.freezes == 1)
        pass(.missed, .free, .done)
        #expect(streak.days == 8 && streak.freezes == 0)
        pass(.missed)
        #expect(streak.days == 0 && streak.bestDays == 8)
        for _ in 0..<50 { pass(.done) }
        #expect(streak.days == 50 && streak.freezes == Limits.streakFreezes)
    }

    @Test(
        "F-39: What is done or reported counts; a missed day ends a streak, a pause doesn't", arguments: Engine.allCases
    )
    func days(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let mia = try await fixture.child("Mia", of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim, leo, mia], rule: "FREQ=DAILY", by: ada)
            func streaks() async throws -> [Int] {
                let today = try await fixture.family.today.today(for: ada)
                return [kim, leo, mia].map(today.streakDays)
            }
            func pass(_ seconds: Int64) async throws {
                fixture.clock.advance(seconds: seconds)
                try await fixture.family.housekeeping.run()
            }
            for number in 1...3 {
                _ = try await fixture.family.assignments.assign(.each([chore], 1), to: kim, by: Change(actor: ada))
                _ = try await fixture.family.requests.create(
                    chore, occurrence: "2026-03-0\(number)", for: leo, by: Change(actor: fixture.asking(leo)))
                #expect(try await streaks() == [number, number, 0])
                try await pass(Self.day)
                #expect(try await streaks() == [number, number, 0])
            }
            _ = try await fixture.family.pauses.create(PauseInput(child: "\(leo)"), by: Change(actor: ada))
            try await pass(Self.day)
            #expect(try await streaks() == [0, 3, 0])
            // Another run of the job on the same day changes nothing.
            try await pass(Self.hour)
            #expect(try await streaks() == [0, 3, 0])
        }
    }

    @Test("F-39: A day counts when the chore was done, not when a parent decides, and once", arguments: Engine.allCases)
    func lateDecision(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            let other = try await fixture.chore("Bins", of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
            let household = try await fixture.database.read { tx in
                try #require(try HouseholdStore.member(kim, in: tx)).household
            }
            func days() async throws -> Int {
                try await fixture.family.today.today(for: ada).streaks[kim]?.days ?? 0
            }
            func review() async throws {
                try await fixture.database.write { tx in
                    try StreakStore.setNextReview(fixture.now, of: household, in: tx)
                }
                try await fixture.family.housekeeping.run()
            }
            let asking = Change(actor: fixture.asking(kim))
            // A chore without a schedule counts on the day of the report.
            let asked = try await fixture.family.requests.create(other, for: kim, by: asking)
            fixture.clock.advance(seconds: Self.day)
            try await review()
            #expect(try await days() == 1)
            try await review()
            #expect(try await days() == 1)
            let due = try await fixture.family.requests.create(chore, occurrence: "2026-03-02", for: kim, by: asking)
            fixture.clock.advance(seconds: Self.day)
            try await review()
            #expect(try await days() == 2)
            // The chore of the day before is approved. Nothing is done on this day.
            _ = try await fixture.family.requestDecisions.approve(due.id, of: kim, points: 1, by: Change(actor: ada))
            try await fixture.family.requests.withdraw(asked.id, of: kim, by: asking)
            fixture.clock.advance(seconds: Self.day)
            try await review()
            #expect(try await days() == 0)
        }
    }

    @Test("F-39: Days before the first review count, also when it comes late", arguments: Engine.allCases)
    func lateFirstReview(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
            for days in 1...3 {
                let request = try await fixture.family.requests.create(
                    chore, for: kim, by: Change(actor: fixture.asking(kim)))
                fixture.clock.advance(seconds: Self.day)
                _ = try await fixture.family.requestDecisions.approve(
                    request.id, of: kim, points: 1, by: Change(actor: ada))
                #expect(try await fixture.family.today.today(for: ada).streakDays(of: kim) == days)
            }
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.family.today.today(for: ada).streakDays(of: kim) == 3)
        }
    }

    @Test("F-39: A late approval, record, decline or undo changes the day of the chore", arguments: Engine.allCases)
    func lateChanges(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
            let asking = Change(actor: fixture.asking(kim))
            func days() async throws -> Int {
                try await fixture.family.today.today(for: ada).streakDays(of: kim)
            }
            func pass() async throws {
                fixture.clock.advance(seconds: Self.day)
                try await fixture.family.housekeeping.run()
            }
            // Reported in the evening, approved on the next morning: one day.
            let first = try await fixture.family.requests.create(chore, for: kim, by: asking)
            #expect(try await days() == 1)
            try await pass()
            _ = try await fixture.family.requestDecisions.approve(first.id, of: kim, points: 1, by: Change(actor: ada))
            #expect(try await days() == 1)
            // Nothing is recorded on 2 March, which ends the streak, until a parent records it a day later.
            try await pass()
            #expect(try await days() == 0)
            let late = try await fixture.give(chore, on: "2026-03-02", to: kim, by: ada)
            #expect(try await days() == 2)
            let third = try await fixture.family.requests.create(
                chore, occurrence: "2026-03-03", for: kim, by: asking)
            try await pass()
            try await pass()
            #expect(try await days() == 0)
            // What the child does days later counts on that day.
            let fourth = try await fixture.family.requests.create(
                chore, occurrence: "2026-03-04", for: kim, by: asking)
            #expect(try await days() == 1)
            _ = try await fixture.give(chore, on: "2026-03-04", to: kim, by: ada)
            #expect(fourth.occurrence?.text == "2026-03-04")
            #expect(try await days() == 1)
            // A declined request and an undone assignment don't count any more.
            try await fixture.family.requestDecisions.decline(third.id, of: kim, by: Change(actor: ada))
            try await fixture.family.assignments.undo(late[0].id, of: kim, by: Change(actor: ada))
            #expect(try await days() == 1)
            #expect(try await fixture.family.today.today(for: ada).streaks[kim]?.bestDays == 1)
        }
    }

    @Test("F-39: Old days become part of the stored streak", arguments: Engine.allCases)
    func closedDays(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
            let count = Limits.streakOpenDays + 10
            for day in 1...count {
                _ = try await fixture.family.assignments.assign(.each([chore], 1), to: kim, by: Change(actor: ada))
                fixture.clock.advance(seconds: Self.day)
                try await fixture.family.housekeeping.run()
                let today = try await fixture.family.today.today(for: ada)
                #expect(today.streakDays(of: kim) == day)
            }
            #expect(try await fixture.count("family_due_day") <= Limits.streakOpenDays)
            let stored = try await fixture.database.read { tx in try StreakStore.streaks(of: [kim], in: tx)[kim] }
            #expect(stored?.streak.days == 10)
        }
    }

    @Test(
        "F-39: On Monday morning the child and the parents get the summary of the week, once",
        arguments: Engine.allCases)
    func week(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim, leo], rule: "FREQ=DAILY", by: ada)
            _ = try await fixture.family.assignments.assign(.each([chore], 2), to: kim, by: Change(actor: ada))
            let undone = try await fixture.family.assignments.assign(.each([chore], 3), to: kim, by: Change(actor: ada))
            try await fixture.family.assignments.undo(undone[0].id, of: kim, by: Change(actor: ada))
            fixture.clock.advance(seconds: 18 * Self.hour)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.notices(.weekReviewed).isEmpty)
            fixture.clock.advance(seconds: Self.hour)
            let runs = (0..<3).map { _ -> @Sendable () async throws -> Void in
                { try await fixture.family.housekeeping.run() }
            }
            _ = await together(runs)
            let told = try await fixture.notices(.weekReviewed)
            #expect(Set(told.map(\.person)) == [kim, ada.person] && told.count == 2)
            #expect(told.allSatisfy { $0.details["points"] == "2" && $0.details["chores"] == "1" })
            // A week without chores has no summary.
            fixture.clock.advance(seconds: 7 * Self.day)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.notices(.weekReviewed).count == 2)
        }
    }

    @Test("The job finds households by the time of their review")
    func boundedCost() async throws {
        try await withFixture(.sqlite) { fixture in
            let plan = try await fixture.plan(of: StreakStore.dueReviewsQuery(at: fixture.now, limit: 10))
            #expect(plan.contains("family_household_review (next_review_at<?)"), "\(plan)")
            let child = PersonID(at: fixture.now, series: 1)
            let days = try await fixture.plan(of: AssignmentStore.daysDoneQuery(by: [child], after: .last))
            #expect(days.contains("family_assignment_done (child_id=? AND done_on>?)"), "\(days)")
        }
    }
}

import Accounts
import Kernel
import Notifications
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Skipped dates of chores")
struct SkipTests {
    private struct Home {
        let fixture: FamilyFixture
        let ada: Actor
        let kim: PersonID
        let lee: PersonID
        let chore: ID<Chore>

        init(_ fixture: FamilyFixture, _ distribution: ChoreDistribution) async throws {
            self.fixture = fixture
            ada = try await fixture.parent()
            kim = try await fixture.child(of: ada)
            lee = try await fixture.child("Lee", of: ada)
            chore = try await fixture.chore(of: ada)
            try await fixture.schedule(
                chore, for: [kim, lee], rule: "FREQ=DAILY", distribution: distribution, by: ada)
        }

        func date(_ days: Int64) -> String {
            String(fixture.now.adding(seconds: days * 24 * 60 * 60).rfc3339.prefix(10))
        }

        func skip(_ days: Int64) async throws {
            try await fixture.family.skips.skip(chore, on: date(days), by: Change(actor: ada))
        }

        /// The children who have the chore on each of the next dates, by their names; `-` for a skipped one.
        func turns() async throws -> [String] {
            let details = try await fixture.family.schedules.details(of: chore, for: ada)
            return details.dates.map { date in
                date.isSkipped ? "-" : date.childID == kim ? "Kim" : date.childID == lee ? "Lee" : "any"
            }
        }

        func due() async throws -> Set<PersonID?> {
            let today = try await fixture.family.today.today(for: ada)
            return Set(today.entries.filter { $0.state == .due && $0.date == today.date }.map(\.childID))
        }
    }

    @Test("A skipped chore isn't due for anyone, and is due again after it is restored", arguments: Engine.allCases)
    func skipped(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture, .each)
            #expect(try await home.due() == [home.kim, home.lee])
            try await home.skip(0)
            try await home.skip(0)
            #expect(try await home.due() == [])
            #expect(try await home.turns() == ["-", "any", "any", "any", "any", "any"])
            let error = await refusal {
                _ = try await fixture.family.requests.create(
                    home.chore, occurrence: home.date(0), for: home.kim, by: Change(actor: fixture.asking(home.kim)))
            }
            #expect(error == AppError(.conflict, FamilyMessage.occurrenceNotDue, field: "occurrence"))
            try await fixture.family.skips.restore(home.chore, on: home.date(0), by: Change(actor: home.ada))
            #expect(try await home.due() == [home.kim, home.lee])
        }
    }

    @Test("The turns of the other dates stay, also swapped ones", arguments: Engine.allCases)
    func turns(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture, .turns)
            let before = try await home.turns()
            #expect(Set(before) == ["Kim", "Lee"])
            try await home.skip(0)
            #expect(try await home.turns() == ["-"] + before.dropFirst())
            try await home.skip(2)
            #expect(try await home.turns() == ["-", before[1], "-"] + before.dropFirst(3))
            for day in [0, 2] as [Int64] {
                try await fixture.family.skips.restore(home.chore, on: home.date(day), by: Change(actor: home.ada))
            }
            #expect(try await home.turns() == before)
        }
    }

    @Test("Only a date on which the chore is due can be skipped", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture, .each)
            let notDue = AppError(.conflict, FamilyMessage.occurrenceNotDue, field: "date")
            #expect(await refusal { try await home.skip(-1) } == notDue)
            #expect(await refusal { try await home.skip(-30) } == notDue)
            for text in ["tomorrow", "2026-02-30", ""] {
                let error = await refusal {
                    try await fixture.family.skips.skip(home.chore, on: text, by: Change(actor: home.ada))
                }
                #expect(error == .notFound)
            }
            _ = try await fixture.family.requests.create(
                home.chore, for: home.kim, by: Change(actor: fixture.asking(home.kim)))
            #expect(
                await refusal { try await home.skip(0) }
                    == AppError(.conflict, FamilyMessage.occurrenceDone, field: "date"))
            let child = await refusal {
                try await fixture.family.skips.skip(
                    home.chore, on: home.date(1), by: Change(actor: fixture.asking(home.kim)))
            }
            #expect(child?.code == .forbidden)
            let unskipped = await refusal {
                try await fixture.family.skips.restore(home.chore, on: home.date(1), by: Change(actor: home.ada))
            }
            #expect(unskipped == .notFound)
        }
    }

    @Test("No reminder comes for a skipped date", arguments: Engine.allCases)
    func reminders(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture, .each)
            _ = try await fixture.family.schedules.set(
                ChoreScheduleInput(
                    children: [home.kim.description], startsOn: home.date(0), dueTime: "23:00", rule: "FREQ=DAILY",
                    remindMinutesBefore: 60),
                of: home.chore, by: Change(actor: home.ada))
            try await home.skip(0)
            for _ in 0..<24 {
                fixture.clock.advance(seconds: 60 * 60)
                try await fixture.family.housekeeping.run()
            }
            let told = try await fixture.notices(.choreDue).filter { $0.person == home.kim }
            // Only for the day after.
            #expect(told.count <= 1)
            #expect(told.allSatisfy { $0.details["until"]?.hasPrefix(home.date(0)) ?? false })
        }
    }
}

import Accounts
import Kernel
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Family

/// The clock of a fixture shows Sunday, 2026-03-01 at 12:00 UTC.
@Suite("Chores that are done in advance")
struct AdvanceTests {
    private static let day: Int64 = 24 * 60 * 60
    private static let saturdays = "FREQ=WEEKLY;BYDAY=SA"

    @Test(
        "F-24: A chore done on Friday counts for Saturday, for parents and children",
        arguments: Engine.allCases)
    func dayBefore(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let sheets = try await fixture.chore("Sheets", of: ada)
            try await fixture.schedule(sheets, for: [kim, leo], rule: Self.saturdays, by: ada)
            let early = await refusal { _ = try await fixture.give(sheets, on: "2026-03-07", to: kim, by: ada) }
            #expect(
                early?.fields["chores.0.occurrence"]
                    == "It’s due on 2026-03-07. It can be recorded from 2026-03-04 on.")
            let next = await refusal { _ = try await fixture.give(sheets, on: "2026-03-14", to: kim, by: ada) }
            #expect(next?.message == "It’s due on 2026-03-14. It can be recorded from 2026-03-11 on.")
            let other = await refusal { _ = try await fixture.give(sheets, on: "2026-03-06", to: kim, by: ada) }
            #expect(other?.message == FamilyMessage.occurrenceNone.text)
            // Too early, it is an additional chore.
            let extra = try await fixture.family.assignments.assign(.each([sheets], 1), to: kim, by: Change(actor: ada))
            #expect(extra.map(\.occurrence) == [nil])
            // Friday.
            fixture.clock.advance(seconds: 5 * Self.day)
            let given = try await fixture.give(sheets, on: "2026-03-07", to: kim, by: ada)
            #expect(given.map(\.occurrence?.text) == ["2026-03-07"])
            let request = try await fixture.family.requests.create(
                sheets, for: leo, by: Change(actor: fixture.asking(leo)))
            #expect(request.occurrence?.text == "2026-03-07")
            #expect(
                try await fixture.today(ada) == [
                    "waiting Leo Sheets 03-07", "done Kim Sheets 03-07", "next Kim Sheets 03-14",
                    "next Leo Sheets 03-14",
                ])
            let twice = await refusal { _ = try await fixture.give(sheets, on: "2026-03-07", to: kim, by: ada) }
            #expect(twice?.message == FamilyMessage.occurrenceDone.text)
            // Saturday: nothing is due any more, and nothing is missed.
            fixture.clock.advance(seconds: Self.day)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.today(ada).contains { $0.hasPrefix("due") } == false)
            fixture.clock.advance(seconds: Self.day)
            try await fixture.family.housekeeping.run()
            // Kim’s additional chore, on the day of the schedule, counts as well.
            #expect(try await fixture.family.today.today(for: ada).streakDays(of: kim) == 2)
            #expect(try await fixture.family.today.today(for: ada).streakDays(of: leo) == 1)
            try await fixture.checkPoints()
        }
    }

    @Test("F-24: The time before a date begins after the date before it", arguments: Engine.allCases)
    func window(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY;INTERVAL=2", by: ada)
            // Done again on its date, it is additional; on the day between, it counts for the next one.
            let first = try await fixture.family.assignments.assign(.each([chore], 1), to: kim, by: Change(actor: ada))
            let again = try await fixture.family.assignments.assign(.each([chore], 1), to: kim, by: Change(actor: ada))
            #expect(first.map(\.occurrence?.text) == ["2026-03-01"] && again.map(\.occurrence) == [nil])
            let early = await refusal { _ = try await fixture.give(chore, on: "2026-03-03", to: kim, by: ada) }
            #expect(early?.message == "It’s due on 2026-03-03. It can be recorded from 2026-03-02 on.")
            fixture.clock.advance(seconds: Self.day)
            let third = try await fixture.family.assignments.assign(.each([chore], 1), to: kim, by: Change(actor: ada))
            #expect(third.map(\.occurrence?.text) == ["2026-03-03"])
        }
    }

    @Test(
        "F-24: A turn is done in advance by its child, also a swapped one, and the rotation goes on",
        arguments: Engine.allCases)
    func turns(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let mia = try await fixture.child("Mia", of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(
                chore, for: [kim, leo, mia], rule: Self.saturdays, distribution: .turns, by: ada)
            let asked = try await fixture.family.swaps.create(
                TurnSwapInput(
                    choreID: chore, occurrence: "2026-03-07", otherChoreID: chore, otherOccurrence: "2026-03-14"),
                for: kim, by: Change(actor: fixture.asking(kim)))
            _ = try await fixture.family.swaps.accept(asked.id, by: Change(actor: fixture.asking(leo)))
            try await fixture.family.swaps.approve(asked.id, by: Change(actor: ada))
            fixture.clock.advance(seconds: 5 * Self.day)
            let other = await refusal { _ = try await fixture.give(chore, on: "2026-03-07", to: kim, by: ada) }
            #expect(other?.message == FamilyMessage.occurrenceTaken.text)
            let request = try await fixture.family.requests.create(
                chore, for: leo, by: Change(actor: fixture.asking(leo)))
            #expect(request.occurrence?.text == "2026-03-07")
            _ = try await fixture.family.pauses.create(PauseInput(child: "\(mia)"), by: Change(actor: ada))
            let today = try await fixture.today(ada)
            #expect(today.contains("waiting Leo Dishes 03-07") && today.contains("next Kim Dishes 03-14"), "\(today)")
        }
    }

    @Test(
        "F-24: Of several children, the one who does a chore in advance has done it",
        arguments: [ChoreDistribution.points, .first], Engine.allCases)
    func shared(distribution: ChoreDistribution, engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(
                chore, for: [kim, leo], rule: Self.saturdays, distribution: distribution, by: ada)
            fixture.clock.advance(seconds: 5 * Self.day)
            _ = try await fixture.give(chore, on: "2026-03-07", to: leo, by: ada)
            let other = await refusal { _ = try await fixture.give(chore, on: "2026-03-07", to: kim, by: ada) }
            #expect(other?.message == FamilyMessage.occurrenceTaken.text)
            fixture.clock.advance(seconds: Self.day)
            #expect(try await fixture.today(ada).contains { $0.hasPrefix("due") } == false)
        }
    }
}

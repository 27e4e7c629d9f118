import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

/// The clock of a fixture shows Sunday, 2026-03-01 at 12:00 UTC. Kim, Leo and Mia take turns with the dishes.
@Suite("Swaps of turns")
struct SwapTests {
    private struct Home: Sendable {
        let fixture: FamilyFixture
        let ada: Actor
        let kim: PersonID
        let leo: PersonID
        let mia: PersonID
        let chore: ID<Chore>

        init(_ fixture: FamilyFixture) async throws {
            self.fixture = fixture
            ada = try await fixture.parent()
            kim = try await fixture.child(of: ada)
            leo = try await fixture.child("Leo", of: ada)
            mia = try await fixture.child("Mia", of: ada)
            chore = try await fixture.chore(of: ada)
            try await fixture.schedule(
                chore, for: [kim, leo, mia], rule: "FREQ=DAILY", distribution: .turns, by: ada)
        }

        func ask(_ child: PersonID, _ date: String, for other: String) async throws -> TurnSwap {
            let input = TurnSwapInput(choreID: chore, occurrence: date, otherChoreID: chore, otherOccurrence: other)
            return try await fixture.family.swaps.create(input, for: child, by: Change(actor: fixture.asking(child)))
        }

        func change(_ child: PersonID) -> Change { Change(actor: fixture.asking(child)) }
    }

    @Test("F-36: Two children swap when the other child and a parent agree", arguments: Engine.allCases)
    func swap(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let swaps = fixture.family.swaps
            let asked = try await home.ask(home.kim, "2026-03-01", for: "2026-03-03")
            #expect(asked.wanted.child.id == home.mia && !asked.isAccepted)
            let early = await refusal { try await swaps.approve(asked.id, by: Change(actor: home.ada)) }
            #expect(early?.code == .conflict)
            #expect(try await swaps.accept(asked.id, by: home.change(home.mia)).isAccepted)
            try await swaps.approve(asked.id, by: Change(actor: home.ada))
            #expect(
                try await fixture.today(home.ada) == [
                    "due Mia Dishes 03-01", "next Leo Dishes 03-02", "next Kim Dishes 03-03", "next Mia Dishes 03-06",
                ])
            #expect(try await swaps.list(for: home.ada).swaps.isEmpty)
            // The rotation goes on as if there had been no swap.
            _ = try await fixture.give(home.chore, on: "2026-03-01", to: home.mia, by: home.ada)
            fixture.clock.advance(seconds: 3 * 24 * 60 * 60)
            #expect(try await fixture.today(fixture.asking(home.kim)).contains("due Kim Dishes 03-04"))
            #expect(try await fixture.today(fixture.asking(home.kim)).contains("overdue Kim Dishes 03-03"))
            try await fixture.checkPoints()
        }
    }

    @Test("F-36: Declined and withdrawn swaps change no turn", arguments: Engine.allCases)
    func declined(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let before = try await fixture.today(home.ada)
            for person in [home.kim, home.leo, home.ada.person] {
                let asked = try await home.ask(home.kim, "2026-03-01", for: "2026-03-02")
                let actor = person == home.ada.person ? home.ada : fixture.asking(person)
                try await fixture.family.swaps.remove(asked.id, by: Change(actor: actor))
                let gone = await refusal {
                    _ = try await fixture.family.swaps.accept(asked.id, by: home.change(home.leo))
                }
                #expect(gone?.code == .notFound)
            }
            #expect(try await fixture.today(home.ada) == before)
            #expect(try await fixture.count("family_swap") == 0)
        }
    }

    @Test("F-36: Only one's own turn can be offered, only the other child agrees to it", arguments: Engine.allCases)
    func refusals(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let bob = try await fixture.parent("Bob")
            let swaps = fixture.family.swaps
            let foreign = await refusal { _ = try await home.ask(home.leo, "2026-03-01", for: "2026-03-02") }
            #expect(foreign?.fields.keys.contains("occurrence") == true)
            let unknown = await refusal { _ = try await home.ask(home.kim, "2026-03-01", for: "2026-04-01") }
            #expect(unknown?.fields.keys.contains("otherOccurrence") == true)
            let empty = await refusal {
                _ = try await swaps.create(TurnSwapInput(), for: home.kim, by: home.change(home.kim))
            }
            #expect(
                Set((empty?.fields ?? [:]).keys) == ["choreId", "occurrence", "otherChoreId", "otherOccurrence"])
            let asked = try await home.ask(home.kim, "2026-03-01", for: "2026-03-02")
            let twice = await refusal { _ = try await home.ask(home.kim, "2026-03-01", for: "2026-03-03") }
            #expect(twice?.code == .conflict)
            for actor in [fixture.asking(home.kim), fixture.asking(home.mia), home.ada] {
                let error = await refusal { _ = try await swaps.accept(asked.id, by: Change(actor: actor)) }
                #expect(error?.code == .forbidden)
            }
            for child in [home.kim, home.leo] {
                let error = await refusal { try await swaps.approve(asked.id, by: home.change(child)) }
                #expect(error?.code == .forbidden)
            }
            let third = await refusal { try await swaps.remove(asked.id, by: home.change(home.mia)) }
            #expect(third?.code == .forbidden)
            #expect(await refusal { try await swaps.remove(asked.id, by: Change(actor: bob)) }?.code == .notFound)
            #expect(try await swaps.list(for: fixture.asking(home.mia)).swaps.isEmpty)
            #expect(try await swaps.list(for: fixture.asking(home.leo)).swaps.count == 1)
        }
    }

    @Test(
        "F-36: A swap ends when one of its turns is done, and stays after a pause of a third child",
        arguments: Engine.allCases)
    func changedTurns(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let swaps = fixture.family.swaps
            let asked = try await home.ask(home.kim, "2026-03-01", for: "2026-03-02")
            _ = try await swaps.accept(asked.id, by: home.change(home.leo))
            _ = try await fixture.give(home.chore, on: "2026-03-01", to: home.kim, by: home.ada)
            let late = await refusal { try await swaps.approve(asked.id, by: Change(actor: home.ada)) }
            #expect(late?.code == .notFound)
            #expect(try await swaps.list(for: home.ada).swaps.isEmpty)
            fixture.clock.advance(seconds: 24 * 60 * 60)
            let second = try await home.ask(home.leo, "2026-03-02", for: "2026-03-04")
            _ = try await swaps.accept(second.id, by: home.change(home.kim))
            try await swaps.approve(second.id, by: Change(actor: home.ada))
            _ = try await fixture.family.pauses.create(
                PauseInput(child: "\(home.mia)", endsOn: "2026-03-10"), by: Change(actor: home.ada))
            let today = try await fixture.today(home.ada)
            #expect(today.contains("due Kim Dishes 03-02"), "\(today)")
            #expect(today.contains("next Leo Dishes 03-04"), "\(today)")
        }
    }

    @Test("F-36: A child takes only turns of chores that it can do", arguments: Engine.allCases)
    func otherChores(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let bins = try await fixture.chore("Bins", of: home.ada)
            try await fixture.schedule(
                bins, for: [home.leo, home.mia], rule: "FREQ=DAILY", distribution: .turns, by: home.ada)
            let choices = try await fixture.family.swaps.choices(for: home.kim, by: fixture.asking(home.kim))
            #expect(Set(choices.others.map(\.name)) == ["Dishes"])
            let input = TurnSwapInput(
                choreID: home.chore, occurrence: "2026-03-01", otherChoreID: bins, otherOccurrence: "2026-03-01")
            let error = await refusal {
                _ = try await fixture.family.swaps.create(input, for: home.kim, by: home.change(home.kim))
            }
            #expect(error?.fields.keys.contains("otherOccurrence") == true)
        }
    }

    @Test("F-36: A swap whose turn is done doesn't prevent another one", arguments: Engine.allCases)
    func formerSwap(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            fixture.clock.advance(seconds: 24 * 60 * 60)
            // Leo's turn is today, Mia's tomorrow.
            _ = try await home.ask(home.mia, "2026-03-03", for: "2026-03-02")
            _ = try await fixture.give(home.chore, on: "2026-03-02", to: home.leo, by: home.ada)
            let asked = try await home.ask(home.mia, "2026-03-03", for: "2026-03-04")
            #expect(try await fixture.family.swaps.list(for: home.ada).swaps == [asked])
        }
    }
}

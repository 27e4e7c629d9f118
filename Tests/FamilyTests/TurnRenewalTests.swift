import Accounts
import Kernel
import Notifications
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Family

/// The clock of a fixture shows Sunday, 2026-03-01 at 12:00 UTC.
@Suite("Turns when children, pauses and chores change")
struct TurnRenewalTests {
    private static let day: Int64 = 24 * 60 * 60

    private struct Home: Sendable {
        let fixture: FamilyFixture
        let ada: Actor
        let children: [PersonID]
        /// By turns, by points, and for the first child to claim it.
        let chores: [ID<Chore>]

        init(_ fixture: FamilyFixture) async throws {
            self.fixture = fixture
            ada = try await fixture.parent()
            var children: [PersonID] = []
            for name in ["Kim", "Leo", "Mia"] { children.append(try await fixture.child(name, of: ada)) }
            self.children = children
            var chores: [ID<Chore>] = []
            for distribution in [ChoreDistribution.turns, .turns, .points, .points, .first] {
                let chore = try await fixture.chore("Chore \(chores.count)", of: ada)
                try await fixture.schedule(
                    chore, for: children, rule: "FREQ=DAILY", distribution: distribution, by: ada)
                chores.append(chore)
            }
            self.chores = chores
        }

        var change: Change { Change(actor: ada) }

        func asking(_ child: PersonID) -> Change { Change(actor: fixture.asking(child)) }

        /// Returns the children of today's turns and claims.
        func turns() async throws -> [ID<Chore>: PersonID] {
            let today = try await fixture.family.today.today(for: ada)
            return today.entries.reduce(into: [:]) { turns, entry in
                guard let chore = entry.choreID, entry.date == today.date, entry.isOpen else { return }
                turns[chore] = entry.childID
            }
        }

        func told(_ child: PersonID) async throws -> [String] {
            try await fixture.notices(.choreTurn).filter { $0.person == child && $0.at == fixture.now }
                .compactMap { $0.details["step"] }
        }

        func swap(_ child: PersonID, _ date: String, for other: String) async throws -> TurnSwap {
            let input = TurnSwapInput(
                choreID: chores[0], occurrence: date, otherChoreID: chores[0], otherOccurrence: other)
            return try await fixture.family.swaps.create(input, for: child, by: asking(child))
        }
    }

    @Test(
        "F-27: Changes for other children never move a turn or claim of today, and the children concerned are notified",
        arguments: Engine.allCases)
    func randomChanges(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let random = SeededRandom(seed: Counts.modelSeed)
            var pauses: [PersonID: ID<Pause>] = [:]
            var deleted: Set<PersonID> = []
            for number in 0..<Counts.rotationDays {
                if number % 4 == 0 { fixture.clock.advance(seconds: Self.day) }
                fixture.clock.advance(seconds: 1)
                let child = home.children[Int(random.uint64() % 3)]
                if random.uint64() % 3 == 0, pauses[child] == nil, !deleted.contains(child) {
                    let date = try await fixture.family.today.today(for: home.ada).date.text
                    _ = await refusal {
                        try await fixture.family.turns.claim(
                            home.chores[4], on: date, for: child, by: home.asking(child))
                    }
                }
                let before = try await home.turns()
                fixture.clock.advance(seconds: 1)
                // Otherwise later notifications would be counted by these, and replace their content.
                try await fixture.database.write { tx in try tx.execute("DELETE FROM notice") }
                switch random.uint64() % 5 {
                case 0, 1:
                    if deleted.contains(child) {
                        _ = try await fixture.family.childDeletions.restore(child, by: home.change)
                        deleted.remove(child)
                    } else if deleted.count < 2 {
                        try await fixture.family.childDeletions.delete(child, by: home.change)
                        deleted.insert(child)
                    }
                case 2:
                    let chore = home.chores[Int(random.uint64() % 5)]
                    try await fixture.family.chores.delete(chore, by: home.change)
                    _ = try await fixture.family.chores.restore(chore, by: home.change)
                default:
                    guard !deleted.contains(child) else { continue }
                    if let pause = pauses.removeValue(forKey: child) {
                        try await fixture.family.pauses.end(pause, by: home.change)
                    } else {
                        pauses[child] = try await fixture.family.pauses.create(
                            PauseInput(child: "\(child)"), by: home.change
                        ).id
                    }
                }
                let after = try await home.turns()
                // A claim waits for its child if no other child can do the chore.
                let isAlone = home.children.allSatisfy { pauses[$0] != nil || deleted.contains($0) }
                for (chore, holder) in before where after[chore] != holder {
                    // Only the child itself can't do it any more.
                    #expect(holder == child && (pauses[child] != nil || deleted.contains(child)), "\(number)")
                    if let next = after[chore] {
                        #expect(try await home.told(next).contains("passed"), "\(number)")
                    } else if chore == home.chores[4], !deleted.contains(child), !isAlone {
                        #expect(try await home.told(child).contains("dropped"), "\(number)")
                    }
                }
            }
        }
    }

    @Test("F-27: A pause of all children keeps the turns of today for its end", arguments: Engine.allCases)
    func pauseOfAll(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await fixture.family.turns.claim(
                home.chores[4], on: "2026-03-01", for: home.children[1], by: home.asking(home.children[1]))
            let before = try await home.turns()
            #expect(before.count == 5)
            let pause = try await fixture.family.pauses.create(PauseInput(), by: home.change)
            #expect(try await home.turns().isEmpty)
            try await fixture.family.pauses.end(pause.id, by: home.change)
            #expect(try await home.turns() == before)
        }
    }

    @Test("F-36: A swap that waits ends with a notification, and not by changes for others", arguments: Engine.allCases)
    func waitingSwap(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let (kim, leo, mia) = (home.children[0], home.children[1], home.children[2])
            let asked = try await home.swap(kim, "2026-03-01", for: "2026-03-03")
            #expect(asked.wanted.child.id == mia)
            // Another child's pause and deletion move neither of the turns.
            let pause = try await fixture.family.pauses.create(PauseInput(child: "\(leo)"), by: home.change)
            try await fixture.family.childDeletions.delete(leo, by: home.change)
            _ = try await fixture.family.childDeletions.restore(leo, by: home.change)
            try await fixture.family.pauses.end(pause.id, by: home.change)
            #expect(try await fixture.family.swaps.list(for: home.ada).swaps.map(\.id) == [asked.id])
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.family.pauses.create(
                PauseInput(child: "\(mia)", startsOn: "2026-03-03", endsOn: "2026-03-03"), by: home.change)
            #expect(try await fixture.count("family_swap") == 0)
            for child in [kim, mia] { #expect(try await home.told(child).contains("ended")) }
        }
    }

    @Test("F-36: A pause that ends an agreed swap notifies both children", arguments: Engine.allCases)
    func agreedSwap(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let (kim, mia) = (home.children[0], home.children[2])
            let asked = try await home.swap(kim, "2026-03-01", for: "2026-03-03")
            _ = try await fixture.family.swaps.accept(asked.id, by: home.asking(mia))
            try await fixture.family.swaps.approve(asked.id, by: home.change)
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.family.pauses.create(
                PauseInput(child: "\(kim)", startsOn: "2026-03-03", endsOn: "2026-03-04"), by: home.change)
            #expect(try await home.told(kim).contains("dropped"))
            #expect(try await home.told(mia).contains("passed"))
            #expect(try await home.turns()[home.chores[0]] == mia)
        }
    }

    @Test("F-27: Erasing a child keeps the turn that another one does for it", arguments: Engine.allCases)
    func erased(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let (kim, mia) = (home.children[0], home.children[2])
            let asked = try await home.swap(kim, "2026-03-01", for: "2026-03-03")
            _ = try await fixture.family.swaps.accept(asked.id, by: home.asking(mia))
            try await fixture.family.swaps.approve(asked.id, by: home.change)
            try await fixture.family.childDeletions.delete(kim, by: home.change)
            let before = try await home.turns()
            #expect(before[home.chores[0]] == mia)
            try await fixture.prove(.eraseChild, home.ada)
            try await fixture.family.childDeletions.erase(kim, by: home.change)
            #expect(try await home.turns() == before)
        }
    }

    @Test("F-25: A chore that is added or ended later moves no turn of today", arguments: Engine.allCases)
    func otherChores(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            for distribution in ChoreDistribution.allCases {
                let before = try await home.turns()
                let chore = try await fixture.chore("New", of: home.ada)
                try await fixture.schedule(
                    chore, for: home.children, rule: "FREQ=DAILY", distribution: distribution, by: home.ada)
                #expect(try await home.turns().filter { $0.key != chore } == before)
                _ = try await fixture.give(2, to: home.children[0], by: home.ada)
                #expect(try await home.turns().filter { $0.key != chore } == before)
                try await fixture.family.schedules.remove(of: chore, by: home.change)
                #expect(try await home.turns() == before)
                fixture.clock.advance(seconds: Self.day)
            }
        }
    }
}

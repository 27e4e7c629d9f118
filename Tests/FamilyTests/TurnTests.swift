import Accounts
import Kernel
import Notifications
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Family

/// The clock of a fixture shows Sunday, 2026-03-01 at 12:00 UTC.
@Suite("Chores that one of several children does")
struct TurnTests {
    private struct Home: Sendable {
        let ada: Actor
        let kim: PersonID
        let leo: PersonID
        let mia: PersonID
        let chore: ID<Chore>

        init(_ fixture: FamilyFixture) async throws {
            ada = try await fixture.parent()
            kim = try await fixture.child(of: ada)
            leo = try await fixture.child("Leo", of: ada)
            mia = try await fixture.child("Mia", of: ada)
            chore = try await fixture.chore(of: ada)
        }
    }

    private static let day: Int64 = 24 * 60 * 60

    private static func turns(_ fixture: FamilyFixture, _ actor: Actor) async throws -> [String] {
        try await fixture.today(actor).filter { $0.hasPrefix("due") || $0.hasPrefix("overdue") }
    }

    @Test("F-25: Children take turns, and each sees its own next turn", arguments: Engine.allCases)
    func byTurns(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo, home.mia], rule: "FREQ=DAILY", distribution: .turns, by: home.ada)
            #expect(
                try await fixture.today(home.ada) == [
                    "due Kim Dishes 03-01", "next Leo Dishes 03-02", "next Mia Dishes 03-03", "next Kim Dishes 03-04",
                ])
            #expect(try await fixture.today(fixture.asking(home.mia)) == ["next Mia Dishes 03-03"])
            // Points of another child don't count for the occurrence.
            let other = await refusal {
                _ = try await fixture.give(home.chore, on: "2026-03-01", to: home.leo, by: home.ada)
            }
            #expect(other?.fields["chores.0.occurrence"] == FamilyMessage.occurrenceTaken.text)
            _ = try await fixture.give(home.chore, on: "2026-03-01", to: home.kim, by: home.ada)
            fixture.clock.advance(seconds: 2 * Self.day)
            // What wasn't done stays with the child whose turn it was.
            #expect(
                try await Self.turns(fixture, home.ada) == ["overdue Leo Dishes 03-02", "due Mia Dishes 03-03"])
            // A changed rule continues with the next child.
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo, home.mia], rule: "FREQ=DAILY;INTERVAL=1", dueTime: "20:00",
                distribution: .turns, by: home.ada)
            #expect(
                try await Self.turns(fixture, home.ada) == ["overdue Leo Dishes 03-02", "due Mia Dishes 03-03"])
            try await fixture.checkPoints()
        }
    }

    @Test("F-25: Turns don't depend on whether a page showed them", arguments: Engine.allCases)
    func unread(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo, home.mia], rule: "FREQ=WEEKLY;BYDAY=SU", distribution: .turns,
                by: home.ada)
            // Ten Sundays later it is the eleventh turn.
            fixture.clock.advance(seconds: 10 * 7 * Self.day)
            #expect(try await Self.turns(fixture, home.ada) == ["due Leo Dishes 05-10"])
            _ = try await fixture.give(home.chore, on: "2026-05-10", to: home.leo, by: home.ada)
            fixture.clock.advance(seconds: 7 * Self.day)
            #expect(try await Self.turns(fixture, home.ada) == ["due Mia Dishes 05-17"])
        }
    }

    @Test("F-25: Over a year of random pauses turns stay fair, and no paused child has one", arguments: Engine.allCases)
    func year(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let children = [home.kim, home.leo, home.mia]
            try await fixture.schedule(
                home.chore, for: children, rule: "FREQ=DAILY", distribution: .turns, by: home.ada)
            let random = SeededRandom(seed: 11)
            var pauses: [PersonID: ID<Pause>] = [:]
            var rounds = [0, 0, 0]
            var previous = 2
            for _ in 0..<Counts.rotationDays {
                // Whose turn it is was decided before the pauses of this day change.
                let before = pauses
                if random.uint64() % 7 == 0 {
                    let child = children[Int(random.uint64() % 3)]
                    if let pause = pauses.removeValue(forKey: child) {
                        try await fixture.family.pauses.end(pause, by: Change(actor: home.ada))
                    } else {
                        pauses[child] = try await fixture.family.pauses.create(
                            PauseInput(child: child.description), by: Change(actor: home.ada)
                        ).id
                    }
                }
                let today = try await fixture.family.today.today(for: home.ada)
                let due = today.entries.filter { $0.state == .due }
                if pauses.count == 3 {
                    #expect(due.isEmpty)
                } else {
                    let child = try #require(due.first?.childID)
                    #expect(due.count == 1 && pauses[child] == nil)
                    let index = try #require(children.firstIndex(of: child))
                    // Pauses can pass the turn of today on, so a turn of today is counted when the day is over.
                    repeat {
                        previous = (previous + 1) % 3
                        rounds[previous] += 1
                        let child = children[previous]
                        #expect(previous == index || pauses[child] != nil || before[child] != nil)
                    } while previous != index
                    #expect((rounds.max() ?? 0) - (rounds.min() ?? 0) <= 1)
                }
                fixture.clock.advance(seconds: Self.day)
            }
        }
    }

    @Test("F-25: By points, the child with the fewest points is next, for the whole day", arguments: Engine.allCases)
    func byPoints(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let other = try await fixture.chore("Bins", of: home.ada)
            func give(_ points: Int64, to child: PersonID) async throws -> Assignment {
                try await fixture.family.assignments.assign(
                    .each([other], points), to: child, by: Change(actor: home.ada))[0]
            }
            _ = try await give(3, to: home.kim)
            _ = try await give(2, to: home.leo)
            _ = try await give(1, to: home.mia)
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo, home.mia], rule: "FREQ=DAILY", distribution: .points,
                by: home.ada)
            #expect(try await fixture.today(home.ada).first == "due Mia Dishes 03-01")
            // Points of today decide about tomorrow.
            _ = try await give(3, to: home.mia)
            #expect(try await Self.turns(fixture, home.ada) == ["due Mia Dishes 03-01"])
            fixture.clock.advance(seconds: Self.day)
            #expect(
                try await Self.turns(fixture, home.ada) == ["overdue Mia Dishes 03-01", "due Leo Dishes 03-02"])
            // They are stored before points change, also when points are taken back.
            let given = try await give(3, to: home.leo)
            try await fixture.family.assignments.undo(given.id, of: home.leo, by: Change(actor: home.ada))
            _ = try await give(3, to: home.leo)
            #expect(try await Self.turns(fixture, home.ada).last == "due Leo Dishes 03-02")
            // Four weeks later, all of these points are forgotten.
            fixture.clock.advance(seconds: 30 * Self.day)
            _ = try await give(1, to: home.kim)
            _ = try await give(1, to: home.mia)
            fixture.clock.advance(seconds: Self.day)
            #expect(try await Self.turns(fixture, home.ada).last == "due Leo Dishes 04-02")
        }
    }

    @Test("F-26: The first child to claim a chore does it, and can give it back", arguments: Engine.allCases)
    func claiming(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let turns = fixture.family.turns
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo], rule: "FREQ=DAILY", distribution: .first, by: home.ada)
            let (kim, leo) = (fixture.asking(home.kim), fixture.asking(home.leo))
            #expect(
                try await fixture.today(kim) == ["due anyone Dishes 03-01", "next anyone Dishes 03-02"])
            #expect(try await fixture.today(fixture.asking(home.mia)).isEmpty)
            try await turns.claim(home.chore, on: "2026-03-01", for: home.kim, by: Change(actor: kim))
            try await turns.claim(home.chore, on: "2026-03-01", for: home.kim, by: Change(actor: kim))
            #expect(try await fixture.today(kim).first == "due Kim Dishes 03-01")
            #expect(try await fixture.today(leo) == ["next anyone Dishes 03-02"])
            let late = await refusal {
                try await turns.claim(home.chore, on: "2026-03-01", for: home.leo, by: Change(actor: leo))
            }
            #expect(late?.fields["occurrence"] == FamilyMessage.occurrenceTaken.text)
            try await turns.release(home.chore, on: "2026-03-01", of: home.kim, by: Change(actor: kim))
            // Reporting it is a claim too.
            _ = try await fixture.family.requests.create(home.chore, for: home.leo, by: Change(actor: leo))
            #expect(try await fixture.today(kim) == ["next anyone Dishes 03-02"])
            let reported = await refusal {
                try await turns.release(home.chore, on: "2026-03-01", of: home.leo, by: Change(actor: leo))
            }
            #expect(reported?.code == .conflict)
            // A parent's points are one too.
            fixture.clock.advance(seconds: Self.day)
            _ = try await fixture.give(home.chore, on: "2026-03-02", to: home.kim, by: home.ada)
            #expect(try await fixture.today(leo).contains("due anyone Dishes 03-02") == false)
            try await fixture.checkPoints()
        }
    }

    @Test("F-26: A child claims for itself only, and only what is due", arguments: Engine.allCases)
    func refusedClaims(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let bob = try await fixture.parent("Bob")
            let turns = fixture.family.turns
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo], rule: "FREQ=DAILY", distribution: .first, by: home.ada)
            let kim = fixture.asking(home.kim)
            func code(
                _ actor: Actor, _ child: PersonID, _ date: String = "2026-03-01"
            ) async -> AppError.Code? {
                await refusal { try await turns.claim(home.chore, on: date, for: child, by: Change(actor: actor)) }?
                    .code
            }
            #expect(await code(kim, home.leo) == .forbidden)
            #expect(await code(bob, home.kim) == .notFound)
            #expect(await code(fixture.asking(home.mia), home.mia) == .conflict)
            #expect(await code(kim, home.kim, "2026-03-02") == .conflict)
            #expect(await code(kim, home.kim, "2026-02-28") == .conflict)
            #expect(await code(kim, home.kim, "yesterday") == .invalid)
            try await fixture.schedule(home.chore, for: [home.kim, home.leo], rule: "FREQ=DAILY", by: home.ada)
            #expect(await code(kim, home.kim) == .conflict)
            let none = await refusal {
                try await turns.release(home.chore, on: "2026-03-01", of: home.kim, by: Change(actor: kim))
            }
            #expect(none?.code == .notFound)
            #expect(try await fixture.count("family_turn") == 0)
        }
    }

    @Test("F-26: Of many who claim at once, one does it", arguments: Engine.allCases)
    func atOnce(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            for _ in 0..<Counts.races {
                let chore = try await fixture.chore(of: home.ada)
                try await fixture.schedule(
                    chore, for: [home.kim, home.leo, home.mia], rule: "FREQ=DAILY", distribution: .first, by: home.ada)
                let children = [home.kim, home.leo, home.mia]
                let claims = children.map { child -> @Sendable () async throws -> Void in
                    {
                        try await fixture.family.turns.claim(
                            chore, on: "2026-03-01", for: child, by: Change(actor: fixture.asking(child)))
                    }
                }
                let reports = children.map { child -> @Sendable () async throws -> Void in
                    {
                        _ = try await fixture.family.requests.create(
                            chore, occurrence: "2026-03-01", for: child, by: Change(actor: fixture.asking(child)))
                    }
                }
                _ = await together(claims + reports)
                let today = try await fixture.family.today.today(for: home.ada)
                let open = today.entries.filter { $0.choreID == chore && $0.state != .next }
                #expect(open.count == 1, "\(open)")
                #expect(open.first?.childID != nil)
            }
        }
    }

    @Test("F-27: In a pause nothing is due, and the rotation goes on", arguments: Engine.allCases)
    func pause(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let bins = try await fixture.chore("Bins", of: home.ada)
            let pauses = fixture.family.pauses
            let change = Change(actor: home.ada)
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo], rule: "FREQ=DAILY", distribution: .turns, by: home.ada)
            try await fixture.schedule(bins, for: [home.kim, home.leo], rule: "FREQ=DAILY", by: home.ada)
            let pause = try await pauses.create(
                PauseInput(child: "\(home.kim)", endsOn: "2026-03-03"), by: change)
            #expect(try await Self.turns(fixture, home.ada) == ["due Leo Dishes 03-01", "due Leo Bins 03-01"])
            #expect(try await fixture.family.today.today(for: fixture.asking(home.kim)).pauses == [pause])
            #expect(
                try await fixture.today(fixture.asking(home.kim)) == ["next Kim Dishes 03-04", "next Kim Bins 03-04"])
            fixture.clock.advance(seconds: 3 * Self.day)
            // The days of the pause aren't overdue afterwards.
            #expect(
                try await Self.turns(fixture, fixture.asking(home.kim)) == [
                    "due Kim Dishes 03-04", "due Kim Bins 03-04",
                ])
            let all = try await pauses.create(PauseInput(), by: change)
            #expect(try await Self.turns(fixture, home.ada).isEmpty)
            try await pauses.end(all.id, by: change)
            #expect(try await pauses.details(for: home.ada).pauses.isEmpty)
            #expect(try await Self.turns(fixture, fixture.asking(home.kim)).first == "due Kim Dishes 03-04")
            let gone = await refusal { try await pauses.end(all.id, by: change) }
            #expect(gone?.code == .notFound)
        }
    }

    @Test("F-27: A pause that is over doesn't change whose turn it was", arguments: Engine.allCases)
    func formerPause(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo], rule: "FREQ=WEEKLY;BYDAY=SU", distribution: .turns, by: home.ada)
            fixture.clock.advance(seconds: Self.day)
            _ = try await fixture.family.pauses.create(PauseInput(endsOn: "2026-03-10"), by: Change(actor: home.ada))
            // Nothing is changed for weeks.
            for (days, turns) in [
                (6, [String]()), (7, ["due Leo Dishes 03-15"]), (3, ["overdue Leo Dishes 03-15"]),
                (4, ["due Kim Dishes 03-22"]),
            ] {
                fixture.clock.advance(seconds: Int64(days) * Self.day)
                #expect(try await Self.turns(fixture, home.ada) == turns)
            }
        }
    }

    @Test("F-27: The pause of one child leaves the turns and claims of today to the others", arguments: Engine.allCases)
    func otherPause(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let bins = try await fixture.chore("Bins", of: home.ada)
            let other = try await fixture.chore("Cat", of: home.ada)
            let all = [home.kim, home.leo, home.mia]
            try await fixture.schedule(home.chore, for: all, rule: "FREQ=DAILY", distribution: .points, by: home.ada)
            try await fixture.schedule(bins, for: all, rule: "FREQ=DAILY", distribution: .first, by: home.ada)
            try await fixture.family.turns.claim(
                bins, on: "2026-03-01", for: home.leo, by: Change(actor: fixture.asking(home.leo)))
            _ = try await fixture.family.assignments.assign(
                .each([other], 3), to: home.kim, by: Change(actor: home.ada))
            _ = try await fixture.family.pauses.create(
                PauseInput(child: "\(home.mia)", startsOn: "2026-03-20"), by: Change(actor: home.ada))
            #expect(try await Self.turns(fixture, home.ada) == ["due Kim Dishes 03-01", "due Leo Bins 03-01"])
            // Who pauses today gives its turn and its claim away.
            _ = try await fixture.family.pauses.create(PauseInput(child: "\(home.leo)"), by: Change(actor: home.ada))
            #expect(try await Self.turns(fixture, home.ada) == ["due Kim Dishes 03-01", "due anyone Bins 03-01"])
        }
    }

    @Test("F-38: A bounty is announced once, and to each new child", arguments: Engine.allCases)
    func bounty(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            func offer(_ children: [PersonID], _ points: Int64, dueTime: String? = nil) async throws -> Int {
                let before = try await fixture.notices(.choreTurn).count
                let input = ChoreScheduleInput(
                    children: children.map(\.description), startsOn: "2026-03-01", dueTime: dueTime,
                    distribution: "first", offeredPoints: points)
                _ = try await fixture.family.schedules.set(input, of: home.chore, by: Change(actor: home.ada))
                return try await fixture.notices(.choreTurn).count - before
            }
            #expect(try await offer([home.kim], 2) == 1)
            #expect(try await offer([home.kim], 2, dueTime: "18:00") == 0)
            #expect(try await offer([home.kim, home.leo], 2) == 1)
            fixture.clock.advance(seconds: 1)
            #expect(try await offer([home.kim, home.leo], 3) == 2)
        }
    }

    @Test("F-27: Wrong days of a pause are named together, and only parents pause", arguments: Engine.allCases)
    func refusedPauses(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let bob = try await fixture.parent("Bob")
            let stranger = try await fixture.child("Zoe", of: bob)
            func fields(_ input: PauseInput) async -> Set<String> {
                let error = await refusal {
                    _ = try await fixture.family.pauses.create(input, by: Change(actor: home.ada))
                }
                return Set((error?.fields ?? [:]).keys)
            }
            #expect(
                await fields(PauseInput(child: "x", startsOn: "2026-02-28", endsOn: "2026-02-27"))
                    == ["childId", "startsOn", "endsOn"])
            #expect(await fields(PauseInput(startsOn: "soon", endsOn: "2999-01-01")) == ["startsOn", "endsOn"])
            #expect(await fields(PauseInput(child: "\(stranger)")) == ["childId"])
            let pause = try await fixture.family.pauses.create(PauseInput(), by: Change(actor: home.ada))
            let kim = fixture.asking(home.kim)
            for (actor, code) in [(kim, AppError.Code.forbidden), (bob, .notFound)] {
                let ended = await refusal { try await fixture.family.pauses.end(pause.id, by: Change(actor: actor)) }
                #expect(ended?.code == code)
            }
            let asked = await refusal {
                _ = try await fixture.family.pauses.create(PauseInput(), by: Change(actor: kim))
            }
            #expect(asked?.code == .forbidden)
            let seen = await refusal { _ = try await fixture.family.pauses.details(for: kim) }
            #expect(seen?.code == .forbidden)
            for _ in 1..<Limits.pausesPerHousehold {
                _ = try await fixture.family.pauses.create(PauseInput(), by: Change(actor: home.ada))
            }
            let tooMany = await refusal {
                _ = try await fixture.family.pauses.create(PauseInput(), by: Change(actor: home.ada))
            }
            #expect(tooMany?.code == .conflict)
        }
    }

    @Test("A child's turns and pauses go with it", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await fixture.schedule(
                home.chore, for: [home.kim, home.leo], rule: "FREQ=DAILY", distribution: .turns, by: home.ada)
            _ = try await fixture.give(home.chore, on: "2026-03-01", to: home.kim, by: home.ada)
            _ = try await fixture.family.pauses.create(
                PauseInput(child: "\(home.kim)", startsOn: "2026-04-01"), by: Change(actor: home.ada))
            try await fixture.family.childDeletions.delete(home.kim, by: Change(actor: home.ada))
            #expect(try await fixture.family.pauses.details(for: home.ada).pauses.isEmpty)
            try await fixture.database.write { tx in try ChildDataStore.deleteAll(of: home.kim, in: tx) }
            #expect(try await fixture.count("family_turn") == 0)
            #expect(try await fixture.count("family_pause") == 0)
            // The rotation goes on with the children who are left.
            #expect(try await Self.turns(fixture, home.ada) == ["due Leo Dishes 03-01"])
        }
    }

    @Test("Turns, pauses and points of a rotation are found by indexes, so the history costs nothing")
    func boundedCost() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let chore = try await fixture.chore(of: ada)
            let household = try await fixture.database.read { tx in
                try #require(try HouseholdStore.member(ada.person, in: tx)).household
            }
            var plans: [String] = []
            for query in [
                TurnStore.turnsQuery(of: [chore], since: .last),
                PauseStore.pausesQuery(of: household, since: .last),
                AssignmentStore.pointsQuery(of: [ada.person], since: fixture.now),
                ScheduleStore.choresQuery(of: household, sharedBy: .points),
            ] { plans.append(try await fixture.plan(of: query)) }
            #expect(plans[0].contains("(chore_id=? AND occurrence_date>?)"), "\(plans[0])")
            #expect(plans[1].contains("family_pause_household (household_id=? AND ends_on>?)"), "\(plans[1])")
            #expect(plans[2].contains("family_assignment_child (child_id=? AND id>?)"), "\(plans[2])")
            #expect(!plans.joined().contains("SCAN"), "\(plans)")
        }
    }
}

import Accounts
import Kernel
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("The set-up of a family")
struct FamilySetupTests {
    private static func setup(
        _ name: String = "Mia", born: String = "2017-05-12", chores: [StarterChore] = [.makeBed, .homework],
        reward: LevelInput? = LevelInput(reward: "Zoo", points: 9), timeZone: String? = "Europe/Berlin"
    ) -> FamilySetup {
        FamilySetup(
            child: ChildProfile(name: name, dateOfBirth: born),
            chores: Dictionary(uniqueKeysWithValues: chores.map { ($0, $0.rawValue) }), reward: reward,
            timeZone: timeZone)
    }

    private func schedules(_ fixture: FamilyFixture, _ ada: Actor) async throws -> [ChoreSchedule?] {
        var found: [ChoreSchedule?] = []
        for chore in try await fixture.family.chores.list(for: ada, after: nil, limit: 50).items {
            found.append(try await fixture.family.schedules.details(of: chore.id, for: ada).schedule)
        }
        return found
    }

    @Test("A repeated request adds the child, its chores and its contract once", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let change = Change(
                actor: ada,
                idempotency: IdempotencyScope(
                    person: ada.person, method: "POST", path: "/family/setup", key: "k", bodyDigest: [1]))
            for _ in 0..<2 {
                let mia = try await fixture.family.setups.create(Self.setup(), by: change)
                #expect(mia.contract?.levels.map(\.reward) == ["Zoo"])
                #expect(mia.contract?.maxPoints == 9)
                fixture.clock.advance(seconds: 1)
            }
            #expect(try await fixture.count("family_chore") == 2)
            let schedules = try await schedules(fixture, ada)
            #expect(schedules.map { $0?.rule?.rfc5545 } == ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"])
            let today = try await fixture.family.today.today(for: ada)
            #expect(today.entries.contains { $0.state == .due && $0.name == "make-bed" })
        }
    }

    @Test("A set-up that fails at its end leaves neither a child nor chores", arguments: Engine.allCases)
    func rollback(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let mia = fixture.asking(try await fixture.child(of: ada))
            _ = try await fixture.chores(Limits.choresPerHousehold - 1, of: ada)
            let full = await refusal {
                _ = try await fixture.family.setups.create(Self.setup("Ben"), by: Change(actor: ada))
            }
            #expect(full?.code == .conflict)
            let child = await refusal {
                _ = try await fixture.family.setups.create(Self.setup(), by: Change(actor: mia))
            }
            #expect(child?.code == .forbidden)
            #expect(try await fixture.family.children.list(for: ada, after: nil, limit: 9).items.count == 1)
            #expect(try await fixture.count("family_chore") == Limits.choresPerHousehold - 1)
            #expect(try await fixture.count("family_contract") == 0)
        }
    }

    @Test("A second child joins the chores that each child does, but no turns", arguments: Engine.allCases)
    func secondChild(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let mia = try await fixture.family.setups.create(Self.setup(), by: Change(actor: ada))
            let homework = try #require(
                try await fixture.family.chores.list(for: ada, after: nil, limit: 9).items.last)
            let details = try await fixture.family.schedules.details(of: homework.id, for: ada)
            _ = try await fixture.family.schedules.set(
                ChoreScheduleInput(
                    children: [mia.id.description], startsOn: details.today.text, rule: "FREQ=DAILY",
                    distribution: "turns", timeZone: "Asia/Tokyo"), of: homework.id, by: Change(actor: ada))
            let ben = try await fixture.family.setups.create(
                Self.setup("Ben", reward: nil, timeZone: "America/New_York"), by: Change(actor: ada))
            #expect(ben.contract == nil)
            let schedules = try await schedules(fixture, ada)
            #expect(schedules.map { Set($0?.children ?? []) } == [[mia.id, ben.id], [mia.id]])
            // The guess of the browser doesn't replace the time zone that a parent chose.
            #expect(try await fixture.family.schedules.details(of: homework.id, for: ada).timeZone == "Asia/Tokyo")
        }
    }

    @Test("All wrong fields are named at once")
    func fields() throws {
        let now = try #require(Instant(rfc3339: "2026-03-02T12:00:00Z"))
        let wrong = Self.setup(
            "", born: "2999-01-01", chores: [], reward: LevelInput(reward: "", points: 0), timeZone: "Mars")
        let error = #expect(throws: AppError.self) { try wrong.check(now: now) }
        #expect(
            error.map { Set($0.fields.keys) }
                == ["name", "dateOfBirth", "chores", "reward", "points", "timeZone"])
        let onlyReward = Self.setup(reward: LevelInput(reward: nil, points: 5))
        let other = #expect(throws: AppError.self) { try onlyReward.check(now: now) }
        #expect(other.map { Set($0.fields.keys) } == ["reward"])
        try Self.setup(reward: nil, timeZone: nil).check(now: now)
    }

    @Test(
        "Each age suggests chores that it offers, and one of them is due every day",
        arguments: StarterChore.Age.allCases)
    func suggestions(age: StarterChore.Age) throws {
        #expect(age.suggested.isSubset(of: age.offered))
        #expect(age.suggested.contains { $0.suggestedRule == "FREQ=DAILY" })
        #expect(age.offered.allSatisfy { $0.fromAge.rawValue <= age.rawValue })
        #expect(StarterReward.suited(toYears: age.rawValue).contains(.suggested(for: age)))
    }

    @Test("Every suggested schedule is a valid rule")
    func rules() throws {
        for chore in StarterChore.allCases { _ = try RecurrenceRule(rfc5545: chore.suggestedRule) }
    }
}

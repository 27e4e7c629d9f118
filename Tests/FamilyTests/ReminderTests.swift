import Accounts
import Kernel
import Notifications
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Family

/// The clock of a fixture shows Sunday, 2026-03-01 at 12:00 UTC.
@Suite("Reminders of chores")
struct ReminderTests {
    private static let minute: Int64 = 60
    private static let hour: Int64 = 3_600

    private struct Home: Sendable {
        let fixture: FamilyFixture
        let ada: Actor
        let kim: PersonID
        let leo: PersonID
        let chore: ID<Chore>

        init(_ fixture: FamilyFixture) async throws {
            self.fixture = fixture
            ada = try await fixture.parent()
            kim = try await fixture.child(of: ada)
            leo = try await fixture.child("Leo", of: ada)
            chore = try await fixture.chore(of: ada)
        }

        func set(
            _ children: [PersonID], dueTime: String? = "14:00", grace: Int64? = nil, before: Int64? = 30,
            overdue: Bool = true, distribution: ChoreDistribution = .each, zone: String? = nil
        ) async throws {
            let input = ChoreScheduleInput(
                children: children.map(\.description), startsOn: "2026-03-01", dueTime: dueTime, rule: "FREQ=DAILY",
                distribution: distribution.rawValue, graceMinutes: grace, remindMinutesBefore: before,
                remindsWhenOverdue: overdue, timeZone: zone)
            _ = try await fixture.family.schedules.set(input, of: chore, by: Change(actor: ada))
        }

        /// Runs the job and returns the new notices as `step person`.
        func reminders(after seconds: Int64) async throws -> [String] {
            fixture.clock.advance(seconds: seconds)
            try await fixture.family.housekeeping.run()
            let names = [ada.person: "Ada", kim: "Kim", leo: "Leo"]
            return try await fixture.notices(.choreDue).filter { $0.at == fixture.now }
                .map { "\($0.details["step"] ?? "?") \(names[$0.person] ?? "?")" }.sorted()
        }
    }

    @Test("F-37: The child is reminded before, and child and parents when it is overdue", arguments: Engine.allCases)
    func steps(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await home.set([home.kim, home.leo], grace: 15)
            #expect(try await home.reminders(after: 89 * Self.minute) == [])
            #expect(try await home.reminders(after: Self.minute) == ["soon Kim", "soon Leo"])
            #expect(try await home.reminders(after: Self.minute) == [])
            _ = try await fixture.family.requests.create(
                home.chore, for: home.leo, by: Change(actor: fixture.asking(home.leo)))
            // At 14:14 it isn't overdue yet.
            #expect(try await home.reminders(after: 43 * Self.minute) == [])
            #expect(try await fixture.today(home.ada).first == "due Kim Dishes 03-01")
            #expect(try await home.reminders(after: Self.minute) == ["overdue Ada", "overdue Kim"])
            #expect(try await fixture.today(home.ada).first == "overdue Kim Dishes 03-01")
            // The next day, as soon as it is given it reminds of nothing.
            _ = try await fixture.give(home.chore, on: "2026-03-01", to: home.kim, by: home.ada)
            #expect(try await home.reminders(after: 23 * Self.hour + 15 * Self.minute) == ["soon Kim", "soon Leo"])
        }
    }

    @Test("F-37: What is overdue at night reminds in the morning, by the family's clock", arguments: Engine.allCases)
    func night(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            // 12:00 UTC is 13:00 in Berlin. The day ends at 23:00 UTC.
            try await home.set([home.kim], dueTime: nil, before: nil, zone: "Europe/Berlin")
            #expect(try await home.reminders(after: 17 * Self.hour + 59 * Self.minute) == [])
            #expect(try await home.reminders(after: Self.minute) == ["overdue Ada", "overdue Kim"])
            // Another time zone moves the reminders of all chores.
            try await home.set([home.kim], before: 30, zone: "UTC")
            #expect(try await home.reminders(after: 7 * Self.hour + 30 * Self.minute) == ["soon Kim"])
        }
    }

    @Test("F-37: A chore for the first one reminds each child, and the parents once", arguments: Engine.allCases)
    func claimable(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await home.set([home.kim, home.leo], distribution: .first)
            #expect(try await home.reminders(after: 90 * Self.minute) == ["soon Kim", "soon Leo"])
            #expect(
                try await home.reminders(after: 30 * Self.minute) == ["overdue Ada", "overdue Kim", "overdue Leo"])
        }
    }

    @Test(
        "F-37: Paused children, ended schedules and reminders that are too late are silent",
        arguments: Engine.allCases)
    func silence(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await home.set([home.kim, home.leo])
            let pause = try await fixture.family.pauses.create(
                PauseInput(child: "\(home.kim)"), by: Change(actor: home.ada))
            #expect(try await home.reminders(after: 90 * Self.minute) == ["soon Leo"])
            try await fixture.family.pauses.end(pause.id, by: Change(actor: home.ada))
            // The server didn't run for more than six hours.
            #expect(try await home.reminders(after: 7 * Self.hour) == [])
            #expect(try await home.reminders(after: 17 * Self.hour) == ["soon Kim", "soon Leo"])
            try await fixture.family.schedules.remove(of: home.chore, by: Change(actor: home.ada))
            #expect(try await home.reminders(after: Self.hour) == [])
        }
    }

    @Test("F-37: Two nodes that run the job at once remind once", arguments: Engine.allCases)
    func atOnce(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await home.set([home.kim])
            fixture.clock.advance(seconds: 90 * Self.minute)
            let runs = (0..<4).map { _ -> @Sendable () async throws -> Void in
                { try await fixture.family.housekeeping.run() }
            }
            _ = await together(runs)
            #expect(try await fixture.notices(.choreDue).count == 1)
        }
    }

    @Test("The job finds reminders by their time")
    func boundedCost() async throws {
        try await withFixture(.sqlite) { fixture in
            let plan = try await fixture.plan(of: ScheduleStore.remindingQuery(at: fixture.now, limit: 10))
            #expect(plan.contains("family_schedule_reminder (next_reminder_at<?)"), "\(plan)")
            #expect(!plan.contains("SCAN"), "\(plan)")
        }
    }
}

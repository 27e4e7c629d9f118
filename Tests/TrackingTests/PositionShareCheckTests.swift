import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Corrections of the sharing of positions")
struct PositionShareCheckTests {
    private func withPeople(
        _ engine: Engine, _ body: @escaping @Sendable (PeopleFixture) async throws -> Void
    ) async throws {
        try await withFixture(engine) { try await body(try await PeopleFixture($0)) }
    }

    @Test("Housekeeping ends sharing between people who aren't in one household", arguments: Engine.allCases)
    func departed(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            try await people.share(people.ada, with: [people.ben, people.cleo], .untilEnded)
            try await people.share(people.cleo, with: [people.ben], .untilEnded)
            people.household.remove(people.ben.person)
            try await people.tracking.housekeeping.run()
            #expect(try await people.fixture.count("position_share") == 1)
            #expect(try await people.told(people.ada) == ["stopped"])
            #expect(try await people.sharedUntil(people.ada) != nil)
            #expect(try await people.sharedUntil(people.cleo) == nil)
        }
    }

    @Test("Turning off and housekeeping correct an account whose rows are gone", arguments: Engine.allCases)
    func state(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            for isHousekeeping in [false, true] {
                try await people.share(people.tim, with: [people.ada])
                people.fixture.clock.advance(seconds: 1)
                try await people.move(people.tim, 100)
                try await people.fixture.database.write { tx in try tx.execute("DELETE FROM position_share") }
                #expect(try await people.sharedUntil(people.tim) != nil)
                if isHousekeeping {
                    try await people.tracking.housekeeping.run()
                } else {
                    try await people.tracking.positionShares.endAll(by: Change(actor: people.tim))
                }
                #expect(try await people.sharedUntil(people.tim) == nil)
                #expect(try await people.fixture.count("phone_position") == 0)
            }
            try await people.share(people.ada, with: [people.ben])
            try await people.fixture.database.write { tx in
                try tx.execute("UPDATE account SET position_shared_until = NULL")
            }
            try await people.tracking.housekeeping.run()
            #expect(try await people.sharedUntil(people.ada) != nil, "no sharing is without its sign")
        }
    }

    @Test("A sharing whose time is over doesn't start again with its rules", arguments: Engine.allCases)
    func expired(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            try await people.share(people.ada, with: [people.ben])
            let place = try await people.tracking.safePlaces.create(
                SafePlaceInput(name: "School", latitude: 0, longitude: TrackingFixture.meridian),
                by: Change(actor: people.ben))
            let input = GeofenceInput(place: place.id, kind: .arrive, dwellMinutes: 0, by: nil, timeZone: "UTC")
            _ = try await people.tracking.personRules.create(
                input, about: people.ada.person, by: Change(actor: people.ben))
            people.fixture.clock.advance(seconds: 60 * 60)
            try await people.share(people.ada, with: [people.ben])
            #expect(try await people.fixture.count("person_rule") == 0)
            #expect(try await people.told(people.ada) == ["ruleSet", "expired"])
            #expect(try await people.told(people.ben).contains("shared"), "the earlier one was withdrawn")
        }
    }

    @Test("A failure for one person delays no other person's end")
    func failure() async throws {
        try await withPeople(.sqlite) { people async throws in
            try await people.share(people.ada, with: [people.ben])
            try await people.share(people.ben, with: [people.ada])
            try await people.share(people.cleo, with: [people.ada])
            let broken = [people.ada, people.ben, people.cleo].map(\.person).min()!
            try await people.fixture.database.write { tx in
                let condition = SQL(stringLiteral: "OLD.account_id = '\(broken)'")
                try tx.execute(
                    """
                    CREATE TRIGGER broken BEFORE DELETE ON position_share WHEN \(sql: condition)
                    BEGIN SELECT RAISE(ABORT, 'broken'); END
                    """)
            }
            people.fixture.clock.advance(seconds: 60 * 60)
            await #expect(throws: (any Error).self) { try await people.tracking.positionShareExpiry.run() }
            #expect(try await people.fixture.count("position_share") == 1)
            try await people.fixture.database.write { tx in
                try tx.execute("INSERT INTO position_request VALUES (\(people.ada.person), \(people.ben.person), 0, 1)")
            }
            await #expect(throws: (any Error).self) { try await people.tracking.housekeeping.run() }
            #expect(try await people.fixture.count("position_request") == 0, "other work is done")
        }
    }

    @Test("An item is deleted and shares a position at the same time without a deadlock", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            let first = try await people.fixture.tracked("First", of: people.ada).item
            let second = try await people.fixture.tracked("Second", of: people.ada).item
            try await people.share(people.ada, with: [people.ben], item: first)
            async let deleted: Void = people.tracking.itemDeletions.delete(second, by: Change(actor: people.ada))
            async let code = people.fixture.code {
                try await people.share(people.ada, with: [people.ben], item: second)
            }
            try await deleted
            // Either order is possible, but not a sharing from a deleted item.
            let isShared = try await people.fixture.database.read { tx in
                try tx.row("SELECT 1 AS one FROM position_share WHERE item_id = \(second)") != nil
            }
            #expect(await [nil, .invalid].contains(code) && !isShared)
        }
    }
}

import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Contracts and their points")
struct ContractTests {
    /// A contract of 10 points with levels of 3, 3 and 4 points.
    struct Standing: Sendable, Hashable {
        let sum: Int64
        let gained: Int64
        let level: Int
        let surplus: Int64
    }

    private static let standings: [Standing] = [
        Standing(sum: 0, gained: 0, level: 0, surplus: 0), Standing(sum: 2, gained: 2, level: 0, surplus: 0),
        Standing(sum: 3, gained: 3, level: 1, surplus: 0), Standing(sum: 5, gained: 5, level: 1, surplus: 0),
        Standing(sum: 6, gained: 6, level: 2, surplus: 0), Standing(sum: 9, gained: 9, level: 2, surplus: 0),
        Standing(sum: 10, gained: 10, level: 3, surplus: 0), Standing(sum: 12, gained: 10, level: 3, surplus: 2),
    ]

    @Test("Levels of 3, 3 and 4 points are reached and lost as points change", arguments: Engine.allCases)
    func upAndDown(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(1, of: ada)
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            func check(_ standing: Standing, lost: [Int] = []) async throws {
                let child = try await fixture.family.children.child(kim, for: ada)
                #expect(child.gainedPoints == standing.gained, "\(standing)")
                #expect(child.achievementPoints == standing.sum, "\(standing)")
                #expect(child.prizeLevel == standing.level, "\(standing)")
                #expect(child.contract?.surplusPoints == standing.surplus, "\(standing)")
                #expect(child.contract?.levels.filter(\.wasLost).map(\.number) == lost, "\(standing)")
            }
            try await check(Self.standings[0])
            var booked: [(ID<Assignment>, Int64)] = []
            for (before, standing) in zip(Self.standings, Self.standings.dropFirst()) {
                fixture.clock.advance(seconds: 60)
                let points = standing.sum - before.sum
                let made = try await fixture.family.assignments.assign(
                    .each(chores, points), to: kim, by: Change(actor: ada))
                booked.append((made[0].id, points))
                try await check(standing)
            }
            let lost: [Int64: [Int]] = [10: [], 9: [3], 6: [3], 5: [2, 3], 3: [2, 3], 2: [1, 2, 3], 0: [1, 2, 3]]
            for (index, (id, _)) in booked.enumerated().reversed() {
                try await fixture.family.assignments.undo(id, of: kim, by: Change(actor: ada))
                let standing = Self.standings[index]
                try await check(standing, lost: lost[standing.sum] ?? [-1])
            }
            try await fixture.checkPoints()
        }
    }

    @Test("12 of 10 points count as 10, and after an undo of 3 as 9", arguments: Engine.allCases)
    func cap(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(3, of: ada)
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            _ = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            let last = try await fixture.family.assignments.assign(
                .each([chores[0]], 3), to: kim, by: Change(actor: ada))
            #expect(try await fixture.points(kim, ada) == [10, 12, 3])
            try await fixture.family.assignments.undo(last[0].id, of: kim, by: Change(actor: ada))
            #expect(try await fixture.points(kim, ada) == [9, 9, 2])
            try await fixture.checkPoints()
        }
    }

    @Test("A level that is reached again has the new time, and a lost one says so", arguments: Engine.allCases)
    func reachedAgain(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(1, of: ada)
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            let first = fixture.now
            let made = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            func level() async throws -> RewardLevel? {
                let child = try await fixture.family.children.child(kim, for: ada)
                return child.contract?.levels.first
            }
            var present = try await level()
            #expect(present?.isReached == true)
            #expect(present?.reachedAt == first)
            fixture.clock.advance(seconds: 60)
            try await fixture.family.assignments.undo(made[0].id, of: kim, by: Change(actor: ada))
            present = try await level()
            #expect(present?.isReached == false)
            #expect(present?.wasLost == true)
            #expect(present?.reachedAt == first)
            fixture.clock.advance(seconds: 60)
            _ = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            present = try await level()
            #expect(present?.isReached == true)
            #expect(present?.wasLost == false)
            #expect(present?.reachedAt == fixture.now)
        }
    }

    @Test("Points without a contract count only as achievement points", arguments: Engine.allCases)
    func withoutContract(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(2, of: ada)
            let made = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            #expect(made.map(\.contractID) == [nil, nil])
            #expect(try await fixture.points(kim, ada) == [0, 6, 0])
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            #expect(try await fixture.points(kim, ada) == [0, 6, 0])
            try await fixture.family.assignments.undo(made[0].id, of: kim, by: Change(actor: ada))
            #expect(try await fixture.points(kim, ada) == [0, 3, 0])
            try await fixture.checkPoints()
        }
    }

    @Test(
        "A new contract ends the present one, and an undo changes the earlier one", arguments: Engine.allCases
    )
    func newContract(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(2, of: ada)
            let first = try await fixture.family.contracts.create(
                for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            let made = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            #expect(try await fixture.points(kim, ada) == [6, 6, 2])
            fixture.clock.advance(seconds: 60)
            let second = try await fixture.family.contracts.create(
                for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            #expect(try await fixture.points(kim, ada) == [0, 6, 0])
            _ = try await fixture.family.assignments.assign(.each([chores[0]], 2), to: kim, by: Change(actor: ada))
            #expect(try await fixture.points(kim, ada) == [2, 8, 0])
            try await fixture.family.assignments.undo(made[1].id, of: kim, by: Change(actor: ada))
            #expect(try await fixture.points(kim, ada) == [2, 5, 0])
            let history = try await fixture.family.contracts.list(of: kim, for: ada, after: nil, limit: 10).items
            #expect(history.map(\.id) == [second.id, first.id])
            #expect(history.map(\.gainedPoints) == [2, 3])
            #expect(history.map(\.prizeLevel) == [0, 1])
            #expect(history[1].endedAt == fixture.now)
            #expect(history[0].endedAt == nil)
            #expect(history[1].levels.map(\.wasLost) == [false, true, false])
            let page = try await fixture.family.contracts.list(of: kim, for: ada, after: nil, limit: 1)
            #expect(page.items.map(\.id) == [second.id])
            let rest = try await fixture.family.contracts.list(of: kim, for: ada, after: page.next, limit: 1)
            #expect(rest.items.map(\.id) == [first.id])
            #expect(rest.next == nil)
            try await fixture.checkPoints()
        }
    }

    @Test("An invalid contract doesn't change the present one", arguments: Engine.allCases)
    func nothingMade(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let present = try await fixture.family.contracts.create(
                for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            var input = FamilyFixture.tenPoints
            input.levels[0].points = 4
            let error = await refusal { [input] in
                _ = try await fixture.family.contracts.create(for: kim, input, by: Change(actor: ada))
            }
            #expect(error?.fields["levels.2.points"] != nil)
            #expect(try await fixture.family.children.child(kim, for: ada).contract?.id == present.id)
            #expect(try await fixture.count("family_contract") == 1)
        }
    }

    @Test("A parent marks a reached reward as handed over, and clears the mark", arguments: Engine.allCases)
    func handedOver(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(1, of: ada)
            let contract = try await fixture.family.contracts.create(
                for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            func tick(_ isOn: Bool, _ level: Int, ifVersion: Int64? = nil) async throws -> Contract {
                let change = Change(actor: ada, ifVersion: ifVersion)
                let contracts = fixture.family.contracts
                return isOn
                    ? try await contracts.markHandedOver(level: level, of: contract.id, of: kim, by: change)
                    : try await contracts.clearHandedOver(level: level, of: contract.id, of: kim, by: change)
            }
            let early = await refusal { _ = try await tick(true, 1) }
            #expect(early?.code == .conflict)
            let made = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            let ticked = try await tick(true, 1)
            #expect(ticked.levels.map(\.handedOverAt) == [fixture.now, nil, nil])
            #expect(ticked.version == 2)
            let again = try await tick(true, 1)
            #expect(again.version == 2)
            let stale = await refusal { _ = try await tick(false, 1, ifVersion: 1) }
            #expect(stale?.code == .conflict)
            let unknown = await refusal { _ = try await tick(true, 4) }
            #expect(unknown?.code == .notFound)
            // The mark stays when the level is lost, and can be cleared.
            try await fixture.family.assignments.undo(made[0].id, of: kim, by: Change(actor: ada))
            let lost = try await fixture.family.contracts.contract(contract.id, of: kim, for: ada)
            #expect(lost.levels[0].wasLost)
            #expect(lost.levels[0].handedOverAt == fixture.now)
            let unticked = try await tick(false, 1)
            #expect(unticked.levels[0].handedOverAt == nil)
        }
    }
}

import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Concurrent requests of a household")
struct ConcurrencyTests {
    @Test("Two parents assign the same chores at once, and both assignments count", arguments: Engine.allCases)
    func twoParents(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let chores = try await fixture.chores(3, of: ada)
            // Twelve points a round until the contract's maximum is near; then the next child follows.
            let contract = ContractInput(maxPoints: 1_000, levels: [LevelInput(reward: "x", points: 7)])
            let rounds = 80
            for start in stride(from: 0, to: Counts.races, by: rounds) {
                let kim = try await fixture.child(of: ada)
                _ = try await fixture.family.contracts.create(for: kim, contract, by: Change(actor: ada))
                for round in 1...min(rounds, Counts.races - start) {
                    let codes = await together(
                        [ada, ben].map { parent in
                            {
                                let change = Change.keyed(parent, "/family/children/\(kim)/assignments", "\(round)")
                                _ = try await fixture.family.assignments.assign(.each(chores, 2), to: kim, by: change)
                            }
                        }
                    )
                    #expect(codes == [nil, nil])
                    let sum = Int64(round) * 12
                    #expect(try await fixture.points(kim, ada) == [sum, sum, 1])
                }
            }
            try await fixture.checkPoints()
        }
    }

    @Test("The same request sent many times at once creates its assignments once", arguments: Engine.allCases)
    func sameRequest(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(3, of: ada)
            for round in 1...Counts.races {
                let codes = await together(
                    (0..<6).map { _ in
                        {
                            let change = Change.keyed(ada, "/family/children/\(kim)/assignments", "\(round)")
                            _ = try await fixture.family.assignments.assign(.each(chores, 1), to: kim, by: change)
                        }
                    }
                )
                #expect(codes.allSatisfy { $0 == nil })
                #expect(try await fixture.points(kim, ada) == [0, Int64(round) * 3, 0])
            }
            try await fixture.checkPoints()
        }
    }

    /// Pairs of actions that run at the same time.
    enum Race: String, Sendable, CaseIterable {
        case undoTwice, approveTwice, approveAndDecline, assignAndDeleteChore, assignAndDeleteChild, twoContracts
        case assignAndContract, tickTwice
    }

    @Test("The points are correct in whatever order two actions run", arguments: Engine.allCases, Race.allCases)
    func races(engine: Engine, race: Race) async throws {
        try await withFixture(engine) { fixture in
            // A household has a limit of deleted children.
            let rounds = 50
            for start in stride(from: 0, to: Counts.races, by: rounds) {
                let ada = try await fixture.parent()
                let ben = try await fixture.parent("Ben", with: ada)
                let lasting = try await fixture.chore(of: ada)
                for _ in start..<min(start + rounds, Counts.races) {
                    let kim = try await fixture.child(of: ada)
                    let chore = race == .assignAndDeleteChore ? try await fixture.chore(of: ada) : lasting
                    try await run(race, kim, chore, ada, ben, fixture)
                    if race != .assignAndDeleteChild {
                        try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
                    }
                }
            }
            try await fixture.checkPoints()
        }
    }

    private func run(
        _ race: Race, _ kim: PersonID, _ chore: ID<Chore>, _ ada: Actor, _ ben: Actor, _ fixture: FamilyFixture
    ) async throws {
        let family = fixture.family
        let entry: [AssignmentInput] = .each([chore], 3)
        switch race {
        case .undoTwice:
            let made = try await family.assignments.assign(entry, to: kim, by: Change(actor: ada))[0].id
            let codes = await together(
                [ada, ben].map { parent in
                    { try await family.assignments.undo(made, of: kim, by: Change(actor: parent)) }
                })
            #expect(Set(codes) == [nil, .notFound])
            #expect(try await fixture.points(kim, ada) == [0, 0, 0])
        case .approveTwice, .approveAndDecline:
            let request = try await family.requests.create(chore, for: kim, by: Change(actor: fixture.asking(kim))).id
            let codes = await together([
                { _ = try await family.requestDecisions.approve(request, of: kim, points: 3, by: Change(actor: ada)) },
                {
                    if race == .approveTwice {
                        _ = try await family.requestDecisions.approve(
                            request, of: kim, points: 2, by: Change(actor: ben))
                    } else {
                        try await family.requestDecisions.decline(request, of: kim, by: Change(actor: ben))
                    }
                },
            ])
            #expect(Set(codes) == [nil, .notFound])
            let expected: Int64 = codes[0] == nil ? 3 : race == .approveTwice ? 2 : 0
            #expect(try await fixture.points(kim, ada) == [0, expected, 0])
        case .assignAndDeleteChore:
            let codes = await together([
                { _ = try await family.assignments.assign(entry, to: kim, by: Change(actor: ada)) },
                { try await family.chores.delete(chore, by: Change(actor: ben)) },
            ])
            #expect(codes[1] == nil)
            #expect(codes[0] == nil || codes[0] == .conflict)
            #expect(try await fixture.points(kim, ada) == [0, codes[0] == nil ? 3 : 0, 0])
        case .assignAndDeleteChild:
            let codes = await together([
                { _ = try await family.assignments.assign(entry, to: kim, by: Change(actor: ada)) },
                { try await family.childDeletions.delete(kim, by: Change(actor: ben)) },
            ])
            #expect(codes[1] == nil)
            #expect(codes[0] == nil || codes[0] == .notFound)
        case .twoContracts:
            let codes = await together(
                [ada, ben].map { parent in
                    {
                        _ = try await family.contracts.create(
                            for: kim, FamilyFixture.tenPoints, by: Change(actor: parent))
                    }
                })
            #expect(codes == [nil, nil])
            let history = try await family.contracts.list(of: kim, for: ada, after: nil, limit: 9).items
            #expect(history.count { $0.endedAt == nil } == 1)
            #expect(history.count == 2)
        case .assignAndContract:
            let codes = await together([
                { _ = try await family.assignments.assign(entry, to: kim, by: Change(actor: ada)) },
                { _ = try await family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ben)) },
            ])
            #expect(codes == [nil, nil])
            let points = try await fixture.points(kim, ada)
            #expect(points == [0, 3, 0] || points == [3, 3, 1])
        case .tickTwice:
            let contract = try await family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
                .id
            _ = try await family.assignments.assign(entry, to: kim, by: Change(actor: ada))
            let codes = await together(
                [ada, ben].map { parent in
                    {
                        _ = try await family.contracts.markHandedOver(
                            level: 1, of: contract, of: kim, by: Change(actor: parent))
                    }
                })
            #expect(codes == [nil, nil])
            #expect(try await family.contracts.contract(contract, of: kim, for: ada).version == 2)
        }
    }

    @Test("The last two parents delete their accounts at once, and nothing is left", arguments: Engine.allCases)
    func bothLeave(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for _ in 0..<Counts.races {
                let ada = try await fixture.parent()
                let ben = try await fixture.parent("Ben", with: ada)
                let kim = try await fixture.child(of: ada)
                let chores = try await fixture.chores(1, of: ben)
                _ = try await fixture.family.assignments.assign(.each(chores, 1), to: kim, by: Change(actor: ben))
                let codes = await together(
                    [ada, ben].map { parent in
                        {
                            try await fixture.database.write { tx in
                                try fixture.dataHandler.erase(parent.person, in: tx)
                                try tx.execute("DELETE FROM picture WHERE owner_id = \(parent.person)")
                                try tx.execute("DELETE FROM account WHERE id = \(parent.person)")
                            }
                        }
                    }
                )
                #expect(codes == [nil, nil])
                #expect(try await fixture.count("family_household") == 0)
                #expect(try await fixture.count("account") == 0)
            }
            try await fixture.checkPoints()
        }
    }
}

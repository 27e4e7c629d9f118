import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

/// A simple reference model of a child's points.
private struct ReferenceChild {
    struct Card {
        let id: ID<Assignment>
        let points: Int64
        let contract: Int?
        var isUndone = false
    }

    var cards: [Card] = []
    var contracts: [(maximum: Int64, levels: [Int64])] = []

    func sum(_ contract: Int) -> Int64 {
        cards.filter { $0.contract == contract && !$0.isUndone }.reduce(0) { $0 + $1.points }
    }

    /// The gained points, the achievement points and the reached levels.
    var standing: [Int64] {
        let all = cards.filter { !$0.isUndone }.reduce(Int64(0)) { $0 + $1.points }
        guard let last = contracts.indices.last else { return [0, all, 0] }
        let gained = min(contracts[last].maximum, sum(last))
        var threshold: Int64 = 0
        var level: Int64 = 0
        for points in contracts[last].levels {
            threshold += points
            if gained >= threshold { level += 1 }
        }
        return [gained, all, level]
    }
}

@Suite("Points against a simple model")
struct ModelTests {
    @Test("Hundreds of random actions give the points that the model predicts", arguments: Engine.allCases)
    func random(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dice = SeededRandom(seed: Counts.modelSeed)
            let ada = try await fixture.parent()
            let chores = try await fixture.chores(4, of: ada)
            var children: [(id: PersonID, model: ReferenceChild)] = []
            for index in 0..<3 {
                children.append((try await fixture.child("Child \(index)", of: ada), ReferenceChild()))
            }
            for deed in 0..<Counts.actions {
                fixture.clock.advance(milliseconds: 1)
                let index = Int(dice.uint64() % 3)
                try await act(&children[index].model, children[index].id, chores, ada, dice, fixture)
                let points = try await fixture.points(children[index].id, ada)
                #expect(points == children[index].model.standing, "deed \(deed)")
            }
            for child in children {
                #expect(try await fixture.points(child.id, ada) == child.model.standing)
            }
            try await fixture.checkPoints()
        }
    }

    private func act(
        _ model: inout ReferenceChild, _ child: PersonID, _ chores: [ID<Chore>], _ ada: Actor, _ dice: SeededRandom,
        _ fixture: FamilyFixture
    ) async throws {
        switch dice.uint64() % 10 {
        case 0:
            let levels = (0..<Int(1 + dice.uint64() % 4)).map { _ in Int64(1 + dice.uint64() % 6) }
            let maximum = levels.reduce(0, +) + Int64(dice.uint64() % 4)
            let input = ContractInput(
                maxPoints: maximum, levels: levels.map { LevelInput(reward: "Reward", points: $0) })
            _ = try await fixture.family.contracts.create(for: child, input, by: Change(actor: ada))
            model.contracts.append((maximum, levels))
        case 1...3:
            guard !model.cards.isEmpty else { return }
            let index = Int(dice.uint64() % UInt64(model.cards.count))
            let card = model.cards[index]
            let error = await refusal {
                try await fixture.family.assignments.undo(card.id, of: child, by: Change(actor: ada))
            }
            #expect(error?.code == (card.isUndone ? .notFound : nil))
            model.cards[index].isUndone = true
        default:
            let count = Int(1 + dice.uint64() % 4)
            let entries = chores.prefix(count).map { chore in
                AssignmentInput(choreID: chore, points: Int64(1 + dice.uint64() % 3))
            }
            let made = try await fixture.family.assignments.assign(entries, to: child, by: Change(actor: ada))
            model.cards += made.map { card in
                ReferenceChild.Card(
                    id: card.id, points: Int64(card.points), contract: model.contracts.indices.last)
            }
        }
    }
}

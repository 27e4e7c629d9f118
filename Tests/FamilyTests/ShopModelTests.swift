import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

/// A simple reference model of a child's points and purchases.
private struct ReferenceBuyer {
    var given: [(id: ID<Assignment>, points: Int64, isUndone: Bool)] = []
    var bought: [(id: ID<Purchase>, reward: Int, price: Int64, state: Purchase.State)] = []

    var all: Int64 { given.reduce(0) { $0 + ($1.isUndone ? 0 : $1.points) } }
    var spendable: Int64 { all - bought.reduce(0) { $0 + ($1.state.isSpent ? $1.price : 0) } }
}

@Suite("The shop against a simple model")
struct ShopModelTests {
    private static let prices: [Int64] = [1, 2, 4, 9]

    @Test(
        "Random acts of parents and children give the points and stock that the model predicts",
        arguments: Engine.allCases)
    func random(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dice = SeededRandom(seed: Counts.modelSeed)
            let ada = try await fixture.parent()
            let chores = try await fixture.chores(3, of: ada)
            var rewards: [ShopReward] = []
            // The first ones have a stock, the others don't; some need no approval.
            for (index, price) in Self.prices.enumerated() {
                rewards.append(
                    try await fixture.reward(
                        "Reward \(index)", price: price, stock: index < 2 ? 6 : nil, needsApproval: index % 2 == 0,
                        by: ada))
            }
            var stock: [Int64?] = rewards.map(\.stock)
            var children: [(id: PersonID, model: ReferenceBuyer)] = []
            for index in 0..<2 {
                children.append((try await fixture.child("Child \(index)", of: ada), ReferenceBuyer()))
            }
            for deed in 0..<Counts.actions {
                fixture.clock.advance(milliseconds: 1)
                let index = Int(dice.uint64() % 2)
                let child = children[index].id
                try await act(&children[index].model, &stock, child, rewards, chores, ada, dice, fixture)
                let found = try await fixture.family.children.child(child, for: ada)
                let model = children[index].model
                #expect(found.spendablePoints == model.spendable, "deed \(deed)")
                #expect(found.achievementPoints == model.all, "deed \(deed)")
                let shop = try await fixture.family.shop.shop(for: ada)
                let left = Dictionary(shop.rewards.map { ($0.id, $0.stock) }) { first, _ in first }
                #expect(rewards.map { left[$0.id] ?? nil } == stock, "deed \(deed)")
            }
            try await fixture.checkPoints()
        }
    }

    private func act(
        _ model: inout ReferenceBuyer, _ stock: inout [Int64?], _ child: PersonID, _ rewards: [ShopReward],
        _ chores: [ID<Chore>], _ ada: Actor, _ dice: SeededRandom, _ fixture: FamilyFixture
    ) async throws {
        let parent = Change(actor: ada)
        let own = Change(actor: fixture.asking(child))
        let family = fixture.family
        switch dice.uint64() % 10 {
        case 0...2:
            let points = Int64(1 + dice.uint64() % 3)
            let made = try await family.assignments.assign(
                .each([chores[Int(dice.uint64() % 3)]], points), to: child, by: parent)
            model.given += made.map { ($0.id, Int64($0.points), false) }
        case 3:
            guard !model.given.isEmpty else { return }
            let index = Int(dice.uint64() % UInt64(model.given.count))
            let entry = model.given[index]
            let code = await refusal { try await family.assignments.undo(entry.id, of: child, by: parent) }?.code
            guard !entry.isUndone else {
                #expect(code == .notFound)
                return
            }
            let isPossible = model.spendable >= entry.points
            #expect(code == (isPossible ? nil : .conflict))
            if isPossible { model.given[index].isUndone = true }
        case 4...6:
            let index = Int(dice.uint64() % UInt64(rewards.count))
            let reward = rewards[index]
            let waiting = model.bought.count { $0.state == .waiting }
            let isPossible =
                (stock[index] ?? 1) > 0 && model.spendable >= reward.price && waiting < Limits.waitingPurchasesPerChild
            var purchase: Purchase?
            let code = await refusal { purchase = try await family.purchases.buy(reward.id, for: child, by: own) }?.code
            #expect(code == (isPossible ? nil : .conflict))
            if let purchase {
                model.bought.append((purchase.id, index, reward.price, purchase.state))
                stock[index] = stock[index].map { $0 - 1 }
            }
        default:
            guard !model.bought.isEmpty else { return }
            let index = Int(dice.uint64() % UInt64(model.bought.count))
            let entry = model.bought[index]
            let new = [Purchase.State.approved, .declined, .cancelled, .refunded][Int(dice.uint64() % 4)]
            let isPossible = entry.state == (new == .refunded ? .approved : .waiting)
            let code = await refusal {
                switch new {
                case .approved: _ = try await family.purchaseDecisions.approve(entry.id, of: child, by: parent)
                case .declined: _ = try await family.purchaseDecisions.decline(entry.id, of: child, by: parent)
                case .refunded: _ = try await family.purchaseDecisions.refund(entry.id, of: child, by: parent)
                case .cancelled, .waiting: _ = try await family.purchases.cancel(entry.id, of: child, by: own)
                }
            }?.code
            #expect(code == (isPossible ? nil : .conflict))
            guard isPossible else { return }
            model.bought[index].state = new
            if !new.isSpent { stock[entry.reward] = stock[entry.reward].map { $0 + 1 } }
        }
    }
}

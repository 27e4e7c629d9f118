import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Saving goals")
struct SavingGoalTests {
    @Test("A goal that is reached notifies once, also if points go and come back", arguments: Engine.allCases)
    func reached(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let zoo = try await fixture.reward("Zoo", price: 5, by: ada)
            let kite = try await fixture.reward("Kite", price: 4, by: ada)
            let own = Change(actor: fixture.asking(kim))
            func told() async throws -> Int { try await fixture.notices().count { $0.kind == "goalReached" } }

            let child = try await fixture.family.savingGoals.choose(zoo.id, for: kim, by: own)
            #expect(child.savingGoal?.name == "Zoo" && child.savingGoal?.price == 5)
            try await fixture.give(4, to: kim, by: ada)
            #expect(try await told() == 0)
            try await fixture.give(1, to: kim, by: ada)
            // The parent who gave the points caused it, so only the child is notified.
            #expect(try await told() == 1)
            #expect(try await fixture.goal(of: kim, for: ada)?.reachedAt != nil)
            let bought = try await fixture.buy(kite, kim)
            #expect(try await fixture.goal(of: kim, for: ada) != nil)
            _ = try await fixture.family.purchaseDecisions.decline(bought.id, of: kim, by: Change(actor: ada))
            #expect(try await told() == 1)
            // A goal that can be bought at once is reached, and is over once it is bought.
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.family.savingGoals.choose(kite.id, for: kim, by: own)
            #expect(try await told() == 2)
            let last = try await fixture.buy(kite, kim)
            _ = try await fixture.family.purchaseDecisions.approve(last.id, of: kim, by: Change(actor: ada))
            #expect(try await fixture.goal(of: kim, for: ada) == nil)
            try await fixture.checkPoints()
        }
    }

    @Test("A changed price reaches a goal, or takes that back, at once", arguments: Engine.allCases) func changedPrice(
        engine: Engine
    ) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let lee = try await fixture.child("Lee", of: ada)
            let zoo = try await fixture.reward("Zoo", price: 9, by: ada)
            for child in [kim, lee] {
                let own = Change(actor: fixture.asking(child))
                _ = try await fixture.family.savingGoals.choose(zoo.id, for: child, by: own)
            }
            try await fixture.give(5, to: kim, by: ada)
            func change(to price: Int64) async throws -> [PersonID: Set<String>] {
                fixture.clock.advance(seconds: Limits.codeNotificationSeconds)
                return try await fixture.told {
                    _ = try await fixture.family.shop.update(
                        zoo.id, ShopRewardInput(name: "Zoo", price: price), by: Change(actor: ada))
                }
            }
            #expect(try await change(to: 5)[kim]?.contains("purchase /family/children/\(kim)") == true)
            #expect(try await fixture.goal(of: kim, for: ada)?.reachedAt != nil)
            #expect(try await fixture.goal(of: lee, for: ada)?.reachedAt == nil)
            #expect(try await fixture.notices(.goalReached).map(\.person) == [kim])
            _ = try await change(to: 6)
            #expect(try await fixture.goal(of: kim, for: ada)?.reachedAt == nil)
            // The child is notified again once it has the points for the higher price.
            try await fixture.give(1, to: kim, by: ada)
            #expect(try await fixture.goal(of: kim, for: ada)?.reachedAt != nil)
            #expect(try await fixture.notices(.goalReached).count == 2)
            // Another field changes nothing.
            #expect(try await change(to: 6)[lee]?.contains("purchase /family/children/\(lee)") == false)
        }
    }

    @Test("The goal of a purchase that waits is over once a parent approves", arguments: Engine.allCases)
    func waitingPurchase(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let zoo = try await fixture.reward("Zoo", price: 5, by: ada)
            let own = Change(actor: fixture.asking(kim))
            _ = try await fixture.family.savingGoals.choose(zoo.id, for: kim, by: own)
            try await fixture.give(5, to: kim, by: ada)
            let declined = try await fixture.buy(zoo, kim)
            #expect(try await fixture.goal(of: kim, for: ada)?.name == "Zoo")
            _ = try await fixture.family.purchaseDecisions.decline(declined.id, of: kim, by: Change(actor: ada))
            #expect(try await fixture.goal(of: kim, for: ada)?.name == "Zoo")
            let approved = try await fixture.buy(zoo, kim)
            _ = try await fixture.family.purchaseDecisions.approve(approved.id, of: kim, by: Change(actor: ada))
            #expect(try await fixture.goal(of: kim, for: ada) == nil)
            // Without approval, the purchase ends it at once.
            try await fixture.give(5, to: kim, by: ada)
            let kite = try await fixture.reward("Kite", price: 5, needsApproval: false, by: ada)
            _ = try await fixture.family.savingGoals.choose(kite.id, for: kim, by: own)
            try await fixture.buy(kite, kim)
            #expect(try await fixture.goal(of: kim, for: ada) == nil)
            try await fixture.checkPoints()
        }
    }

    @Test("Only the child chooses, among its rewards, and siblings don't see the goal", arguments: Engine.allCases)
    func access(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let lee = try await fixture.child("Lee", of: ada)
            let service = fixture.family.savingGoals
            let zoo = try await fixture.reward("Zoo", by: ada)
            let lees = try await fixture.reward("Kite", for: [lee], by: ada)
            let own = Change(actor: fixture.asking(kim))
            for actor in [ada, fixture.asking(lee)] {
                let change = Change(actor: actor)
                let chosen = await refusal { _ = try await service.choose(zoo.id, for: kim, by: change) }
                #expect(chosen?.code == .forbidden)
                let ended = await refusal { try await service.end(of: kim, by: change) }
                #expect(ended?.code == .forbidden)
            }
            let none = await refusal { _ = try await service.choose(nil, for: kim, by: own) }
            #expect(none?.code == .invalid)
            let other = await refusal { _ = try await service.choose(lees.id, for: kim, by: own) }
            #expect(other?.fields["rewardId"] == FamilyMessage.rewardGone.text)
            _ = try await service.choose(zoo.id, for: kim, by: own)
            #expect(try await fixture.goal(of: kim, for: ada) != nil)
            #expect(try await fixture.goal(of: kim, for: fixture.asking(lee)) == nil)
            // A deleted reward is no goal until it is restored.
            try await fixture.family.shop.delete(zoo.id, by: Change(actor: ada))
            #expect(try await fixture.goal(of: kim, for: ada) == nil)
            _ = try await fixture.family.shop.restore(zoo.id, by: Change(actor: ada))
            #expect(try await fixture.goal(of: kim, for: ada) != nil)
            try await service.end(of: kim, by: own)
            #expect(try await fixture.count("family_saving_goal") == 0)
            _ = try await service.choose(zoo.id, for: kim, by: own)
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            try await fixture.prove(.eraseChild, ada)
            try await fixture.family.childDeletions.erase(kim, by: Change(actor: ada))
            #expect(try await fixture.count("family_saving_goal") == 0)
        }
    }
}

extension FamilyFixture {
    fileprivate func goal(of child: PersonID, for actor: Actor) async throws -> SavingGoal? {
        try await family.children.child(child, for: actor).savingGoal
    }
}

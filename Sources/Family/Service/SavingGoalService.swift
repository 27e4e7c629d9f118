package import Accounts
package import Kernel
import Storage

/// The saving goals of children.
package struct SavingGoalService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildReader
    let goals: SavingGoalNotifier
    let clock: any WallClock

    /// Chooses the reward that a child saves for, instead of the one before.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child; `invalid` at `rewardId` without
    ///   one; `conflict` at `rewardId` for a reward that is deleted or not for the child.
    package func choose(
        _ reward: ID<ShopReward>?, for child: PersonID, by change: Change
    ) async throws -> Child {
        guard let reward else { throw AppError(.invalid, .rewardChoiceMissing, field: "rewardId") }
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: child.description) {
                try householdActor.require(.chooseGoal, with: child, in: tx)
                guard let stored = try RewardStore.find(reward, in: tx), stored.deletedAt == nil,
                    stored.household == householdActor.household, stored.reward.isFor(child)
                else { throw AppError(.conflict, .rewardGone, field: "rewardId") }
                try SavingGoalStore.set(reward, of: child, now: now, in: tx)
                try goals.update(child, by: householdActor, now: now, in: tx)
                try FamilyEvents.publishPurchases(of: child, in: householdActor.household, now: now, in: tx)
            }
            return try children.child(child, for: householdActor, in: tx)
        }
    }

    /// Ends saving. Does nothing without a goal.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child.
    package func end(of child: PersonID, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: child.description) {
                try householdActor.require(.chooseGoal, with: child, in: tx)
                try SavingGoalStore.delete(of: child, in: tx)
                try FamilyEvents.publishPurchases(of: child, in: householdActor.household, now: now, in: tx)
            }
        }
    }
}

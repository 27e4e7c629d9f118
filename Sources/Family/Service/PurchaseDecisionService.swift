package import Accounts
package import Kernel
import Storage

/// The decisions of parents about children's purchases.
package struct PurchaseDecisionService: Sendable {
    let transactions: HouseholdTransactions
    let ending: PurchaseEnding
    let notifier: ChildNotifier
    let clock: any WallClock

    /// Approves a purchase that waits; the child is notified. If it saved for the reward, the goal is over.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `conflict` if it doesn't wait any more.
    package func approve(_ id: ID<Purchase>, of child: PersonID, by change: Change) async throws -> Purchase {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.approvePurchase, with: child, in: tx)
                let purchase = try ending.require(id, of: child, in: .waiting, in: tx)
                try PurchaseStore.setState(.approved, id, by: householdActor.person, now: now, in: tx)
                if let reward = purchase.rewardID { try SavingGoalStore.delete(reward, of: child, in: tx) }
                try FamilyEvents.publishPurchases(of: child, in: householdActor.household, now: now, in: tx)
                try notifier.notify(of: .purchaseApproved, purchase, by: householdActor, now: now, in: tx)
            }
            return try find(id, of: child, in: tx)
        }
    }

    /// Declines a purchase that waits, and gives the points back; the child is notified.
    /// - Parameter reason: the text for the child; blank for none.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at `reason`; `conflict` if it doesn't wait
    ///   any more.
    package func decline(
        _ id: ID<Purchase>, of child: PersonID, reason: String? = nil, by change: Change
    ) async throws -> Purchase {
        let reason = try RequestDecisionService.checkedReason(reason)
        let now = clock.now
        let reversal = ending.newReversal(now)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.declinePurchase, with: child, in: tx)
                let purchase = try ending.end(
                    id, of: child, from: .waiting, as: .declined, reversal, by: householdActor, now: now, in: tx)
                try notifier.notify(
                    of: .purchaseDeclined, purchase, reason: reason, by: householdActor, now: now, in: tx)
            }
            return try find(id, of: child, in: tx)
        }
    }

    /// Gives the points of an approved purchase back; the child is notified.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `conflict` if it isn't approved.
    package func refund(_ id: ID<Purchase>, of child: PersonID, by change: Change) async throws -> Purchase {
        let now = clock.now
        let reversal = ending.newReversal(now)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.refundPurchase, with: child, in: tx)
                let purchase = try ending.end(
                    id, of: child, from: .approved, as: .refunded, reversal, by: householdActor, now: now, in: tx)
                try notifier.notify(of: .purchaseRefunded, purchase, by: householdActor, now: now, in: tx)
            }
            return try find(id, of: child, in: tx)
        }
    }

    private func find(_ id: ID<Purchase>, of child: PersonID, in tx: Transaction) throws -> Purchase {
        guard let purchase = try PurchaseStore.find(id, of: child, in: tx) else { throw AppError.notFound }
        return purchase
    }
}

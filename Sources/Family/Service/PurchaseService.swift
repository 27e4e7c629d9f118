package import Accounts
package import Kernel
import Storage

/// The purchases of children in the shop.
package struct PurchaseService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildReader
    let shop: ShopReader
    let spender: PointsSpender
    let ending: PurchaseEnding
    let notifier: ChildNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of a child's purchases, newest first, with the child.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's; `invalid` at `after`.
    package func listWithChild(
        _ child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> ChildEntries<Purchase> {
        let request = try PageRequest<ID<Purchase>>(after: after, limit: limit)
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seePurchases, with: child, in: tx)
            let purchases = try PurchaseStore.page(of: child, before: request.after, limit: request.rows, in: tx)
            return ChildEntries(
                child: try children.child(child, for: householdActor, in: tx), page: request.page(purchases, \.id))
        }
    }

    /// Returns one purchase with its child.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's.
    package func details(
        _ id: ID<Purchase>, of child: PersonID, for actor: Actor
    ) async throws -> PurchaseDetails {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seePurchases, with: child, in: tx)
            guard let purchase = try PurchaseStore.find(id, of: child, in: tx) else { throw AppError.notFound }
            return PurchaseDetails(
                purchase: purchase, child: try children.child(child, for: householdActor, in: tx))
        }
    }

    /// Buys a reward with a child's own points. The points are spent at once, also while the purchase waits for a
    /// parent.
    /// - Parameter price: the price that the child saw; `nil` for any.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child; `invalid` at `rewardId` without
    ///   one; `conflict` at `rewardId` for a reward that is deleted or not for the child, and at `price` for another
    ///   price; `conflict` if it is sold out, was bought too short a time ago, or if points are missing, and if
    ///   ``Limits/waitingPurchasesPerChild`` purchases wait.
    package func buy(
        _ reward: ID<ShopReward>?, price: Int64? = nil, for child: PersonID, by change: Change
    ) async throws -> Purchase {
        guard let reward else { throw AppError(.invalid, .rewardChoiceMissing, field: "rewardId") }
        let now = clock.now
        let id = ID<Purchase>(at: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.buy, with: child, in: tx)
                let reward = try offer(reward, price: price, to: householdActor, now: now, in: tx)
                try spender.spend(reward.price, by: child, on: id, now: now, in: tx)
                if reward.stock != nil { try RewardStore.addStock(-1, reward.id, in: tx) }
                try PurchaseStore.insert(
                    id, of: reward, by: child, state: reward.needsApproval ? .waiting : .approved, now: now, in: tx)
                // A parent may decline, so the goal of a purchase that waits stays.
                if !reward.needsApproval { try SavingGoalStore.delete(reward.id, of: child, in: tx) }
                try FamilyEvents.publishPurchases(of: child, in: householdActor.household, now: now, in: tx)
                if reward.stock != nil {
                    try FamilyEvents.publish(
                        "reward", FamilyEvents.reward(reward.id), version: reward.version + 1,
                        of: householdActor.household, now: now, in: tx)
                }
                if let purchase = try PurchaseStore.find(id, of: child, in: tx) {
                    try notifier.notify(of: purchase, by: householdActor, now: now, in: tx)
                }
            }
            guard let bought = ID<Purchase>(once.resource),
                let purchase = try PurchaseStore.find(bought, of: child, in: tx)
            else { throw AppError.notFound }
            return purchase
        }
    }

    /// Returns a reward that the child can buy now.
    private func offer(
        _ id: ID<ShopReward>, price: Int64?, to householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> ShopReward {
        let child = householdActor.person
        guard let stored = try RewardStore.find(id, in: tx), stored.deletedAt == nil,
            stored.household == householdActor.household, stored.reward.isFor(child)
        else { throw AppError(.conflict, .rewardGone, field: "rewardId") }
        let reward = stored.reward
        if let price, price != reward.price { throw AppError(.conflict, .priceChanged, field: "price") }
        let waiting = try PurchaseStore.waitingCount(of: child, household: householdActor.household, in: tx)
        guard waiting < Limits.waitingPurchasesPerChild else { throw AppError(.conflict, .tooManyPurchases) }
        let verdicts = try shop.verdicts(
            on: [reward], for: child, of: householdActor.household, now: now, in: tx)
        switch verdicts[id] {
        case .allowed: return reward
        case .soldOut: throw AppError(.conflict, .soldOut)
        case .availableFrom: throw AppError(.conflict, .boughtBefore)
        case .lacksPoints, nil: throw AppError(.conflict, .pointsMissing)
        }
    }

    /// Cancels a child's own purchase, and gives the points back.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child; `conflict` if a parent decided on
    ///   it.
    package func cancel(_ id: ID<Purchase>, of child: PersonID, by change: Change) async throws -> Purchase {
        let now = clock.now
        let reversal = ending.newReversal(now)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.cancelPurchase, with: child, in: tx)
                let purchase = try ending.end(
                    id, of: child, from: .waiting, as: .cancelled, reversal, by: householdActor, now: now, in: tx)
                try notifier.withdrawNotifications(of: purchase, householdActor.household, now: now, in: tx)
            }
            guard let purchase = try PurchaseStore.find(id, of: child, in: tx) else { throw AppError.notFound }
            return purchase
        }
    }
}

import Kernel
import Ledger
import Storage

/// Changes the state of purchases, in the transaction of the caller, which locks the household.
struct PurchaseEnding: Sendable {
    let spender: PointsSpender
    let goals: SavingGoalNotifier
    let random: any RandomSource

    /// Returns the id of a transfer that gives points back. Create it before the transaction.
    func newReversal(_ now: Instant) -> ID<Transfer> { ID(at: now, random: random) }

    /// Ends a purchase: gives the points back, and returns it to the stock.
    /// - Throws: `AppError`: `notFound`; `conflict` if it isn't in the expected state.
    /// - Returns: the purchase before.
    func end(
        _ id: ID<Purchase>, of child: PersonID, from state: Purchase.State, as newState: Purchase.State,
        _ reversal: ID<Transfer>, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> Purchase {
        let purchase = try require(id, of: child, in: state, in: tx)
        try spender.giveBack(purchase, as: reversal, now: now, in: tx)
        if let reward = try PurchaseStore.stockedReward(of: id, in: tx) {
            try RewardStore.addStock(1, reward, in: tx)
            try FamilyEvents.publish(
                "reward", FamilyEvents.reward(reward), of: householdActor.household, now: now, in: tx)
        }
        try PurchaseStore.setState(newState, id, by: householdActor.person, now: now, in: tx)
        try goals.update(child, by: householdActor, now: now, in: tx)
        try FamilyEvents.publishPurchases(of: child, in: householdActor.household, now: now, in: tx)
        return purchase
    }

    /// Returns a purchase in a state.
    /// - Throws: `AppError`: `notFound`; `conflict` in another state.
    func require(
        _ id: ID<Purchase>, of child: PersonID, in state: Purchase.State, in tx: Transaction
    ) throws -> Purchase {
        guard let purchase = try PurchaseStore.find(id, of: child, in: tx) else { throw AppError.notFound }
        guard purchase.state == state else { throw AppError(.conflict, .purchaseDecided) }
        return purchase
    }
}

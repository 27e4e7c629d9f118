import Accounts
import Kernel
import Storage

/// Erases deleted children.
struct ChildErasure: Sendable {
    let childAccounts: ChildAccountService
    let notifier: FamilyNotifier
    let turns: TurnRecorder

    /// Deletes everything of a child. The household must be locked.
    func erase(_ child: PersonID, of household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try withdrawPurchases(of: child, from: household, now: now, in: tx)
        let wishes = try WishStore.ofDeleted(child, in: tx)
        try notifier.withdraw(about: wishes.map(FamilyEvents.wish), from: household, now: now, in: tx)
        // The turns of the other children follow from those of this child.
        try turns.settle(household, now: now, in: tx)
        try ChildDataStore.deleteAll(of: child, in: tx)
        try notifier.withdraw(
            about: [FamilyEvents.deletedChild(child), FamilyEvents.child(child), FamilyEvents.devices(of: child)],
            from: household, now: now, in: tx)
        if let heir = try HouseholdStore.parents(of: household, in: tx).first {
            try FamilyPictures.handOver(from: child, to: heir, household: household, in: tx)
        }
        try childAccounts.erase(child, now: now, in: tx)
    }

    /// Removes the notifications of all purchases, page by page.
    private func withdrawPurchases(of child: PersonID, from household: ID<Household>, now: Instant, in tx: Transaction)
        throws
    {
        var last: ID<Purchase>?
        repeat {
            let page = try PurchaseStore.page(of: child, before: last, limit: Limits.pageSizeMaximum, in: tx)
            try notifier.withdraw(about: page.map(FamilyEvents.purchase), from: household, now: now, in: tx)
            last = page.count == Limits.pageSizeMaximum ? page.last?.id : nil
        } while last != nil
    }
}

import Accounts
import Kernel
import Storage

/// Reads deleted children, in the transaction of the caller.
struct DeletedChildReader: Sendable {
    let accounts: AccountReader

    /// Returns the deleted children that can be restored, the last deleted first.
    func deletedChildren(
        of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws -> [DeletedChild] {
        let deleted = try HouseholdStore.deletedChildren(of: household, in: tx)
        let profiles = try accounts.accounts(deleted.map(\.child), in: tx)
        return deleted.compactMap { child, deletedAt in
            guard ChildRestorationRule.isRestorable(deletedAt: deletedAt, now: now), let account = profiles[child]
            else { return nil }
            return DeletedChild(
                member: Member(account, role: .child), deletedAt: deletedAt,
                restorableUntil: ChildRestorationRule.deadline(deletedAt: deletedAt))
        }
    }
}

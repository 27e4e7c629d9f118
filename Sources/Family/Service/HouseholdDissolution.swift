import Accounts
import Kernel
import Storage

/// Deletes households without parents.
struct HouseholdDissolution: Sendable {
    let childAccounts: ChildAccountService

    /// Deletes a household without parents, and everything in it.
    func dissolve(_ household: ID<Household>, now: Instant, in tx: Transaction) throws {
        let children = try HouseholdStore.allChildren(of: household, in: tx)
        for child in children { try ChildDataStore.deleteAll(of: child, in: tx) }
        try ChoreStore.deleteAll(of: household, in: tx)
        try RewardStore.deleteAll(of: household, in: tx)
        try TabletRemoval.removeAll(of: household, now: now, in: tx)
        for child in children { try childAccounts.erase(child, now: now, in: tx) }
        try HouseholdStore.delete(household, in: tx)
    }
}

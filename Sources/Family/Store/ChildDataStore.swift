import Kernel
import Storage

/// The data of one child in all tables of this module.
enum ChildDataStore {
    /// Deletes the data. The ledger keeps its postings.
    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try AssignmentStore.deleteAll(of: child, in: tx)
        try ContractStore.deleteAll(of: child, in: tx)
        try ScheduleStore.deleteAll(of: child, in: tx)
        try TurnStore.deleteAll(of: child, in: tx)
        try StreakStore.deleteAll(of: child, in: tx)
        try SwapStore.deleteAll(of: child, in: tx)
        try PauseStore.deleteAll(of: child, in: tx)
        try RequestStore.deleteAll(of: child, in: tx)
        try DeclinedRequestStore.deleteAll(of: child, in: tx)
        try WishStore.deleteAll(of: child, in: tx)
        try SavingGoalStore.delete(of: child, in: tx)
        try PurchaseStore.deleteAll(of: child, in: tx)
        try RewardStore.deleteAll(of: child, in: tx)
        try SignInCodeStore.deleteAll(of: child, in: tx)
        try HouseholdStore.remove(child, in: tx)
    }
}

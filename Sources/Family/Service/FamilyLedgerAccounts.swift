import Kernel
import Ledger

/// The ledger accounts for points.
enum FamilyLedgerAccounts {
    static let unit = "points"

    /// The points that a household has given. The balance is negative, so that the sum of all accounts is zero.
    static func given(_ household: ID<Household>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "given", holder: household.description)
    }

    /// The points of a child that were not undone and not spent. The ledger refuses to make it negative.
    static func achievement(_ child: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "achievement", holder: child.description)
    }

    /// The points that a child spent in the shop. The ledger has it from the first purchase on.
    static func spent(_ child: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "spent", holder: child.description)
    }

    /// All points under a contract, including those above its maximum.
    static func contract(_ contract: ID<Contract>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "contract", holder: contract.description)
    }
}

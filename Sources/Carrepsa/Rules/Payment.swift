/// The two amounts of a package.
package enum PackageMoney: String, Sendable, CaseIterable {
    /// The amount that the carrier earns.
    case reward
    /// The carrier's deposit, called money lock in JSON.
    case moneyLock
}

/// The ledger account that holds an amount.
package enum LedgerParty: String, Sendable, CaseIterable {
    case owner
    case carrier
    /// The package's own ledger account.
    case escrow
}

/// A payment between ledger accounts. The transition skips it if the amount is already there: an expired offer has no
/// reward in escrow, so withdrawing it returns none and accepting it pays it in again.
package struct Payment: Sendable, Hashable {
    package let money: PackageMoney
    package let from: LedgerParty
    package let to: LedgerParty
    /// Whether the recipient gets only the part that was agreed or decided.
    package var isPart = false
}

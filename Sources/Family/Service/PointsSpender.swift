import Kernel
import Ledger
import Storage

/// Spends points and gives them back, in the transaction of the caller, which locks the household. The ledger keeps the
/// balance of each child at 0 or more.
struct PointsSpender: Sendable {
    let ledger: Ledger

    /// Returns the points that a child can spend.
    func balance(of child: PersonID, in tx: Transaction) throws -> Int64 {
        try ledger.balance(of: FamilyLedgerAccounts.achievement(child), in: tx)
    }

    /// Posts the price of a purchase.
    /// - Throws: `AppError.conflict` if points are missing.
    func spend(_ price: Int64, by child: PersonID, on purchase: ID<Purchase>, now: Instant, in tx: Transaction) throws {
        guard try balance(of: child, in: tx) >= price else { throw AppError(.conflict, .pointsMissing) }
        let spent = FamilyLedgerAccounts.spent(child)
        try ledger.open(spent, unit: FamilyLedgerAccounts.unit, now: now, in: tx)
        try ledger.post(
            Transfer(
                id: purchase.cast(to: Transfer.self), kind: "purchase", subject: child.description, at: now,
                amount: price, from: FamilyLedgerAccounts.achievement(child), to: spent),
            in: tx)
    }

    /// Reverses the transfer of a purchase.
    func giveBack(_ purchase: Purchase, as reversal: ID<Transfer>, now: Instant, in tx: Transaction) throws {
        try ledger.reverse(purchase.transfer, as: reversal, kind: "purchase-undone", at: now, in: tx)
    }
}

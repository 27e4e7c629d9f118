package import Kernel
package import Storage

extension Ledger {
    /// Returns a transfer whose row matches its digest; `nil` if it doesn't exist.
    /// - Throws: ``LedgerError/damagedTransfer(_:)``.
    package func transfer(_ id: ID<Transfer>, in tx: Transaction) throws -> Transfer? {
        do {
            let (row, postings) = try TransferStore.checked(id, key: key, in: tx)
            return Transfer(
                id: id, kind: row.kind, subject: row.subject, at: Instant(millisecondsSince1970: row.at),
                reverses: row.reverses.flatMap(ID.init),
                legs: postings.map { Leg(account: $0.account, amount: $0.amount) })
        } catch LedgerError.unknownTransfer {
            return nil
        }
    }

    /// Returns a page of the accounts of a purpose with their balances, in the order of their keys.
    package func accounts(
        purpose: String, after last: LedgerAccountKey?, limit: Int, in tx: Transaction
    ) throws -> [(account: LedgerAccountKey, balance: Int64)] {
        // The colon ends the purpose, and the semicolon is the character after it.
        let (start, end) = (last?.text ?? "\(purpose):", "\(purpose);")
        return try tx.rows(
            """
            SELECT id, balance FROM ledger_account WHERE id > \(start) AND id < \(end) ORDER BY id LIMIT \(limit)
            """
        ).map { (account: try $0.get("id"), balance: try $0.get("balance")) }
    }
}

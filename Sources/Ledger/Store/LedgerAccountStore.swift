import Kernel
import Storage

/// The SQL of `ledger_account`.
enum LedgerAccountStore {
    static func find(_ account: LedgerAccountKey, in tx: Transaction) throws -> AccountRow? {
        try tx.row(byID, [.text(account.text)]).map(AccountRow.init)
    }

    private static let byID = FixedSQL(
        "SELECT id, unit, may_overdraw, balance, movements, opened_at, digest FROM ledger_account WHERE id = ?"
    )

    private static let insertion = FixedSQL(
        """
        INSERT INTO ledger_account (id, unit, may_overdraw, balance, movements, opened_at, digest)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING movements
        """
    )

    /// - Parameter existed: called, perhaps later in the transaction, if the account exists.
    static func insert(
        _ row: AccountRow, digest: [UInt8], in tx: Transaction, existed: @escaping () throws -> Void
    ) throws {
        try tx.rowsLater(
            insertion,
            [
                .text(row.id), .text(row.unit), .integer(row.overdraft), .integer(row.balance),
                .integer(row.movements), .integer(row.openedAt), .blob(digest),
            ]
        ) { rows in
            if rows.isEmpty { try existed() }
        }
    }

    /// Locks and returns the accounts of the postings, in the same order. All callers lock in key order, which
    /// prevents deadlocks. Throws when a row doesn't match its digest.
    /// - Returns: `isPosted` is whether the transfer is known to be posted. It is `false` on SQLite: there its
    ///   insertion tells.
    static func lockAll(
        _ legs: [Leg], of transfer: ID<Transfer>, key: LedgerKey, in tx: Transaction
    ) throws -> (accounts: [AccountRow], isPosted: Bool) {
        let (accounts, isPosted) = try read(legs, of: transfer, in: tx)
        guard accounts.count == legs.count else {
            let known = Set(accounts.map(\.id))
            throw LedgerError.unknownAccount(legs.map(\.account).first { !known.contains($0.text) } ?? legs[0].account)
        }
        for (leg, account) in zip(legs, accounts) {
            guard leg.account.text == account.id, key.isDigest(account.digest, of: account.image()) else {
                throw LedgerError.damagedAccount(leg.account)
            }
        }
        return (accounts, isPosted)
    }

    /// Omits missing rows. Several small queries are fastest on SQLite, one query on PostgreSQL.
    private static func read(
        _ legs: [Leg], of transfer: ID<Transfer>, in tx: Transaction
    ) throws -> (accounts: [AccountRow], isPosted: Bool) {
        switch tx.dialect {
        case .sqlite:
            let accounts = try legs.compactMap { leg in
                try tx.row(byID, [.text(leg.account.text)]).map(AccountRow.init)
            }
            return (accounts, false)
        case .postgres:
            let rows = try tx.rows(
                """
                SELECT \(sql: AccountRow.columns),
                    EXISTS (SELECT 1 FROM ledger_transfer WHERE ledger_transfer.id = \(transfer)) AS is_posted
                FROM ledger_account WHERE id IN \(list: legs.map(\.account.text)) ORDER BY id \(sql: tx.forUpdate)
                """
            )
            return (try rows.map(AccountRow.init), try rows.first?.get("is_posted") ?? false)
        }
    }
}

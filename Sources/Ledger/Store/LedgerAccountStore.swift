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
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """
    )

    /// - Returns: `false` if the account exists.
    static func insert(_ row: AccountRow, digest: [UInt8], in tx: Transaction) throws -> Bool {
        let made = try tx.executeCounting(
            insertion,
            [
                .text(row.id), .text(row.unit), .integer(row.overdraft), .integer(row.balance),
                .integer(row.movements), .integer(row.openedAt), .blob(digest),
            ]
        )
        return made == 1
    }

    /// Locks and returns the accounts of the postings, in the same order. All callers lock in key order, which
    /// prevents deadlocks. Throws when a row doesn't match its digest.
    static func lockAll(_ legs: [Leg], key: LedgerKey, in tx: Transaction) throws -> [AccountRow] {
        let accounts = try read(legs, in: tx)
        guard accounts.count == legs.count else {
            let known = Set(accounts.map(\.id))
            throw LedgerError.unknownAccount(legs.map(\.account).first { !known.contains($0.text) } ?? legs[0].account)
        }
        for (leg, account) in zip(legs, accounts) {
            guard leg.account.text == account.id, key.isDigest(account.digest, of: account.image()) else {
                throw LedgerError.damagedAccount(leg.account)
            }
        }
        return accounts
    }

    /// Omits missing rows. Several small queries are fastest on SQLite, one query on PostgreSQL.
    private static func read(_ legs: [Leg], in tx: Transaction) throws -> [AccountRow] {
        switch tx.dialect {
        case .sqlite:
            return try legs.compactMap { leg in
                try tx.row(byID, [.text(leg.account.text)]).map(AccountRow.init)
            }
        case .postgres:
            return try tx.rows(
                """
                SELECT \(sql: AccountRow.columns) FROM ledger_account WHERE id IN \(list: legs.map(\.account.text))
                ORDER BY id \(sql: tx.forUpdate)
                """
            ).map(AccountRow.init)
        }
    }
}

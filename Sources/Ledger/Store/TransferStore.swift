import Kernel
import Storage

/// The SQL of `ledger_transfer` and `ledger_posting`.
enum TransferStore {
    static func find(_ id: ID<Transfer>, in tx: Transaction) throws -> TransferRow? {
        try tx.row("SELECT \(sql: TransferRow.columns) FROM ledger_transfer WHERE id = \(id)").map(TransferRow.init)
    }

    /// Returns a transfer after verifying its digest.
    static func checked(
        _ id: ID<Transfer>, key: LedgerKey, in tx: Transaction
    ) throws -> (row: TransferRow, legs: [RecordedPosting]) {
        guard let row = try find(id, in: tx) else { throw LedgerError.unknownTransfer(id) }
        guard key.isDigest(row.digest, of: row.image()), let legs = PostingsText.read(row.legs) else {
            throw LedgerError.damagedTransfer(id)
        }
        return (row, legs)
    }

    /// Writes the transfer, its postings and the new state of the accounts.
    /// - Returns: `false` if a transfer with this id exists. On PostgreSQL, the transaction then runs again, because
    ///   the transfer was posted after the accounts were locked; waiting for that result would cost a round trip.
    static func insert(
        _ transfer: Transfer, _ legs: [RecordedPosting], _ accounts: [AccountRow], key: LedgerKey, in tx: Transaction
    ) throws -> Bool {
        let row = TransferRow(
            id: transfer.id.description, kind: transfer.kind, subject: transfer.subject,
            at: transfer.at.millisecondsSince1970, reverses: transfer.reverses?.description,
            legs: PostingsText.write(legs)
        )
        let digest = key.digest(row.image())
        let digests = zip(accounts, legs).map { account, leg in
            var next = account
            next.balance = leg.balanceAfter
            next.movements = leg.sequence
            return key.digest(next.image())
        }
        let values: [SQLValue] = [
            .text(row.id), .text(row.kind), row.subject.sqlValue, .integer(row.at), row.reverses.sqlValue,
            .text(row.legs), .blob(digest),
        ]
        switch tx.dialect {
        case .sqlite: guard try tx.executeCounting(insertUnknownTransfer, values) == 1 else { return false }
        case .postgres: try tx.execute(insertTransfer, values)
        }
        try insertPostings(legs, of: row.id, in: tx)
        try updateAccounts(legs, digests, in: tx)
        return true
    }

    private static func insertPostings(_ legs: [RecordedPosting], of transfer: String, in tx: Transaction) throws {
        let rows: [[SQLValue]] = legs.map { leg in
            [
                .text(leg.account.text), .integer(leg.sequence), .text(transfer), .integer(leg.amount),
                .integer(leg.balanceAfter),
            ]
        }
        try execute(insertPosting, forTwo: insertTwoPostings, rows, in: tx)
    }

    private static func updateAccounts(
        _ legs: [RecordedPosting], _ digests: [[UInt8]], in tx: Transaction
    ) throws {
        let rows: [[SQLValue]] = zip(legs, digests).map { leg, digest in
            [.integer(leg.balanceAfter), .integer(leg.sequence), .blob(digest), .text(leg.account.text)]
        }
        try execute(updateAccount, forTwo: updateTwoAccounts, rows, in: tx)
    }

    /// Runs a statement for each row. Nearly all transfers have two postings, and a statement costs PostgreSQL more
    /// than a row: there, another statement does the same for two rows.
    private static func execute(
        _ statement: FixedSQL, forTwo two: FixedSQL, _ rows: [[SQLValue]], in tx: Transaction
    ) throws {
        if rows.count == 2, tx.dialect == .postgres {
            try tx.execute(two, rows[0] + rows[1])
        } else {
            for row in rows { try tx.execute(statement, row) }
        }
    }

    private static let insertion: StaticString =
        "INSERT INTO ledger_transfer (id, kind, subject, at, reverses, legs, digest) VALUES (?, ?, ?, ?, ?, ?, ?)"
    private static let insertTransfer = FixedSQL(insertion)
    private static let insertUnknownTransfer = FixedSQL(insertion, " ON CONFLICT (id) DO NOTHING")
    private static let insertPosting = FixedSQL(
        "INSERT INTO ledger_posting (account, sequence, transfer, amount, balance_after) VALUES (?, ?, ?, ?, ?)"
    )
    private static let insertTwoPostings = FixedSQL(
        """
        INSERT INTO ledger_posting (account, sequence, transfer, amount, balance_after)
        VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)
        """
    )
    private static let updateAccount = FixedSQL(
        "UPDATE ledger_account SET balance = ?, movements = ?, digest = ? WHERE id = ?"
    )
    private static let updateTwoAccounts = FixedSQL(
        """
        UPDATE ledger_account SET balance = changed.balance, movements = changed.movements, digest = changed.digest
        FROM (VALUES (?, ?, ?, ?), (?, ?, ?, ?)) AS changed (balance, movements, digest, id)
        WHERE ledger_account.id = changed.id
        """
    )

    static func movements(
        of account: LedgerAccountKey, before sequence: Int64?, limit: Int, in tx: Transaction
    ) throws -> [AccountPosting] {
        let rows = try tx.rows(
            """
            SELECT p.sequence, p.transfer, t.at, p.amount, t.kind, t.subject, p.balance_after
            FROM ledger_posting p JOIN ledger_transfer t ON t.id = p.transfer
            WHERE p.account = \(account.text) AND p.sequence < \(sequence ?? .max)
            ORDER BY p.sequence DESC LIMIT \(max(0, min(limit, Limits.pageSizeMaximum + 1)))
            """
        )
        return try rows.map { row in
            AccountPosting(
                sequence: try row.get("sequence"), transferID: try row.get("transfer"), at: try row.get("at"),
                amount: try row.get("amount"), kind: try row.get("kind"), subject: try row.get("subject"),
                balanceAfter: try row.get("balance_after")
            )
        }
    }

    static func transfers(about subject: String, in tx: Transaction) throws -> [Transfer] {
        let rows = try tx.rows(
            """
            SELECT \(sql: TransferRow.columns) FROM ledger_transfer WHERE subject = \(subject)
            ORDER BY at, id LIMIT \(Limits.ledgerSubjectTransfers)
            """
        )
        return try rows.map { row in
            let id: ID<Transfer> = try row.get("id")
            guard let legs = PostingsText.read(try row.get("legs")) else { throw LedgerError.damagedTransfer(id) }
            return Transfer(
                id: id, kind: try row.get("kind"), subject: try row.get("subject"), at: try row.get("at"),
                reverses: try row.get("reverses"),
                legs: legs.map { Leg(account: $0.account, amount: $0.amount) }
            )
        }
    }
}

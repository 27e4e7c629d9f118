package import Kernel
package import Storage

/// The ledger's head and its waiting transfers; they verify nothing.
package struct LedgerStatus: Sendable, Hashable {
    /// Transfers that aren't in a batch yet, counted up to ``Limits/ledgerUnsealedCounted``.
    package let unsealed: Int64
    /// The newest batch's number; 0 before the first.
    package let lastBatch: Int64
    package let sealedAt: Instant?
    /// The digest of the newest batch in hexadecimal, which each node's `ledger.head` repeats; `nil` before the first.
    package let head: String?
}

/// The number of accounts and the sums of their balances.
package struct LedgerTotals: Sendable, Hashable {
    /// The number of open accounts.
    package let accounts: Int64
    /// The sum of all balances by unit; each is 0 in a sound ledger.
    package let sums: [String: Int128]
}

/// How far the ledger is sealed.
package struct LedgerSealStatus: Sendable, Hashable {
    /// The time of the newest batch; `nil` before the first.
    package let sealedAt: Instant?
    /// The time of the oldest transfer that isn't in a batch; `nil` if all are.
    package let unsealedSince: Instant?
}

extension Ledger {
    /// Returns how far the ledger is sealed. The cost doesn't grow with the history.
    package func sealStatus(in tx: Transaction) throws -> LedgerSealStatus {
        let newest = try tx.row("SELECT sealed_at FROM ledger_batch ORDER BY number DESC LIMIT 1")
        let oldest = try tx.row("SELECT at FROM ledger_transfer WHERE batch IS NULL ORDER BY batch, id LIMIT 1")
        return LedgerSealStatus(sealedAt: try newest?.get("sealed_at"), unsealedSince: try oldest?.get("at"))
    }

    /// Returns the head for administrators. The cost doesn't grow with the history.
    package func status(in tx: Transaction) throws -> LedgerStatus {
        let unsealed = try count(
            """
            SELECT COUNT(*) AS n FROM (
                SELECT id FROM ledger_transfer WHERE batch IS NULL LIMIT \(Limits.ledgerUnsealedCounted)
            ) AS waiting
            """, in: tx)
        let newest = try BatchStore.newest(in: tx)
        return LedgerStatus(
            unsealed: unsealed, lastBatch: newest?.number ?? 0,
            sealedAt: newest.map { Instant(millisecondsSince1970: $0.sealedAt) },
            head: newest.map { Hexadecimal.encoded($0.head.digest) }
        )
    }

    /// Returns the totals of all accounts. The cost grows with the number of accounts, not of transfers.
    package func totals(in tx: Transaction) throws -> LedgerTotals {
        LedgerTotals(
            accounts: try count("SELECT COUNT(*) AS n FROM ledger_account", in: tx), sums: try sums(in: tx))
    }

    /// Checks a sample of rows against the ledger's key. The server calls it at start, before it writes rows.
    /// - Throws: ``LedgerError/wrongKey`` when there are rows and none matches the key.
    package func checkKey(in tx: Transaction) throws {
        if let batch = try BatchStore.newest(in: tx), key.isSignature(batch.signature, of: batch.image.bytes) { return }
        let accounts = try tx.rows("SELECT \(sql: AccountRow.columns) FROM ledger_account ORDER BY id LIMIT 8")
        guard !accounts.isEmpty else { return }
        let fits = try accounts.contains { row in
            let account = try AccountRow(row)
            return key.isDigest(account.digest, of: account.image())
        }
        guard fits else { throw LedgerError.wrongKey }
    }

    private func count(_ sql: SQL, in tx: Transaction) throws -> Int64 { try tx.row(sql)?.get("n") ?? 0 }

    /// Sums high and low parts separately: the total is 0, but a partial sum may exceed 64 bits.
    private func sums(in tx: Transaction) throws -> [String: Int128] {
        let rows = try tx.rows(
            """
            SELECT unit, SUM(balance / 4294967296) AS high, SUM(balance % 4294967296) AS low
            FROM ledger_account GROUP BY unit
            """
        )
        var sums: [String: Int128] = [:]
        for row in rows {
            let high: Int64 = try row.get("high")
            let low: Int64 = try row.get("low")
            sums[try row.get("unit")] = Int128(high) * 4_294_967_296 + Int128(low)
        }
        return sums
    }
}

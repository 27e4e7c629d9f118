package import Kernel
package import Storage

/// A verification of the whole ledger that has ended.
package struct LedgerVerificationRun: Sendable, Hashable {
    /// What it found.
    package enum Result: String, Sendable, SQLBindable, SQLReadable {
        case sound
        case damaged
        /// The verification itself failed.
        case failed
    }

    package let id: ID<LedgerVerificationRun>
    package let startedAt: Instant
    package let finishedAt: Instant
    package let result: Result
    package let transferCount: Int
    package let postingCount: Int
    package let batchCount: Int
    package let findingCount: Int
    /// The first finding, or why the verification failed; `nil` for a sound ledger.
    package let reason: String?

    package init(
        id: ID<LedgerVerificationRun>, startedAt: Instant, finishedAt: Instant, result: Result, transferCount: Int = 0,
        postingCount: Int = 0, batchCount: Int = 0, findingCount: Int = 0, reason: String? = nil
    ) {
        self.id = id
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.result = result
        self.transferCount = transferCount
        self.postingCount = postingCount
        self.batchCount = batchCount
        self.findingCount = findingCount
        self.reason = reason
    }
}

/// The table `ledger_verification`: the latest verifications.
package enum LedgerVerificationRunStore {
    /// Adds a run, and deletes the oldest above ``Limits/ledgerVerificationRuns``.
    package static func insert(_ run: LedgerVerificationRun, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO ledger_verification (
                id, started_at, finished_at, result, transfers, postings, batches, findings, reason
            ) VALUES (
                \(run.id), \(run.startedAt), \(run.finishedAt), \(run.result), \(run.transferCount),
                \(run.postingCount), \(run.batchCount), \(run.findingCount),
                \(run.reason.map { String($0.prefix(Limits.ledgerReasonCharacters)) })
            )
            """)
        try tx.execute(
            """
            DELETE FROM ledger_verification WHERE id NOT IN (
                SELECT id FROM ledger_verification ORDER BY id DESC LIMIT \(Limits.ledgerVerificationRuns)
            )
            """)
    }

    /// Returns the newest runs first.
    package static func newest(_ limit: Int, in tx: Transaction) throws -> [LedgerVerificationRun] {
        try tx.rows(
            """
            SELECT id, started_at, finished_at, result, transfers, postings, batches, findings, reason
            FROM ledger_verification ORDER BY id DESC LIMIT \(limit)
            """
        ).map { row in
            LedgerVerificationRun(
                id: try row.get("id"), startedAt: try row.get("started_at"), finishedAt: try row.get("finished_at"),
                result: try row.get("result"), transferCount: try row.get("transfers"),
                postingCount: try row.get("postings"), batchCount: try row.get("batches"),
                findingCount: try row.get("findings"), reason: try row.get("reason"))
        }
    }
}

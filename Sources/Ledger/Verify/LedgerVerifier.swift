import Kernel
package import Storage

/// Replays the whole ledger: every row against its digest, every posting against its transfer, every balance against
/// its movements, every batch against its members and its signature, and the chain's end against the file beside the
/// key. Works beside writers, on the one state that it began with, in pages.
package struct LedgerVerifier: Sendable {
    private let database: Database
    private let key: LedgerKey
    private let anchor: LedgerAnchor
    /// Locating a changed byte takes many digests, without a statement in between: longer than other transactions may
    /// be idle.
    private static let idleTimeout: SQL = "SET LOCAL idle_in_transaction_session_timeout = '600s'"

    /// Makes a verifier.
    /// - Parameter anchorFile: the file that remembers the chain's end.
    package init(database: Database, key: LedgerKey, anchorFile: String) {
        self.database = database
        self.key = key
        anchor = LedgerAnchor(path: anchorFile)
    }

    /// Verifies everything.
    /// - Throws: what the store says when it can't be read; what doesn't fit is in the report.
    package func verify() async throws -> LedgerReport {
        // Read before the database: what is sealed meanwhile is in the database before it is in the file.
        let remembered = Result { try anchor.read() }
        var report = try await database.read { [key] tx in
            if tx.dialect == .postgres { try tx.execute(Self.idleTimeout) }
            var proof = LedgerProof(key: key, tx: tx)
            try proof.checkBatches()
            try proof.checkUnsealed()
            try proof.checkStrays()
            try proof.checkAccounts()
            try proof.checkPostingsAreAllThere()
            switch remembered {
            case .success(let head): try proof.checkHead(head)
            case .failure(is LedgerAnchor.Failure):
                proof.find(LedgerProof.headTable, "", "the file is none of ours")
            case .failure(let error): throw error
            }
            return proof.report
        }
        if case .success(nil) = remembered, report.batches > 0,
            try await anchor.whileLocked({ try anchor.read() }) == nil
        {
            report.findings.append(.missingHead)
        }
        return report
    }
}

extension LedgerFinding {
    fileprivate static let missingHead = LedgerFinding(
        table: LedgerProof.headTable, row: "", column: nil,
        reason: "the file is missing, so that the chain's end can't be checked", firstByte: nil
    )
}

/// One verification under way.
struct LedgerProof {
    static let headTable = "ledger.head"

    struct RowName: Hashable {
        let table: String
        let row: String
    }

    let key: LedgerKey
    let tx: Transaction
    var report = LedgerReport()
    private var named: Set<RowName> = []
    private var rowsToLocate = Limits.ledgerLocatedRows
    /// The end of the chain so far.
    var head = LedgerHead.none
    /// Legs of transfers that fit, and postings that fit one of them.
    var legCount = 0
    var fittingPostings = 0

    init(key: LedgerKey, tx: Transaction) {
        self.key = key
        self.tx = tx
    }

    /// Notes what doesn't fit; a row is named once, with what was found first.
    mutating func find(
        _ table: String, _ row: String, _ reason: String, column: String? = nil, firstByte: Int? = nil
    ) {
        guard report.findings.count < Limits.ledgerFindings,
            named.insert(RowName(table: table, row: row)).inserted
        else { return }
        report.findings.append(
            LedgerFinding(table: table, row: row, column: column, reason: reason, firstByte: firstByte)
        )
    }

    func isNamed(_ table: String, _ row: String) -> Bool { named.contains(RowName(table: table, row: row)) }

    /// Whether the row fits its digest; if it doesn't, that is noted.
    mutating func checkDigest(
        _ digest: [UInt8], table: String, row: String, image: (_ trackingColumns: Bool) -> RowImage
    ) -> Bool {
        guard !key.isDigest(digest, of: image(false)) else { return true }
        var place: DamageLocator.Place?
        if rowsToLocate > 0, report.findings.count < Limits.ledgerFindings {
            rowsToLocate -= 1
            place = DamageLocator(key: key).place(of: digest, image(true))
        }
        find(
            table, row, "the row doesn't fit its digest", column: place?.column, firstByte: place?.firstByte
        )
        return false
    }

    mutating func checkHead(_ remembered: LedgerHead?) throws {
        guard let remembered, remembered != .none else { return }
        guard let batch = try BatchStore.find(remembered.number, in: tx) else {
            find("ledger_batch", "\(remembered.number)", "the row is missing; ledger.head remembers it")
            return
        }
        if batch.head != remembered {
            find("ledger_batch", "\(remembered.number)", "it is another batch than ledger.head remembers")
        }
    }
}

import Kernel
package import Storage
import Synchronization

/// Verifies the whole ledger: every row against its digest, every posting against its transfer, every balance against
/// its postings, every batch against its members and its signature, and the chain's head against the file beside the
/// key. Reads pages of one snapshot, while writers continue.
package struct LedgerVerifier: Sendable {
    private let database: Database
    private let key: LedgerKey
    private let anchor: LedgerHeadFile
    /// Locating a changed byte computes many digests without a statement in between. That takes longer than the idle
    /// timeout of other transactions.
    private static let idleTimeout: SQL = "SET LOCAL idle_in_transaction_session_timeout = '600s'"

    /// - Parameter anchorFile: the file with the chain's head.
    package init(database: Database, key: LedgerKey, anchorFile: String) {
        self.database = database
        self.key = key
        anchor = LedgerHeadFile(path: anchorFile)
    }

    /// - Throws: the database's or file system's error; `CancellationError` between two pages after the task was
    ///   cancelled. Damage is in the result, not thrown.
    package func verify() async throws -> LedgerVerificationResult {
        // The database's thread doesn't know the task.
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await verify(cancellation)
        } onCancel: {
            cancellation.set()
        }
    }

    private func verify(_ cancellation: CancellationFlag) async throws -> LedgerVerificationResult {
        // Read before the snapshot: a sealer commits a batch before it writes the file.
        let remembered = Result { try anchor.read() }
        var result = try await database.read { [key] tx in
            if tx.dialect == .postgres { try tx.execute(Self.idleTimeout) }
            var proof = LedgerVerification(key: key, tx: tx, cancellation: cancellation)
            try proof.checkBatches()
            try proof.checkUnsealed()
            try proof.checkUnknownBatches()
            try proof.checkAccounts()
            try proof.checkPostingsAreAllThere()
            switch remembered {
            case .success(let head): try proof.checkHead(head)
            case .failure(is LedgerHeadFile.Failure):
                proof.find(LedgerVerification.headTable, "", "the file is none of ours")
            case .failure(let error): throw error
            }
            return proof.result
        }
        if case .success(nil) = remembered, result.batches > 0,
            try await anchor.whileLocked({ try anchor.read() }) == nil
        {
            result.findings.append(.missingHead)
        }
        return result
    }
}

extension LedgerFinding {
    fileprivate static let missingHead = LedgerFinding(
        table: LedgerVerification.headTable, row: "", column: nil,
        reason: "the file is missing, so that the chain's end can't be checked", firstByte: nil
    )
}

/// Whether a task was cancelled, for its work on another thread.
final class CancellationFlag: Sendable {
    private let isSet = Mutex(false)

    func set() { isSet.withLock { $0 = true } }

    /// - Throws: `CancellationError` after ``set()``.
    func check() throws { if isSet.withLock({ $0 }) { throw CancellationError() } }
}

/// The state of one verification.
struct LedgerVerification {
    static let headTable = "ledger.head"

    struct RowName: Hashable {
        let table: String
        let row: String
    }

    let key: LedgerKey
    let tx: Transaction
    let cancellation: CancellationFlag
    var result = LedgerVerificationResult()
    private var named: Set<RowName> = []
    private var rowsToLocate = Limits.ledgerLocatedRows
    /// The chain's head so far.
    var head = LedgerHead.none
    /// The number of postings in intact transfers, and of stored postings that match one of them.
    var legCount = 0
    var fittingPostings = 0

    init(key: LedgerKey, tx: Transaction, cancellation: CancellationFlag) {
        self.key = key
        self.tx = tx
        self.cancellation = cancellation
    }

    /// Records a finding. Only the first finding of a row counts.
    mutating func find(
        _ table: String, _ row: String, _ reason: String, column: String? = nil, firstByte: Int? = nil
    ) {
        guard result.findings.count < Limits.ledgerFindings,
            named.insert(RowName(table: table, row: row)).inserted
        else { return }
        result.findings.append(
            LedgerFinding(table: table, row: row, column: column, reason: reason, firstByte: firstByte)
        )
    }

    func isNamed(_ table: String, _ row: String) -> Bool { named.contains(RowName(table: table, row: row)) }

    /// Whether the row matches its digest; records a finding if it doesn't.
    mutating func checkDigest(
        _ digest: [UInt8], table: String, row: String, image: (_ trackingColumns: Bool) -> RowImage
    ) -> Bool {
        guard !key.isDigest(digest, of: image(false)) else { return true }
        var place: DamageLocator.Place?
        if rowsToLocate > 0, result.findings.count < Limits.ledgerFindings {
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

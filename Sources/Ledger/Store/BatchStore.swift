import Crypto
import Kernel
import Storage

/// A row of `ledger_batch` as it is stored.
struct BatchRow {
    var number: Int64
    var previous: [UInt8]
    /// The members' ids by their order, with line ends between.
    var members: String
    /// SHA-256 of the members' digests in that order.
    var digest: [UInt8]
    var count: Int64
    var sealedAt: Int64
    var signature: [UInt8] = []

    static let columns: SQL = "number, previous, members, digest, count, sealed_at, signature"

    /// What is signed.
    var image: RowImage {
        var image = RowImage("batch")
        image.put(number, "number")
        image.put(previous, "previous")
        image.put(members, "members")
        image.put(digest, "digest")
        image.put(count, "count")
        image.put(sealedAt, "sealed_at")
        return image
    }

    /// What the next batch is chained to.
    var head: LedgerHead { LedgerHead(number: number, digest: Array(SHA256.hash(data: image.bytes))) }
}

extension BatchRow {
    init(_ row: Row) throws {
        number = try row.get("number")
        previous = try row.get("previous")
        members = try row.get("members")
        digest = try row.get("digest")
        count = try row.get("count")
        sealedAt = try row.get("sealed_at")
        signature = try row.get("signature")
    }
}

/// Reads and writes batches.
enum BatchStore {
    static func find(_ number: Int64, in tx: Transaction) throws -> BatchRow? {
        try tx.row("SELECT \(sql: BatchRow.columns) FROM ledger_batch WHERE number = \(number)").map(BatchRow.init)
    }

    static func newest(in tx: Transaction) throws -> BatchRow? {
        try tx.row("SELECT \(sql: BatchRow.columns) FROM ledger_batch ORDER BY number DESC LIMIT 1").map(BatchRow.init)
    }

    /// Keeps other sealers out until the end of the transaction; readers and writers of transfers go on.
    static func lock(in tx: Transaction) throws {
        guard tx.dialect == .postgres else { return }
        try tx.execute("LOCK TABLE ledger_batch IN SHARE ROW EXCLUSIVE MODE")
    }

    /// Puts unsealed transfers into batch `number` and answers with exactly those, by the order of their ids.
    ///
    /// The rows are marked by the statement that picks them, so that it doesn't matter what commits meanwhile: what
    /// this statement doesn't see stays unmarked, and is the next batch's.
    static func claim(_ number: Int64, in tx: Transaction) throws -> [(id: String, digest: [UInt8])] {
        let rows = try tx.rows(
            """
            UPDATE ledger_transfer SET batch = \(number) WHERE id IN (
                SELECT id FROM ledger_transfer WHERE batch IS NULL ORDER BY id LIMIT \(Limits.ledgerBatch)
            ) RETURNING id, digest
            """
        )
        return try rows.map { (id: try $0.get("id"), digest: try $0.get("digest")) }
            .sorted { $0.id.precedesInBytes($1.id) }
    }

    static func insert(_ batch: BatchRow, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO ledger_batch (\(sql: BatchRow.columns)) VALUES (\(batch.number), \(batch.previous),
                \(batch.members), \(batch.digest), \(batch.count), \(batch.sealedAt), \(batch.signature))
            """
        )
    }
}

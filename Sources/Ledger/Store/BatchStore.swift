import Crypto
import Kernel
import Storage

/// A row of `ledger_batch`.
struct BatchRow {
    var number: Int64
    var previous: [UInt8]
    /// The ids of the sealed transfers in ascending order, one per line.
    var members: String
    /// The SHA-256 of the transfers' digests in the order of `members`.
    var digest: [UInt8]
    var count: Int64
    var sealedAt: Int64
    var signature: [UInt8] = []

    static let columns: SQL = "number, previous, members, digest, count, sealed_at, signature"

    /// The signed content.
    var image: RowImage {
        var image = RowImage("batch")
        image.append(number, "number")
        image.append(previous, "previous")
        image.append(members, "members")
        image.append(digest, "digest")
        image.append(count, "count")
        image.append(sealedAt, "sealed_at")
        return image
    }

    /// The head that the next batch refers to.
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

/// The SQL of `ledger_batch`.
enum BatchStore {
    static func find(_ number: Int64, in tx: Transaction) throws -> BatchRow? {
        try tx.row("SELECT \(sql: BatchRow.columns) FROM ledger_batch WHERE number = \(number)").map(BatchRow.init)
    }

    static func newest(in tx: Transaction) throws -> BatchRow? {
        try tx.row("SELECT \(sql: BatchRow.columns) FROM ledger_batch ORDER BY number DESC LIMIT 1").map(BatchRow.init)
    }

    /// Makes the commit wait until a standby has the batch. PostgreSQL waits only for a transaction that wrote
    /// something, and a row lock counts. Otherwise, a primary that is cut off could show a batch that its successor
    /// lacks.
    static func confirm(_ number: Int64, in tx: Transaction) throws {
        _ = try tx.row("SELECT number FROM ledger_batch WHERE number = \(number) \(sql: tx.forUpdate)")
    }

    /// Blocks other sealers until the transaction ends; it doesn't block transfers.
    static func lock(in tx: Transaction) throws {
        guard tx.dialect == .postgres else { return }
        try tx.execute("LOCK TABLE ledger_batch IN SHARE ROW EXCLUSIVE MODE")
    }

    /// Assigns unsealed transfers to batch `number` and returns exactly those, in the order of their ids.
    ///
    /// One statement selects and marks the rows, so concurrent commits don't matter: a transfer that this statement
    /// doesn't see stays unmarked for the next batch.
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

package import Kernel

/// The committed change events in the order of commits. Live streams and background workers read from here.
package enum Outbox {
    /// Returns the entries after `after`, oldest first. A later call never returns a new entry below one that was
    /// returned.
    /// - Parameter limit: the maximum number of entries.
    package static func entries(after: Int64, limit: Int, in transaction: Transaction) throws -> [OutboxEntry] {
        let settled: SQL = transaction.outboxWatermark.map { " AND sequence < \(sql: $0)" } ?? SQL()
        return try transaction.rows(
            """
            SELECT sequence, audience, kind, resource, version, at FROM outbox
            WHERE sequence > \(after)\(sql: settled)
            ORDER BY sequence LIMIT \(limit)
            """
        ).map(read)
    }

    /// Returns one person's entries after `after` up to `last` and those for everyone, oldest first, for a stream that
    /// resumes. Reads them by an index: a client may send any number, and must not make the server read everyone's
    /// entries.
    /// - Parameters:
    ///   - last: a number up to which all entries were readable before this transaction began.
    ///   - limit: the maximum number of entries.
    package static func entries(
        after: Int64, upTo last: Int64, audience: PersonID, limit: Int, in transaction: Transaction
    ) throws -> [OutboxEntry] {
        try transaction.rows(entriesQuery(after: after, upTo: last, audience: audience, limit: limit)).map(read)
    }

    /// Two searches of the index, each with the limit. With both audiences in one condition, an engine may scan the
    /// whole table in order.
    static func entriesQuery(after: Int64, upTo last: Int64, audience: PersonID, limit: Int) -> SQL {
        func part(_ person: PersonID) -> SQL {
            """
            SELECT * FROM (
                SELECT sequence, audience, kind, resource, version, at FROM outbox
                WHERE audience = \(person) AND sequence > \(after) AND sequence <= \(last)
                ORDER BY audience, sequence LIMIT \(limit)
            ) AS part
            """
        }
        return """
            \(sql: part(audience)) UNION ALL \(sql: part(ChangeEvent.everyone)) ORDER BY sequence LIMIT \(limit)
            """
    }

    private static func read(_ row: Row) throws -> OutboxEntry {
        let event = ChangeEvent(
            audience: try row.get("audience"), kind: try row.get("kind"), resource: try row.get("resource"),
            version: try row.get("version"), at: try row.get("at")
        )
        return OutboxEntry(sequence: try row.get("sequence"), event: event)
    }

    /// Returns the number after which new entries follow. A client's `Last-Event-ID` above it comes from another
    /// database.
    package static func lastSequence(in transaction: Transaction) throws -> Int64 {
        let sql: SQL =
            if let watermark = transaction.outboxWatermark {
                "SELECT \(sql: watermark) - 1 AS last"
            } else {
                "SELECT COALESCE(MAX(seq), 0) AS last FROM sqlite_sequence WHERE name = 'outbox'"
            }
        return try transaction.row(sql)?.get("last") ?? 0
    }

    /// Returns the lowest stored sequence; `nil` if there is none. A client that resumes from below the number before
    /// it has missed events.
    package static func firstSequence(in transaction: Transaction) throws -> Int64? {
        try transaction.row("SELECT MIN(sequence) AS first FROM outbox")?.get("first")
    }

    /// Returns the position from which a stream continues that had read up to `sequence`. After a failover that lost
    /// transactions, new events may have lower numbers than those already read: then the stream reads some events
    /// again.
    package static func resumption(from sequence: Int64, in transaction: Transaction) throws -> Int64 {
        guard transaction.dialect == .postgres else { return sequence }
        guard sequence < (try PostgresTimeline.lifted(in: transaction)) else { return sequence }
        return max(0, sequence - Limits.outboxLiftTransactions << 16)
    }

    /// Deletes up to ``Limits/outboxPruneBatch`` entries from before `instant`, the oldest first. The limit keeps other
    /// writers from waiting long: call it again until it returns 0.
    /// - Returns: the number of deleted entries.
    @discardableResult
    package static func prune(before instant: Instant, in transaction: Transaction) throws -> Int {
        try transaction.executeCounting(
            """
            DELETE FROM outbox WHERE at < \(instant) AND sequence IN
            (SELECT sequence FROM outbox ORDER BY sequence LIMIT \(Limits.outboxPruneBatch))
            """
        )
    }
}

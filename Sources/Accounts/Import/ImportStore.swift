import Foundation
import Kernel
import Storage

extension ImportState: SQLBindable, SQLReadable {}

/// The table `account_import`.
enum ImportStore {
    private static let columns: SQL = """
        id, account_id, state, preview, includes_profile, byte_count, done_count, refused_count, message, version,
        created_at, expires_at
        """

    static func insert(
        _ id: ID<AccountImport>, of person: PersonID, _ preview: ImportPreview, byteCount: Int, expiresAt: Instant,
        now: Instant, in tx: Transaction
    ) throws {
        let text = String(decoding: try preview.json(), as: UTF8.self)
        try tx.execute(
            """
            INSERT INTO account_import (id, account_id, state, preview, byte_count, created_at, expires_at)
            VALUES (
                \(id), \(person), \(ImportState.ready), \(text), \(byteCount), \(now),
                \(expiresAt)
            )
            """
        )
    }

    /// The person's import, unless it is expired.
    static func find(of person: PersonID, now: Instant, in tx: Transaction) throws -> AccountImport? {
        try tx.row(
            "SELECT \(sql: columns) FROM account_import WHERE account_id = \(person) AND expires_at > \(now)"
        ).map(read)
    }

    /// The person's import, even an expired one, locked until the transaction ends.
    static func lock(of person: PersonID, in tx: Transaction) throws -> AccountImport? {
        try tx.row(
            "SELECT \(sql: columns) FROM account_import WHERE account_id = \(person) \(sql: tx.forUpdate)"
        ).map(read)
    }

    static func find(_ id: ID<AccountImport>, in tx: Transaction) throws -> AccountImport? {
        try tx.row("SELECT \(sql: columns) FROM account_import WHERE id = \(id)").map(read)
    }

    static func start(_ id: ID<AccountImport>, includesProfile: Bool, until: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE account_import SET state = \(ImportState.running), includes_profile = \(includesProfile),
                expires_at = \(until), version = version + 1
            WHERE id = \(id)
            """
        )
    }

    /// Stores the progress, which never decreases.
    /// - Returns: false for an import that doesn't run.
    static func setDone(_ count: Int, of id: ID<AccountImport>, now: Instant, in tx: Transaction) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE account_import SET done_count = CASE WHEN done_count > \(count) THEN done_count ELSE \(count) END
            WHERE id = \(id) AND state = \(ImportState.running) AND expires_at > \(now)
            """
        ) == 1
    }

    static func countRefusals(_ count: Int, of id: ID<AccountImport>, in tx: Transaction) throws {
        try tx.execute("UPDATE account_import SET refused_count = refused_count + \(count) WHERE id = \(id)")
    }

    static func clearRefusals(of id: ID<AccountImport>, in tx: Transaction) throws {
        try tx.execute("UPDATE account_import SET refused_count = 0 WHERE id = \(id)")
    }

    /// - Returns: false for an import that doesn't run.
    static func end(
        _ id: ID<AccountImport>, as state: ImportState, message: String?, until: Instant, in tx: Transaction
    ) throws -> Bool {
        try tx.executeCounting(
            """
            UPDATE account_import SET state = \(state), message = \(message), expires_at = \(until),
                version = version + 1
            WHERE id = \(id) AND state = \(ImportState.running)
            """
        ) == 1
    }

    static func delete(_ id: ID<AccountImport>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM account_import WHERE id = \(id)")
    }

    /// Deletes expired imports. Those that run are failed instead, so that their people learn of it.
    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM account_import WHERE expires_at <= \(now) AND state <> \(ImportState.running)")
    }

    /// Returns some of the imports that should have ended.
    static func overdue(now: Instant, in tx: Transaction) throws -> [AccountImport] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM account_import
            WHERE expires_at <= \(now) AND state = \(ImportState.running)
            ORDER BY expires_at LIMIT \(Limits.importBatch)
            """
        ).map(read)
    }

    private static func read(_ row: Row) throws -> AccountImport {
        let preview: String = try row.get("preview")
        return AccountImport(
            id: try row.get("id"), person: try row.get("account_id"), state: try row.get("state"),
            preview: try JSONDecoder().decode(ImportPreview.self, from: Data(preview.utf8)),
            includesProfile: try row.get("includes_profile"), byteCount: try row.get("byte_count"),
            doneCount: try row.get("done_count"), refusedCount: try row.get("refused_count"),
            message: try row.get("message"), version: try row.get("version"), createdAt: try row.get("created_at"),
            expiresAt: try row.get("expires_at")
        )
    }
}

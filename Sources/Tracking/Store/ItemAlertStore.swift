import Foundation
import Kernel
import Storage

/// The table `item_alert`: each alert about an item with its evidence, for the person who got it.
enum ItemAlertStore {
    private static let columns: SQL = "id, item_id, kind, at, evidence"

    /// Stores an alert unless it is stored already.
    static func insert(_ alert: ItemAlert, person: PersonID, in tx: Transaction) throws {
        let evidence = String(decoding: try alert.evidence.json(), as: UTF8.self)
        try tx.execute(
            """
            INSERT INTO item_alert (id, account_id, item_id, kind, at, evidence)
            VALUES (\(alert.id), \(person), \(alert.item), \(alert.kind), \(alert.at), \(evidence))
            ON CONFLICT (id) DO NOTHING
            """
        )
    }

    static func one(_ id: ID<ItemAlert>, of person: PersonID, in tx: Transaction) throws -> ItemAlert? {
        try tx.row("SELECT \(sql: columns) FROM item_alert WHERE id = \(id) AND account_id = \(person)").map(read)
    }

    /// A person's newest alerts about an item.
    static func newest(about item: ID<Item>, of person: PersonID, limit: Int, in tx: Transaction) throws -> [ItemAlert]
    {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM item_alert WHERE item_id = \(item) AND account_id = \(person)
            ORDER BY at DESC, id DESC LIMIT \(limit)
            """
        ).map(read)
    }

    /// All alerts of a person, oldest first, for the export.
    static func all(of person: PersonID, in tx: Transaction) throws -> [ItemAlert] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM item_alert WHERE account_id = \(person) ORDER BY at, id
            LIMIT \(Limits.exportedAlerts)
            """
        ).map(read)
    }

    static func prune(before limit: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM item_alert WHERE id IN (
                SELECT id FROM item_alert WHERE at < \(limit) ORDER BY at LIMIT \(Limits.housekeepingBatch)
            )
            """
        )
    }

    static func delete(about item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_alert WHERE item_id = \(item)")
    }

    /// Deletes the alerts of a person who can't see the item any more.
    static func delete(about item: ID<Item>, of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_alert WHERE item_id = \(item) AND account_id = \(person)")
    }

    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM item_alert WHERE account_id = \(person)")
    }

    private static func read(_ row: Row) throws -> ItemAlert {
        let evidence: String = try row.get("evidence")
        return ItemAlert(
            id: try row.get("id"), item: try row.get("item_id"), kind: try row.get("kind"), at: try row.get("at"),
            evidence: try JSONDecoder().decode(AlertEvidence.self, from: Data(evidence.utf8))
        )
    }
}

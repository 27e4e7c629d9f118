import Kernel
import Storage

/// The queries on the devices of all people that report positions.
enum TrackerAdministrationStore {
    /// Our trackers that are paired.
    private static let trackers: SQL = """
        SELECT t.id, 'tracker' AS kind, t.state, i.account_id, w.device_battery, w.last_seen_at
        FROM tracker t JOIN item i ON i.id = t.item_id LEFT JOIN whereabouts w ON w.item_id = t.item_id
        WHERE i.account_id IS NOT NULL
        """
    /// Connected apps. An app without an item is a phone of its owner.
    private static let sources: SQL = """
        SELECT s.id, s.kind, s.state, s.account_id, w.device_battery, COALESCE(w.last_seen_at, p.received_at)
            AS last_seen_at
        FROM source s LEFT JOIN whereabouts w ON w.item_id = s.item_id
            LEFT JOIN phone_position p ON p.source_id = s.id
        """

    /// Returns the devices, the newest first.
    static func page(before: ID<AdministeredTracker>?, limit: Int, in tx: Transaction) throws -> [AdministeredTracker] {
        let trackerRange: SQL = if let before { "AND t.id < \(before)" } else { "" }
        let sourceRange: SQL = if let before { "WHERE s.id < \(before)" } else { "" }
        // Each branch reads at most one page along its primary key; a limit outside alone would sort all devices.
        return try find(
            """
            SELECT * FROM (\(sql: trackers) \(sql: trackerRange) ORDER BY t.id DESC LIMIT \(limit)) AS paired
            UNION ALL
            SELECT * FROM (\(sql: sources) \(sql: sourceRange) ORDER BY s.id DESC LIMIT \(limit)) AS connected
            ORDER BY id DESC LIMIT \(limit)
            """, in: tx)
    }

    static func tracker(_ id: ID<AdministeredTracker>, in tx: Transaction) throws -> AdministeredTracker? {
        try find("\(sql: trackers) AND t.id = \(id) UNION ALL \(sql: sources) WHERE s.id = \(id)", in: tx).first
    }

    static func rejections(of id: ID<AdministeredTracker>, in tx: Transaction) throws -> [TrackerRejections] {
        try tx.rows(
            """
            SELECT reason, COUNT(*) AS n, MAX(received_at) AS last_at FROM quarantine
            WHERE device = \(id.description) GROUP BY reason ORDER BY n DESC, reason
            """
        ).map { row in
            TrackerRejections(reason: try row.get("reason"), count: try row.get("n"), lastAt: try row.get("last_at"))
        }
    }

    /// Counts the rejected reports of the selected devices only.
    private static func find(_ selection: SQL, in tx: Transaction) throws -> [AdministeredTracker] {
        try tx.rows(
            """
            SELECT d.*, a.name, (SELECT COUNT(*) FROM quarantine q WHERE q.device = d.id) AS rejected
            FROM (\(sql: selection)) AS d JOIN account a ON a.id = d.account_id ORDER BY d.id DESC
            """
        ).compactMap { row in
            guard let kind = AdministeredTracker.Kind(rawValue: try row.get("kind")),
                let state = TrackerState(rawValue: try row.get("state"))
            else { return nil }
            return AdministeredTracker(
                id: try row.get("id"), kind: kind, owner: try row.get("account_id"), ownerName: try row.get("name"),
                state: state, batteryPercent: try row.get("device_battery"), lastSeenAt: try row.get("last_seen_at"),
                rejectedCount: try row.get("rejected"))
        }
    }
}

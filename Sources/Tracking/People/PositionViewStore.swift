import Kernel
import Storage

/// The table `position_view`: who viewed a person's position, with one row for each viewer and day of UTC.
enum PositionViewStore {
    private static let dayMilliseconds: Int64 = 24 * 60 * 60 * 1_000

    /// The viewer's latest view of each person's position.
    static func latest(by viewer: PersonID, since: Instant, in tx: Transaction) throws -> [PersonID: Instant] {
        let rows = try tx.rows(
            """
            SELECT account_id, MAX(last_at) AS at FROM position_view WHERE viewer_id = \(viewer) AND last_at > \(since)
            GROUP BY account_id
            """)
        return try rows.reduce(into: [:]) { latest, row in
            latest[try row.get("account_id", as: PersonID.self)] = try row.get("at", as: Instant.self)
        }
    }

    /// Stores a view unless a recent one is stored, or the sharing has ended.
    /// - Returns: Whether it was stored.
    static func insert(_ share: PositionShare, at now: Instant, in tx: Transaction) throws -> Bool {
        let since = now.adding(seconds: -Limits.viewMergeSeconds)
        let day = now.millisecondsSince1970 / dayMilliseconds
        return try tx.executeCounting(
            """
            INSERT INTO position_view (account_id, viewer_id, day, views, last_at)
            SELECT s.account_id, s.viewer_id, \(day), 1, \(now) FROM position_share s
            WHERE s.account_id = \(share.person) AND s.viewer_id = \(share.viewer) AND NOT EXISTS (
                SELECT 1 FROM position_view v
                WHERE v.viewer_id = s.viewer_id AND v.account_id = s.account_id AND v.last_at > \(since)
            ) ON CONFLICT (account_id, viewer_id, day) DO UPDATE SET views = position_view.views + 1,
                last_at = excluded.last_at
            WHERE position_view.last_at <= \(since)
            """) == 1
    }

    /// The views of a person's position, the latest first.
    static func list(of person: PersonID, limit: Int, in tx: Transaction) throws -> [PositionView] {
        try tx.rows(
            """
            SELECT a.name, v.views, v.last_at FROM position_view v JOIN account a ON a.id = v.viewer_id
            WHERE v.account_id = \(person) ORDER BY v.last_at DESC, v.viewer_id LIMIT \(limit)
            """
        ).map { PositionView(name: try $0.get("name"), count: try $0.get("views"), lastAt: try $0.get("last_at")) }
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM position_view WHERE last_at <= \(before)")
    }

    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM position_view WHERE account_id = \(person) OR viewer_id = \(person)")
    }
}

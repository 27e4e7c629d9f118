import Kernel
import Storage

/// The table `position_look`: who looked at a person's position, and when.
enum PositionLookStore {
    /// The viewer's latest look at each person's position.
    static func latest(by viewer: PersonID, since: Instant, in tx: Transaction) throws -> [PersonID: Instant] {
        let rows = try tx.rows(
            """
            SELECT account_id, MAX(at) AS at FROM position_look WHERE viewer_id = \(viewer) AND at > \(since)
            GROUP BY account_id
            """)
        return try rows.reduce(into: [:]) { latest, row in
            latest[try row.get("account_id", as: PersonID.self)] = try row.get("at", as: Instant.self)
        }
    }

    /// Stores a look unless a recent one is stored, or the sharing has ended.
    /// - Returns: Whether it was stored.
    static func insert(_ share: PositionShare, at now: Instant, in tx: Transaction) throws -> Bool {
        let since = now.adding(seconds: -Limits.lookMergeSeconds)
        let isNew =
            try tx.executeCounting(
                """
                INSERT INTO position_look (account_id, at, viewer_id)
                SELECT s.account_id, \(now), s.viewer_id FROM position_share s
                WHERE s.account_id = \(share.person) AND s.viewer_id = \(share.viewer) AND NOT EXISTS (
                    SELECT 1 FROM position_look l
                    WHERE l.viewer_id = s.viewer_id AND l.account_id = s.account_id AND l.at > \(since)
                ) ON CONFLICT (account_id, at, viewer_id) DO NOTHING
                """) == 1
        guard isNew else { return false }
        try tx.execute(
            """
            DELETE FROM position_look WHERE account_id = \(share.person) AND at <= (
                SELECT at FROM position_look WHERE account_id = \(share.person) ORDER BY at DESC
                LIMIT 1 OFFSET \(Limits.looksPerPerson)
            )
            """)
        return true
    }

    /// The looks at a person's position, newest first.
    static func list(of person: PersonID, limit: Int, in tx: Transaction) throws -> [PositionLook] {
        try tx.rows(
            """
            SELECT a.name, l.at FROM position_look l JOIN account a ON a.id = l.viewer_id
            WHERE l.account_id = \(person) ORDER BY l.at DESC, l.viewer_id LIMIT \(limit)
            """
        ).map { PositionLook(name: try $0.get("name"), at: try $0.get("at")) }
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM position_look WHERE at <= \(before)")
    }

    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM position_look WHERE account_id = \(person) OR viewer_id = \(person)")
    }
}

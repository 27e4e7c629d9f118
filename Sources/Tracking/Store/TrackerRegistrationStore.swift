import Kernel
import Storage
import TrackerProtocol

/// The table `registration`: register requests that wait for a tracker's answer.
enum TrackerRegistrationStore {
    /// Stores a request and removes the account's oldest requests beyond the limit.
    static func add(
        tracker: TrackerID, item: Item, challenge: [UInt8], now: Instant, expiresAt: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO registration (tracker_id, item_id, challenge, created_at, expires_at)
            VALUES (\(tracker), \(item.id), \(challenge), \(now), \(expiresAt))
            ON CONFLICT (tracker_id, item_id, challenge) DO UPDATE SET
                created_at = excluded.created_at, expires_at = excluded.expires_at
            """
        )
        let surplus = try tx.rows(
            """
            SELECT r.tracker_id, r.item_id, r.challenge FROM registration r JOIN item i ON i.id = r.item_id
            WHERE i.account_id = \(item.owner)
            ORDER BY r.created_at DESC, r.challenge
            LIMIT \(Limits.housekeepingBatch) OFFSET \(Limits.pendingRegistrationsPerAccount)
            """
        )
        for row in surplus {
            let (tracker, item): (TrackerID, ID<Item>) = (try row.get("tracker_id"), try row.get("item_id"))
            let challenge: [UInt8] = try row.get("challenge")
            try tx.execute(
                """
                DELETE FROM registration
                WHERE tracker_id = \(tracker) AND item_id = \(item) AND challenge = \(challenge)
                """
            )
        }
    }

    /// When the request with this challenge expires; `nil` without a request.
    static func expiry(
        tracker: TrackerID, item: ID<Item>, challenge: [UInt8], in tx: Transaction
    ) throws -> Instant? {
        try tx.row(
            """
            SELECT expires_at FROM registration
            WHERE tracker_id = \(tracker) AND item_id = \(item) AND challenge = \(challenge)
            """
        )?.get("expires_at")
    }

    static func delete(of tracker: TrackerID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM registration WHERE tracker_id = \(tracker)")
    }

    static func delete(item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM registration WHERE item_id = \(item)")
    }

    static func sweep(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM registration WHERE expires_at <= \(now)")
    }
}

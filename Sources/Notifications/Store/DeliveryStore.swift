import Kernel
import Storage

/// A push message in the queue.
struct Delivery: Sendable {
    let entry: FeedEntry
    let subscription: PushSubscription
    /// The number of attempts, including this one. It identifies the sender with the current lease.
    let attempt: Int
    let expiresAt: Instant
    /// The language in the account's settings.
    let language: String?
    let hidesDetails: Bool
}

/// The SQL of the table `push_delivery`, the queue of push messages.
enum DeliveryStore {
    static func add(
        _ notice: ID<Notice>, to subscription: ID<PushSubscription>, at: Instant, until: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO push_delivery (notice_id, subscription_id, next_at, expires_at)
            VALUES (\(notice), \(subscription), \(at), \(until))
            """
        )
    }

    static func addAll(
        _ notice: ID<Notice>, of person: PersonID, at: Instant, until: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO push_delivery (notice_id, subscription_id, next_at, expires_at)
            SELECT \(notice), id, \(at), \(until) FROM push_subscription WHERE account_id = \(person)
            """
        )
    }

    /// Leases due messages. No other sender takes them for ``Limits/pushClaimSeconds``.
    static func claim(now: Instant, limit: Int, in tx: Transaction) throws -> [Delivery] {
        try tx.execute("DELETE FROM push_delivery WHERE next_at <= \(now) AND expires_at <= \(now)")
        let due = try tx.rows(
            """
            SELECT notice_id, subscription_id, attempts FROM push_delivery WHERE next_at <= \(now)
            ORDER BY next_at LIMIT \(limit) \(sql: tx.forUpdateSkipLocked)
            """
        )
        return try due.compactMap { row in
            let notice: ID<Notice> = try row.get("notice_id")
            let subscription: ID<PushSubscription> = try row.get("subscription_id")
            let attempt = try row.get("attempts", as: Int.self) + 1
            try tx.execute(
                """
                UPDATE push_delivery SET attempts = \(attempt),
                    next_at = \(now.adding(seconds: Limits.pushClaimSeconds))
                WHERE notice_id = \(notice) AND subscription_id = \(subscription)
                """
            )
            return try delivery(notice, subscription, attempt: attempt, in: tx)
        }
    }

    private static func delivery(
        _ notice: ID<Notice>, _ subscription: ID<PushSubscription>, attempt: Int, in tx: Transaction
    ) throws -> Delivery? {
        let row = try tx.row(
            """
            SELECT n.id, n.account_id, n.kind, n.resource, n.subject, n.details, n.at, n.read_at,
                s.id AS subscription_id, s.endpoint, s.p256dh, s.auth, s.language, d.expires_at,
                a.language AS account_language
            FROM push_delivery d JOIN notice n ON n.id = d.notice_id
                JOIN push_subscription s ON s.id = d.subscription_id JOIN account a ON a.id = n.account_id
            WHERE d.notice_id = \(notice) AND d.subscription_id = \(subscription)
            """
        )
        guard let row, let entry = try NotificationStore.entry(row) else {
            try remove(notice, subscription, in: tx)
            return nil
        }
        return Delivery(
            entry: entry, subscription: try SubscriptionStore.subscription(row), attempt: attempt,
            expiresAt: try row.get("expires_at"), language: try row.get("account_language"),
            hidesDetails: try NotificationPreferenceStore.settings(of: entry.notice.person, in: tx).hidesDetails
        )
    }

    private static func remove(
        _ notice: ID<Notice>, _ subscription: ID<PushSubscription>, in tx: Transaction
    ) throws {
        try tx.execute(
            "DELETE FROM push_delivery WHERE notice_id = \(notice) AND subscription_id = \(subscription)"
        )
    }

    /// Removes a message from the queue, unless another sender has leased it.
    static func finish(_ delivery: Delivery, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM push_delivery WHERE notice_id = \(delivery.entry.notice.id)
                AND subscription_id = \(delivery.subscription.id) AND attempts = \(delivery.attempt)
            """
        )
    }

    /// Postpones a message, unless another sender has leased it.
    static func postpone(_ delivery: Delivery, until: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE push_delivery SET next_at = \(until) WHERE notice_id = \(delivery.entry.notice.id)
                AND subscription_id = \(delivery.subscription.id) AND attempts = \(delivery.attempt)
            """
        )
    }

    /// Returns when the next message is due; `nil` if the queue is empty.
    static func nextDue(in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT MIN(next_at) AS next FROM push_delivery")?.get("next")
    }
}

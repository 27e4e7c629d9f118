import Kernel
import Storage

/// A push message that is about to be sent.
struct OutgoingPushMessage: Sendable {
    let entry: FeedEntry
    let subscription: PushSubscription
    let expiresAt: Instant
    /// The language in the account's settings.
    let language: String?
    let hidesDetails: Bool
}

/// The SQL that reads a notification for one of its person's devices.
enum PushMessageReader {
    /// Returns `nil` if the notification or the subscription was deleted, or belongs to another person by now.
    static func message(
        _ notice: ID<Notice>, _ subscription: ID<PushSubscription>, expiresAt: Instant, in tx: Transaction
    ) throws -> OutgoingPushMessage? {
        let row = try tx.row(
            """
            SELECT n.id, n.account_id, n.kind, n.resource, n.subject, n.details, n.at, n.read_at, n.further,
                s.id AS subscription_id, s.endpoint, s.p256dh, s.auth, s.language, a.language AS account_language
            FROM notice n JOIN push_subscription s ON s.account_id = n.account_id
                JOIN account a ON a.id = n.account_id
            WHERE n.id = \(notice) AND s.id = \(subscription)
            """
        )
        guard let row, let entry = try NotificationStore.entry(row) else { return nil }
        return OutgoingPushMessage(
            entry: entry, subscription: try SubscriptionStore.subscription(row), expiresAt: expiresAt,
            language: try row.get("account_language"),
            hidesDetails: try NotificationPreferenceStore.settings(of: entry.notice.person, in: tx).hidesDetails)
    }
}

import Accounts
import Kernel
import Storage

/// The devices that messages are sent to: at most one for each session, and gone with it.
enum SubscriptionStore {
    /// Puts a device in the place of what the session, or another one in the same browser, had before.
    static func put(_ subscription: PushSubscription, of actor: Actor, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            "DELETE FROM push_subscription WHERE session_id = \(actor.session) OR endpoint = \(subscription.endpoint)"
        )
        try tx.execute(
            """
            INSERT INTO push_subscription (
                id, account_id, session_id, endpoint, p256dh, auth, language, created_at
            ) VALUES (
                \(subscription.id), \(actor.person), \(actor.session), \(subscription.endpoint),
                \(subscription.publicKey), \(subscription.secret), \(subscription.language), \(now)
            )
            """
        )
        try tx.execute(
            """
            DELETE FROM push_subscription WHERE id IN (
                SELECT id FROM push_subscription WHERE account_id = \(actor.person)
                ORDER BY created_at DESC, id DESC
                LIMIT \(Limits.pageSizeMaximum) OFFSET \(Limits.pushSubscriptionsPerPerson)
            )
            """
        )
    }

    static func subscription(of session: ID<Session>, in tx: Transaction) throws -> PushSubscription? {
        try tx.row(
            """
            SELECT id AS subscription_id, endpoint, p256dh, auth, language FROM push_subscription
            WHERE session_id = \(session)
            """
        ).map(subscription)
    }

    @discardableResult
    static func remove(of session: ID<Session>, in tx: Transaction) throws -> Bool {
        try tx.execute("DELETE FROM push_subscription WHERE session_id = \(session)") > 0
    }

    /// Removes one that its push service doesn't know any more, unless the browser has put another in its place.
    static func remove(_ id: ID<PushSubscription>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM push_subscription WHERE id = \(id)")
    }

    static func subscription(_ row: Row) throws -> PushSubscription {
        PushSubscription(
            id: try row.get("subscription_id"), endpoint: try row.get("endpoint"), publicKey: try row.get("p256dh"),
            secret: try row.get("auth"), language: try row.get("language")
        )
    }

    /// What the export says of devices; not their addresses, with which anybody could send to them.
    static func exported(_ person: PersonID, in tx: Transaction) throws -> [(endpoint: String, createdAt: Instant)] {
        try tx.rows(
            "SELECT endpoint, created_at FROM push_subscription WHERE account_id = \(person) ORDER BY created_at"
        ).map { (try $0.get("endpoint"), try $0.get("created_at")) }
    }
}

import Accounts
import Kernel
import Storage

/// The SQL of the table `push_subscription`: at most one row per session, deleted with the session.
enum SubscriptionStore {
    /// Replaces the subscription of the session, and that of another session with the same endpoint.
    static func replace(_ subscription: PushSubscription, of actor: Actor, now: Instant, in tx: Transaction) throws {
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

    /// Returns the subscribed devices of the person who gets a notification.
    static func subscriptions(
        for notice: ID<Notice>, in tx: Transaction
    ) throws -> [(id: ID<PushSubscription>, endpoint: String)] {
        try tx.rows(
            """
            SELECT s.id, s.endpoint FROM notice n JOIN push_subscription s ON s.account_id = n.account_id
            WHERE n.id = \(notice) ORDER BY s.created_at, s.id LIMIT \(Limits.pushSubscriptionsPerPerson)
            """
        ).map { (try $0.get("id"), try $0.get("endpoint")) }
    }

    /// Returns the endpoints of the newest subscriptions of all people.
    static func newestEndpoints(limit: Int, in tx: Transaction) throws -> [String] {
        try tx.rows("SELECT endpoint FROM push_subscription ORDER BY id DESC LIMIT \(limit)").map { row in
            try row.get("endpoint")
        }
    }

    /// Returns a person's devices, the newest first.
    static func devices(of person: PersonID, in tx: Transaction) throws -> [SubscribedDevice] {
        try tx.rows(
            """
            SELECT p.id, p.endpoint, p.created_at, p.session_id, s.name
            FROM push_subscription p JOIN session s ON s.id = p.session_id
            WHERE p.account_id = \(person) ORDER BY p.created_at DESC, p.id DESC
            LIMIT \(Limits.pushSubscriptionsPerPerson)
            """
        ).map { row in
            SubscribedDevice(
                id: try row.get("id"), name: try row.get("name"),
                service: PushHosts.host(of: try row.get("endpoint")) ?? "", subscribedAt: try row.get("created_at"),
                session: try row.get("session_id"))
        }
    }

    static func owner(of id: ID<PushSubscription>, in tx: Transaction) throws -> PersonID? {
        try tx.row("SELECT account_id FROM push_subscription WHERE id = \(id)")?.get("account_id")
    }

    @discardableResult
    static func remove(of session: ID<Session>, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM push_subscription WHERE session_id = \(session)") > 0
    }

    /// Deletes a subscription that the push service no longer knows. A newer subscription of the browser has another
    /// id and stays.
    static func remove(_ id: ID<PushSubscription>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM push_subscription WHERE id = \(id)")
    }

    static func subscription(_ row: Row) throws -> PushSubscription {
        PushSubscription(
            id: try row.get("subscription_id"), endpoint: try row.get("endpoint"), publicKey: try row.get("p256dh"),
            secret: try row.get("auth"), language: try row.get("language")
        )
    }

    /// Returns the subscriptions for the data export. The export must not contain the endpoints, which allow anyone
    /// to send messages.
    static func exported(_ person: PersonID, in tx: Transaction) throws -> [(endpoint: String, createdAt: Instant)] {
        try tx.rows(
            "SELECT endpoint, created_at FROM push_subscription WHERE account_id = \(person) ORDER BY created_at"
        ).map { (try $0.get("endpoint"), try $0.get("created_at")) }
    }
}

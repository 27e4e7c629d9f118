package import Storage
import Kernel

extension Notice {
    /// Posts the notification in the caller's transaction: adds it to the feed, enqueues a push message for each
    /// subscribed device and publishes an event for open pages. Does nothing if the id is already posted or the
    /// account doesn't exist.
    /// - Throws: `AppError(.tooLarge)` for details above ``Limits/noticeDetailBytes``; otherwise the database's
    ///   error.
    package func post(in tx: Transaction) throws {
        try post(onlyTo: nil, in: tx)
    }

    /// - Parameter subscription: the only device that gets a message; `nil` for all devices, unless the kind is
    ///   muted.
    func post(onlyTo subscription: ID<PushSubscription>?, in tx: Transaction) throws {
        guard try NotificationStore.insert(self, in: tx) else { return }
        if let subscription {
            try DeliveryStore.add(id, to: subscription, at: at, until: expiresAt, in: tx)
        } else if try !NotificationPreferenceStore.settings(of: person, in: tx).muted.contains(kind) {
            try DeliveryStore.addAll(id, of: person, at: at, until: expiresAt, in: tx)
        }
        try FeedEvent.publish(to: person, at: at, in: tx)
    }

    /// The time after which the push message is obsolete.
    private var expiresAt: Instant {
        switch kind {
        case .itemTooFar, .switchNotConfirmed: at.adding(seconds: Limits.pushWarningSeconds)
        default: at.adding(seconds: Limits.pushMessageSeconds)
        }
    }
}

/// The change event of a feed, for open pages.
enum FeedEvent {
    static let kind = "notification"
    static let resource = "/notifications"

    static func publish(to person: PersonID, at: Instant, in tx: Transaction) throws {
        try tx.publish(ChangeEvent(audience: person, kind: kind, resource: resource, version: 0, at: at))
    }
}

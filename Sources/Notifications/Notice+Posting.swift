package import Storage
import Kernel

extension Notice {
    /// Tells the person, in the caller's own transaction: the notice stands in their feed, a message waits for each of
    /// their devices, and their open pages hear of it. Done a second time with the same id it changes nothing, and for
    /// a person who is gone meanwhile it does nothing.
    /// - Throws: `AppError(.tooLarge)` for details above ``Limits/noticeDetailBytes``; otherwise what the store says.
    package func post(in tx: Transaction) throws {
        try post(onlyTo: nil, in: tx)
    }

    /// - Parameter subscription: the only device that gets a message; `nil` for all that want this kind.
    func post(onlyTo subscription: ID<PushSubscription>?, in tx: Transaction) throws {
        guard try NoticeStore.insert(self, in: tx) else { return }
        if let subscription {
            try DeliveryStore.add(id, to: subscription, at: at, until: expiresAt, in: tx)
        } else if try !SettingStore.settings(of: person, in: tx).muted.contains(kind) {
            try DeliveryStore.addAll(id, of: person, at: at, until: expiresAt, in: tx)
        }
        try FeedEvent.publish(to: person, at: at, in: tx)
    }

    /// When a device that was not reached by then need not be told any more.
    private var expiresAt: Instant {
        switch kind {
        case .itemTooFar, .switchNotConfirmed: at.adding(seconds: Limits.pushWarningSeconds)
        default: at.adding(seconds: Limits.pushMessageSeconds)
        }
    }
}

/// What open pages hear when a feed changes.
enum FeedEvent {
    static let kind = "notification"
    static let resource = "/notifications"

    static func publish(to person: PersonID, at: Instant, in tx: Transaction) throws {
        try tx.publish(ChangeEvent(audience: person, kind: kind, resource: resource, version: 0, at: at))
    }
}

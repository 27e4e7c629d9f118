package import Storage
import Jobs
import Kernel

extension Notice {
    /// Posts the notification in the caller's transaction: adds it to the feed, enqueues a push message for each
    /// subscribed device and publishes an event for open pages. Does nothing if the id is already posted or the
    /// account doesn't exist. Above the limits of the kind's ``FloodRule``, an earlier notification takes the content
    /// and counts it, without a push message.
    /// - Throws: `AppError(.tooLarge)` for details above ``Limits/noticeDetailBytes``; otherwise the database's
    ///   error.
    package func post(in tx: Transaction) throws {
        try post(onlyTo: nil, in: tx)
    }

    /// - Parameter subscription: the only device that gets a message; `nil` for all devices, unless the kind is
    ///   muted.
    func post(onlyTo subscription: ID<PushSubscription>?, in tx: Transaction) throws {
        try NotificationStore.insert(self, in: tx) { [unowned tx] insertion in
            if case .inserted(let hasDevice) = insertion {
                try enqueueMessages(to: subscription, hasDevice: hasDevice, in: tx)
            }
            // The event also wakes the workers of the push lane.
            try FeedEvent.publish(to: person, at: at, in: tx)
        }
    }

    private func enqueueMessages(
        to subscription: ID<PushSubscription>?, hasDevice: Bool, in tx: Transaction
    ) throws {
        if let subscription {
            try enqueue(
                PushJobs.message(of: id, to: subscription, subject: kind.rawValue, expiresAt: pushExpiresAt), in: tx)
        } else if hasDevice, try !NotificationPreferenceStore.settings(of: person, in: tx).muted.contains(kind) {
            try enqueue(PushJobs.distribution(of: self), in: tx)
        }
    }

    private func enqueue(_ job: NewJob, in tx: Transaction) throws {
        try PushJobs.lane.insert(job, id: ID(at: at, series: id.series), now: at, in: tx)
    }

    /// The time after which the push message is obsolete.
    var pushExpiresAt: Instant {
        switch kind {
        case .itemTooFar, .itemMoved, .itemNotArrived, .switchNotConfirmed:
            at.adding(seconds: Limits.pushWarningSeconds)
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

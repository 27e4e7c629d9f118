import Accounts
package import Kernel
import Notifications
package import Storage

/// Ends the sharing of positions inside a transaction, with everything that depends on it.
package struct PositionShareEnder: Sendable {
    let state: PositionSharingState
    let notifier = PositionShareNotifier()

    /// Why a sharing ends.
    enum Reason {
        /// The person turned it off.
        case turnedOff
        /// Its time is over.
        case expired
        /// One of the two left the household, or what showed the position is gone.
        case stopped
        /// The viewer doesn't want to see it any more.
        case leftByViewer
    }

    /// Ends what a person shares with the viewers of `shares`, which may have ended already.
    func end(
        _ shares: [PositionShare], of person: PersonID, as reason: Reason, now: Instant, in tx: Transaction
    ) throws {
        guard !shares.isEmpty else { return }
        try state.lock(person, in: tx)
        // Reports lock last positions first, and then the rules about the person, which are deleted with the sharing.
        let items = Set(shares.compactMap(\.item)).sorted()
        for item in items { _ = try HealthStore.lockLastPosition(of: item, in: tx) }
        for share in shares where try PositionShareStore.delete(share, in: tx) {
            try Notice.withdraw(
                about: TrackingEvents.path(person: person), from: share.viewer, at: now, in: tx)
            if reason != .leftByViewer {
                try notifier.notify(share.viewer, .ended, who: person, now: now, in: tx)
            }
            switch reason {
            case .turnedOff: break
            case .expired: try notifier.notify(person, .expired, who: share.viewer, now: now, in: tx)
            case .stopped, .leftByViewer: try notifier.notify(person, .stopped, who: share.viewer, now: now, in: tx)
            }
            try tx.publish(TrackingEvents.position(of: person, to: share.viewer, now: now))
            try tx.publish(TrackingEvents.sharingEnded(of: person, with: share.viewer, now: now))
        }
        for item in items { try PositionShareStore.setFlag(of: item, in: tx) }
        try refresh(person, now: now, in: tx)
    }

    /// Ends everything between a person and others, when the person leaves their household.
    package func endAll(with person: PersonID, now: Instant, in tx: Transaction) throws {
        let all = try PositionShareStore.all(about: person, in: tx)
        for (sharer, shares) in Dictionary(grouping: all, by: \.person).sorted(by: { $0.key < $1.key }) {
            try end(shares, of: sharer, as: .stopped, now: now, in: tx)
        }
        for request in try PositionRequestStore.deleteAll(of: person, in: tx) {
            try tx.publish(TrackingEvents.sharing(of: request.person, now: now))
            try tx.publish(TrackingEvents.position(of: request.person, to: request.asker, now: now))
        }
    }

    /// Ends what is shared from an item that is about to be deleted.
    func endAll(from item: ID<Item>, now: Instant, in tx: Transaction) throws {
        let all = try PositionShareStore.all(from: item, in: tx)
        for (sharer, shares) in Dictionary(grouping: all, by: \.person).sorted(by: { $0.key < $1.key }) {
            try end(shares, of: sharer, as: .stopped, now: now, in: tx)
        }
    }

    /// Stores until when the person shares their position. The server keeps no position of a child that doesn't.
    func refresh(_ person: PersonID, now: Instant, in tx: Transaction) throws {
        let shares = try PositionShareStore.shares(of: person, now: now, in: tx)
        let until = shares.map { $0.expiresAt ?? Self.never }.max()
        try state.set(until, of: person, now: now, in: tx)
        try tx.publish(TrackingEvents.sharing(of: person, now: now))
        guard until == nil else { return }
        try PositionStore.deleteAll(ofChild: person, in: tx)
    }

    /// The end of a sharing without one: the year 9999.
    private static let never = Instant(millisecondsSince1970: 253_402_300_799_000)
}

/// Ends the sharing whose time is over.
package struct PositionShareExpiryService: Sendable {
    let database: Database
    let ender: PositionShareEnder
    let clock: any WallClock

    /// Cheap when nothing is due. A failure for one person doesn't stop the work for others.
    /// - Throws: The first error.
    package func run() async throws {
        let now = clock.now
        var errors = FirstError()
        let due = try await database.read { tx in try PositionShareStore.due(now: now, in: tx) }
        for (person, shares) in Dictionary(grouping: due, by: \.person).sorted(by: { $0.key < $1.key }) {
            try await errors.collect { try await end(shares, of: person, now: now) }
        }
        try errors.throwFirst()
    }

    private func end(_ shares: [PositionShare], of person: PersonID, now: Instant) async throws {
        try await database.write { tx in
            try ender.state.lock(person, in: tx)
            // Another node may have come first, or the person may have extended it.
            let ids = Set(shares.map(\.viewer))
            let still = try PositionShareStore.overdue(of: person, now: now, in: tx).filter { ids.contains($0.viewer) }
            try ender.end(still, of: person, as: .expired, now: now, in: tx)
        }
    }
}

import Kernel
import Storage
import TrackerProtocol

/// Binds trackers to items and releases them, inside a transaction.
struct TrackerBinder: Sendable {
    /// - Throws: `AppError.conflict` when the item has a tracker or a position source.
    func requireUnpaired(_ id: ID<Item>, in tx: Transaction) throws {
        let hasTracker = try TrackerStore.lock(item: id, in: tx) != nil
        let hasSource = try SourceStore.source(item: id, in: tx) != nil
        if hasTracker || hasSource { throw AppError(.conflict, .alreadyPaired) }
    }

    /// - Throws: `AppError.conflict` when the tracker has an owner or is being released.
    func requireFree(_ tracker: StoredTracker) throws {
        switch tracker.state {
        case .free: return
        case .releasing: throw AppError(.conflict, .trackerReleasing)
        case .registering, .bound, .active, .off: throw AppError(.conflict, .trackerInUse)
        }
    }

    /// Binds a free tracker to the item and queues *activate*.
    func bind(
        _ tracker: StoredTracker, to item: Item, activation: ID<Command>, now: Instant, in tx: Transaction
    ) throws {
        var tracker = tracker
        tracker.state = .registering
        tracker.itemID = item.id
        tracker.wanted = .on
        tracker.await(since: now, locateMinutes: item.settings.locateMinutes)
        try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
        let command = Command(
            id: activation, kind: .activate, state: .queued, createdAt: now,
            expiresAt: now.adding(seconds: Limits.activationSeconds), version: 1
        )
        try CommandStore.queue(command, to: .tracker(tracker), item: item.id, in: tx)
        try TrackerRegistrationStore.delete(of: tracker.id, in: tx)
        try ItemVersion.advance(item, now: now, in: tx)
    }

    /// Releases a tracker. It keeps only its id and keys, one command that doesn't expire, and for a while the masked
    /// contact of its former owner.
    func release(_ tracker: StoredTracker, of item: Item, command: ID<Command>, now: Instant, in tx: Transaction) throws
    {
        var tracker = tracker
        try CommandStore.delete(of: .tracker(tracker), in: tx)
        try QuarantineStore.delete(device: tracker.id.description, in: tx)
        tracker.state = .releasing
        tracker.itemID = nil
        tracker.mode = .cellular
        tracker.wanted = .off
        tracker.offSince = nil
        tracker.nextPollAt = nil
        tracker.settle()
        try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
        try FormerOwnerStore.store(item.owner, of: tracker.id, now: now, in: tx)
        let release = Command(id: command, kind: .release, state: .queued, createdAt: now, expiresAt: nil, version: 1)
        try CommandStore.queue(release, to: .tracker(tracker), item: nil, in: tx)
        try FixStore.forgetDevice(of: item.id, in: tx)
    }
}

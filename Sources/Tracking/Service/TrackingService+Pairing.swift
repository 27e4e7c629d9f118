package import Accounts
package import Kernel
import Storage
import TrackerProtocol

extension TrackingService {
    /// Pairs a tracker with an item by the claim code that the tracker shows, and queues *activate*.
    ///
    /// A repetition with the same code and item returns the same result.
    /// - Parameters:
    ///   - typed: The code as typed.
    ///   - clientAddress: The client's address, to which the limit of wrong codes also applies.
    /// - Throws: `AppError`: `notFound`; `invalid` at `code` with the same message for every kind of invalid code;
    ///   `throttled` after too many wrong codes; `conflict` when the item has a tracker, or the version in the request
    ///   is stale.
    package func pair(
        _ id: ID<Item>, code typed: String, clientAddress: String, by change: Change
    ) async throws -> TrackerStatus {
        let now = clock.now
        let actor = change.actor
        let throttles = ClaimThrottles(person: actor.person, clientAddress: clientAddress)
        let codeHash = ClaimCode(typed)?.hash
        let activation = ID<Command>(at: now, random: random)
        try await database.write { tx in
            guard try ItemStore.item(id, of: actor.person, in: tx) != nil else { throw AppError.notFound }
            try throttles.reserve(now: now, in: tx)
        }
        do {
            _ = try await database.write { [self] tx in
                let once = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                    try claim(id, by: change, codeHash: codeHash, activation: activation, now: now, in: tx)
                }
                try throttles.release(reservedAt: now, now: now, in: tx)
                return once
            }
        } catch let error as AppError where error.fields["code"] != nil {
            throw error
        } catch {
            try await database.write { tx in try throttles.release(reservedAt: now, now: now, in: tx) }
            throw error
        }
        guard let status = try await item(id, for: actor).tracker else { throw AppError.notFound }
        return status
    }

    private func claim(
        _ id: ID<Item>, by change: Change, codeHash: [UInt8]?, activation: ID<Command>, now: Instant, in tx: Transaction
    ) throws {
        let found = try codeHash.flatMap { try TrackerStore.lock(codeHash: $0, in: tx) }
        let item = try ItemStore.lock(id, of: change.actor.person, in: tx)
        try requireCurrentVersion(item, for: change)
        if let found, found.itemID == id { return }
        try requireNoTracker(id, in: tx)
        guard let tracker = found, tracker.state == .free else { throw AppError(.invalid, .codeWrong, field: "code") }
        try bind(tracker, to: item, activation: activation, now: now, in: tx)
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
        try advance(item, now: now, in: tx)
    }

    /// Removes the tracker from an item. Hardware gets the command to turn off and release itself; a position source is
    /// deleted. The history remains.
    /// - Throws: `AppError`: `notFound`, also without a tracker; `conflict` when the version in the request is stale.
    package func unpair(_ id: ID<Item>, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        let release = ID<Command>(at: now, random: random)
        _ = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let tracker = try TrackerStore.lock(item: id, in: tx)
                let item = try ItemStore.lock(id, of: owner, in: tx)
                try requireCurrentVersion(item, for: change)
                if let tracker {
                    try letGo(tracker, of: item, command: release, now: now, in: tx)
                } else if let source = try SourceStore.source(item: id, in: tx) {
                    try remove(source, in: tx)
                } else {
                    throw AppError.notFound
                }
                try advance(item, now: now, in: tx)
            }
        }
    }

    /// Deletes a tracker that was released but can't confirm it any more, for an administrator. At its next contact the
    /// tracker registers again, with a new claim code.
    /// - Throws: `AppError`: `notFound`; `conflict` while the tracker has an owner.
    package func releaseTracker(_ id: String) async throws {
        guard let id = TrackerID(id) else { throw AppError.notFound }
        try await database.write { tx in
            guard let tracker = try TrackerStore.lock(id, in: tx) else { throw AppError.notFound }
            guard tracker.itemID == nil else { throw AppError(.conflict, .trackerInUse) }
            try TrackerStore.delete(id, in: tx)
        }
    }

    /// Releases a tracker. It keeps only its id and keys, one command that doesn't expire, and for a while the masked
    /// contact of its former owner.
    func letGo(_ tracker: StoredTracker, of item: Item, command: ID<Command>, now: Instant, in tx: Transaction) throws {
        var tracker = tracker
        try CommandStore.delete(of: .tracker(tracker), in: tx)
        try QuarantineStore.delete(device: tracker.id.description, in: tx)
        tracker.state = .releasing
        tracker.itemID = nil
        tracker.mode = .cellular
        tracker.wanted = .off
        tracker.offSince = nil
        tracker.askAt = nil
        tracker.settle()
        try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
        try FormerOwnerStore.keep(item.owner, of: tracker.id, now: now, in: tx)
        let release = Command(id: command, kind: .release, state: .queued, createdAt: now, expiresAt: nil, version: 1)
        try CommandStore.queue(release, to: .tracker(tracker), item: nil, in: tx)
        try FixStore.forgetDevice(of: item.id, in: tx)
    }

    func requireNoTracker(_ id: ID<Item>, in tx: Transaction) throws {
        let hasTracker = try TrackerStore.lock(item: id, in: tx) != nil
        let hasSource = try SourceStore.source(item: id, in: tx) != nil
        if hasTracker || hasSource { throw AppError(.conflict, .alreadyPaired) }
    }

    /// Increments the item's version after the owner changed its tracker.
    func advance(_ item: Item, now: Instant, in tx: Transaction) throws {
        let next = item.nextVersion
        try ItemStore.update(next, in: tx)
        try tx.publish(TrackingEvents.item(next, now: now))
    }
}

/// The limits of wrong codes for the account and for the client's network.
private struct ClaimThrottles: Sendable {
    private let person = Throttle(
        scope: "claim-account", limit: Limits.claimFailuresPerAccount, windowSeconds: Limits.claimSeconds
    )
    private let network = Throttle(
        scope: "claim-address", limit: Limits.claimFailuresPerAccount, windowSeconds: Limits.claimSeconds
    )
    private let personKey: String
    private let networkKey: String

    init(person: PersonID, clientAddress: String) {
        personKey = person.description
        networkKey = ClientNetwork.key(clientAddress)
    }

    func reserve(now: Instant, in tx: Transaction) throws {
        try person.reserve(personKey, now: now, in: tx)
        try network.reserve(networkKey, now: now, in: tx)
    }

    func release(reservedAt instant: Instant, now: Instant, in tx: Transaction) throws {
        try person.release(personKey, reservedAt: instant, now: now, in: tx)
        try network.release(networkKey, reservedAt: instant, now: now, in: tx)
    }
}

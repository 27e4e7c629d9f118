package import Accounts
import Foundation
package import Kernel
import Storage
import TrackerProtocol

extension TrackingService {
    /// Creates a signed request with which a nearby tracker binds itself to an item. An unknown tracker is created. The
    /// item's present tracker may get a new request, which proves to it that the phone is its owner's.
    /// - Parameter clientAddress: The client's address, to which the limit of new trackers applies.
    /// - Throws: `AppError`: `notFound`; `invalid` at `publicKey`, `codeHash` or `challenge`; `conflict` when the item
    ///   has another tracker, the tracker has another owner, or its key or code is another tracker's; `throttled`.
    package func registration(
        of id: ID<Item>, _ input: RegistrationInput, clientAddress: String, by change: Change
    ) async throws -> TrackerRegistration {
        let (contact, challenge) = try Self.check(input)
        let now = clock.now
        let owner = change.actor.person
        try await database.read { tx in
            guard try ItemStore.item(id, of: owner, in: tx) != nil else { throw AppError.notFound }
        }
        let met = try await meet(contact, clientAddress: clientAddress)
        let expiresAt = now.adding(seconds: Limits.registrationSeconds)
        let tracker = try await database.write { [self] tx in
            guard let tracker = try TrackerStore.lock(met.id, in: tx) else { throw AppError(.conflict, .contactTaken) }
            let item = try ItemStore.lock(id, of: owner, in: tx)
            try requireCurrentVersion(item, for: change)
            if tracker.itemID != id {
                try requireNoTracker(id, in: tx)
                try requireFree(tracker)
            }
            try TrackerRegistrationStore.add(
                tracker: tracker.id, item: item, challenge: challenge, now: now, expiresAt: expiresAt, in: tx
            )
            return tracker
        }
        let request = RegisterRequest(
            tracker: tracker.id, serverPublicKey: tracker.serverPublicKey, binding: id.cast(to: TrackerBinding.self),
            challenge: challenge, at: now, expiresAt: expiresAt
        )
        return TrackerRegistration(
            tracker: tracker.id, request: try channel(to: tracker).seal(request), expiresAt: expiresAt
        )
    }

    /// Returns the release command of a tracker whose former owner released it while it couldn't be reached. The
    /// tracker needs it before it can get a new owner. The command takes the tracker from no owner, so any account near
    /// the tracker may forward it.
    /// - Returns: `nil` when the tracker isn't being released.
    /// - Throws: `AppError`: `notFound` when the item isn't the actor's; `invalid` as for
    ///   ``registration(of:_:clientAddress:by:)``.
    package func release(of id: ID<Item>, _ input: RegistrationInput, by change: Change) async throws -> TrackerRelease?
    {
        let (contact, _) = try Self.check(input)
        let now = clock.now
        let owner = change.actor.person
        return try await database.read { [self] tx in
            guard try ItemStore.item(id, of: owner, in: tx) != nil else { throw AppError.notFound }
            guard let tracker = try TrackerStore.find(publicKey: contact.publicKey, in: tx),
                tracker.state == .releasing, tracker.codeHash == contact.codeHash,
                let keys = TrackerKeys(stored: try secrets.open(tracker.keys))
            else { return nil }
            let waiting = try CommandStore.waiting(for: .tracker(tracker), now: now, in: tx)
            let command = waiting.last { $0.kind == .release }.flatMap { CompactCommand($0.forTracker) }
            return command.map { TrackerRelease(tracker: tracker.id, frame: $0.sealed(with: keys)) }
        }
    }

    private func requireFree(_ tracker: StoredTracker) throws {
        switch tracker.state {
        case .free: return
        case .releasing: throw AppError(.conflict, .trackerReleasing)
        case .registering, .bound, .active, .off: throw AppError(.conflict, .trackerInUse)
        }
    }

    private static func check(_ input: RegistrationInput) throws -> (FirstContact, challenge: [UInt8]) {
        var problems = Problems()
        let publicKey = Hex.decode(input.publicKey, count: 32)
        if publicKey == nil { problems.refuse("publicKey", .keyUnusable) }
        let codeHash = Hex.decode(input.codeHash, count: 32)
        if codeHash == nil { problems.refuse("codeHash", .codeHashUnusable) }
        let challenge = Hex.decode(input.challenge, count: TrackerBluetooth.challengeLength)
        if challenge == nil { problems.refuse("challenge", .challengeUnusable) }
        try problems.finish()
        return (FirstContact(publicKey: publicKey ?? [], codeHash: codeHash ?? []), challenge ?? [])
    }

    private func channel(to tracker: StoredTracker) throws -> ServerChannel {
        guard let keys = TrackerKeys(stored: try secrets.open(tracker.keys)) else { throw AppError.notFound }
        return ServerChannel(tracker: tracker.id, keys: keys)
    }

    /// Pairs a tracker with an item by the tracker's signed answer to a request of
    /// ``registration(of:_:clientAddress:by:)``, and queues *activate*.
    ///
    /// A repetition with the same answer and item returns the same result.
    /// - Parameter pairing: The tracker's packed answer in base64.
    /// - Throws: `AppError`: `notFound`; `invalid` at `pairing` when the answer is altered, used, late, for another
    ///   item, or not requested; `conflict` when the item has a tracker, the tracker has an owner, or the version in
    ///   the request is stale.
    package func pair(_ id: ID<Item>, pairing: String, by change: Change) async throws -> TrackerStatus {
        let now = clock.now
        let activation = ID<Command>(at: now, random: self.random)
        let answer = Data(base64Encoded: pairing).flatMap { PackedMessage(Array($0)) }
        _ = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                try claim(id, by: change, answer, activation: activation, now: now, in: tx)
            }
        }
        guard let status = try await item(id, for: change.actor).tracker else { throw AppError.notFound }
        return status
    }

    private func claim(
        _ id: ID<Item>, by change: Change, _ packed: PackedMessage?, activation: ID<Command>, now: Instant,
        in tx: Transaction
    ) throws {
        let tracker = try packed.flatMap { try TrackerStore.lock($0.tracker, in: tx) }
        let item = try ItemStore.lock(id, of: change.actor.person, in: tx)
        try requireCurrentVersion(item, for: change)
        guard let packed, let tracker, let answer = try? channel(to: tracker).open(packed),
            answer.binding == id.cast(to: TrackerBinding.self)
        else { throw AppError(.invalid, .pairingWrong, field: "pairing") }
        if tracker.itemID == id { return }
        let expiresAt = try TrackerRegistrationStore.expiry(
            tracker: tracker.id, item: id, challenge: answer.challenge, in: tx
        )
        guard let expiresAt else { throw AppError(.invalid, .pairingWrong, field: "pairing") }
        guard now < expiresAt else { throw AppError(.invalid, .pairingLate, field: "pairing") }
        try requireNoTracker(id, in: tx)
        try requireFree(tracker)
        try bind(tracker, to: item, activation: activation, now: now, in: tx)
    }
}

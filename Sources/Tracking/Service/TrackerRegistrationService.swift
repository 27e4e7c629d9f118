package import Accounts
package import Kernel
import Storage
import TrackerProtocol

/// `…/registration`: requests with which trackers near a phone bind themselves to items over Bluetooth.
package struct TrackerRegistrationService: Sendable {
    let database: Database
    let firstContacts: FirstContactService
    let binder: TrackerBinder
    let channels: TrackerChannels
    let secrets: SecretBox
    let clock: any WallClock

    /// Creates a signed request with which a nearby tracker binds itself to an item. An unknown tracker is created. The
    /// item's present tracker may get a new request, which proves to it that the phone is its owner's.
    /// - Parameter clientAddress: The client's address, to which the limit of new trackers applies.
    /// - Throws: `AppError`: `notFound`; `invalid` at `publicKey`, `codeHash` or `challenge`; `conflict` when the item
    ///   has another tracker, the tracker has another owner, or its key or code is another tracker's; `throttled`.
    package func create(
        of id: ID<Item>, _ input: RegistrationInput, clientAddress: String, by change: Change
    ) async throws -> TrackerRegistration {
        let (contact, challenge) = try Self.check(input)
        let now = clock.now
        let owner = change.actor.person
        try await database.read { tx in
            try ItemStore.require(.own, of: owner, to: id, in: tx)
        }
        let known = try await firstContacts.findOrCreate(contact, clientAddress: clientAddress)
        let expiresAt = now.adding(seconds: Limits.registrationSeconds)
        let tracker = try await database.write { [binder] tx in
            guard let tracker = try TrackerStore.lock(known.id, in: tx) else {
                throw AppError(.conflict, .contactTaken)
            }
            let item = try ItemStore.lock(id, of: owner, requires: .own, in: tx)
            try ItemVersion.requireCurrent(item, for: change)
            if tracker.itemID != id {
                try binder.requireUnpaired(id, in: tx)
                try binder.requireFree(tracker)
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
            tracker: tracker.id, request: try channels.channel(to: tracker).seal(request), expiresAt: expiresAt
        )
    }

    /// Returns the release command of a tracker whose former owner released it while it couldn't be reached. The
    /// tracker needs it before it can get a new owner. The command takes the tracker from no owner, so any account near
    /// the tracker may forward it.
    /// - Returns: `nil` when the tracker isn't being released.
    /// - Throws: `AppError`: `notFound` when the item isn't the actor's; `invalid` as for
    ///   ``create(of:_:clientAddress:by:)``.
    package func release(of id: ID<Item>, _ input: RegistrationInput, by change: Change) async throws -> TrackerRelease?
    {
        let (contact, _) = try Self.check(input)
        let now = clock.now
        let owner = change.actor.person
        return try await database.read { [secrets] tx in
            try ItemStore.require(.own, of: owner, to: id, in: tx)
            guard let tracker = try TrackerStore.find(publicKey: contact.publicKey, in: tx),
                tracker.state == .releasing, tracker.codeHash == contact.codeHash,
                let keys = TrackerKeys(stored: try secrets.open(tracker.keys))
            else { return nil }
            let waiting = try CommandStore.waiting(for: .tracker(tracker), now: now, in: tx)
            let command = waiting.last { $0.kind == .release }.flatMap { CompactCommand($0.forTracker) }
            return command.map { TrackerRelease(tracker: tracker.id, frame: $0.sealed(with: keys)) }
        }
    }

    private static func check(_ input: RegistrationInput) throws -> (FirstContact, challenge: [UInt8]) {
        var problems = FieldErrors<TrackingErrorMessage>()
        let publicKey = Hexadecimal.decoded(input.publicKey, count: 32)
        if publicKey == nil { problems.refuse("publicKey", .keyUnusable) }
        let codeHash = Hexadecimal.decoded(input.codeHash, count: 32)
        if codeHash == nil { problems.refuse("codeHash", .codeHashUnusable) }
        let challenge = Hexadecimal.decoded(input.challenge, count: TrackerBluetooth.challengeLength)
        if challenge == nil { problems.refuse("challenge", .challengeUnusable) }
        try problems.finish()
        return (FirstContact(publicKey: publicKey ?? [], codeHash: codeHash ?? []), challenge ?? [])
    }
}

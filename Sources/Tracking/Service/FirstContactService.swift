import Accounts
import Kernel
import Logging
import Storage
import TrackerProtocol

/// `/trackers`: trackers that contact the server for the first time.
package struct FirstContactService: Sendable {
    let database: Database
    let secrets: SecretBox
    let finderKeys: FinderKeys
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger

    /// Registers a tracker at its first contact. A repetition with the same key and code gets the same response, so
    /// that a lost response creates no second tracker.
    /// - Parameters:
    ///   - body: The body as received, at most `Limits.ingestBytes`.
    ///   - clientAddress: The client's address, to which the limit of new trackers applies.
    /// - Returns: The JSON of the 201 response.
    /// - Throws: `AppError`: `malformed`; `invalid` at `publicKey` or `codeHash`; `conflict` when another tracker has
    ///   that key or code; `throttled`.
    package func create(_ body: [UInt8], clientAddress: String) async throws -> [UInt8] {
        let tracker = try await findOrCreate(try Self.read(body), clientAddress: clientAddress)
        let finderKey = try finderKeys.pair().publicKey
        return FirstContactResponse(id: tracker.id, publicKey: tracker.serverPublicKey, finderKey: finderKey).encoded()
    }

    /// Returns the tracker with this key and code; creates it if it doesn't exist.
    func findOrCreate(_ contact: FirstContact, clientAddress: String) async throws -> StoredTracker {
        let now = clock.now
        if let known = try await known(contact, now: now) { return known }
        let throttle = Throttle(
            scope: "first-contact", limit: Limits.firstContactsPerAddress, windowSeconds: Limits.throttleSeconds
        )
        try await database.write { tx in try throttle.reserve(ClientNetwork.key(clientAddress), now: now, in: tx) }
        let tracker = try newTracker(of: contact, now: now)
        let isNew = try await database.write { tx in try TrackerStore.insert(tracker, now: now, in: tx) }
        if isNew {
            logger.info("a new tracker made contact", metadata: ["tracker": "\(tracker.id)"])
            return tracker
        }
        // A concurrent request with the same key came first, or another tracker has the code.
        if let known = try await known(contact, now: now) { return known }
        throw AppError(.conflict, .contactTaken, field: "codeHash")
    }

    private static func read(_ body: [UInt8]) throws -> FirstContact {
        do throws(FirstContactFailure) {
            return try FirstContact.read(body)
        } catch {
            switch error {
            case .malformed: throw AppError(.malformed, .contactUnreadable)
            case .invalid(let field):
                let message: TrackingErrorMessage = field == "codeHash" ? .codeHashUnusable : .keyUnusable
                throw AppError(.invalid, message, field: field)
            }
        }
    }

    private func known(_ contact: FirstContact, now: Instant) async throws -> StoredTracker? {
        let found = try await database.read { tx in try TrackerStore.find(publicKey: contact.publicKey, in: tx) }
        guard let found else { return nil }
        guard found.codeHash == contact.codeHash else { throw AppError(.conflict, .contactTaken, field: "publicKey") }
        try await database.write { tx in try TrackerStore.touch(found.id, now: now, in: tx) }
        return found
    }

    private func newTracker(of contact: FirstContact, now: Instant) throws -> StoredTracker {
        let server: KeyPair
        let keys: TrackerKeys
        do throws(KeyFailure) {
            server = try KeyPair(random: random)
            keys = try TrackerKeys(server: server, trackerPublicKey: contact.publicKey)
        } catch {
            throw AppError(.invalid, .keyUnusable, field: "publicKey")
        }
        return StoredTracker(
            id: TrackerID(at: now, random: random), publicKey: contact.publicKey, codeHash: contact.codeHash,
            serverPublicKey: server.publicKey, keys: try secrets.seal(keys.stored), mark: nil, state: .free,
            itemID: nil, mode: .cellular, wanted: .off, pendingSince: nil, pendingUntil: nil, isLate: false,
            offSince: nil
        )
    }
}

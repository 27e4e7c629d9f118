import Accounts
import Kernel
import Storage
import TrackerProtocol

/// `/found`: what the finder of a tracker may know.
package struct FinderService: Sendable {
    let database: Database
    let secrets: SecretBox
    let keys: FinderKeys
    let clock: any WallClock

    /// Returns what the finder of a tracker may know, for a token read from the tracker
    /// (draft-ietf-dult-accessory-protocol-00, 3.15.4).
    ///
    /// A token is valid for an hour, so that a finder can't watch the tracker with a token that was read once (8.1).
    /// - Parameters:
    ///   - text: The token from the URL.
    ///   - clientAddress: The client's address, to which the rate limit applies.
    /// - Throws: `AppError`: `notFound` for every kind of invalid token; `throttled`.
    package func foundTracker(_ text: String, clientAddress: String) async throws -> FoundTracker {
        let now = clock.now
        let throttle = Throttle(
            scope: "finder", limit: Limits.finderLookupsPerAddress, windowSeconds: Limits.throttleSeconds
        )
        try await database.write { tx in try throttle.fail(ClientNetwork.key(clientAddress), now: now, in: tx) }
        guard let bytes = FinderToken.bytes(text), let token = try? FinderToken(bytes, for: keys.pair()),
            token.at <= now.adding(seconds: Limits.finderTokenSkewSeconds),
            now < token.at.adding(seconds: Limits.finderTokenSeconds)
        else { throw AppError.notFound }
        return try await database.read { [secrets] tx in
            guard let tracker = try TrackerStore.find(token.tracker, in: tx),
                let keys = TrackerKeys(stored: try secrets.open(tracker.keys)), token.isGenuine(for: keys),
                tracker.state != .free
            else { throw AppError.notFound }
            return FoundTracker(id: tracker.id, contact: try FormerOwnerStore.contact(of: tracker, in: tx))
        }
    }
}

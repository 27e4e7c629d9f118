import Accounts
import Kernel
import Storage
import TrackerProtocol

extension TrackingService {
    /// The server's key pair for finders, the same for all trackers. It is derived from the server's secret, so that it
    /// needs no storage and every node has it.
    func finderKeys() throws -> KeyPair { try KeyPair(privateKey: secrets.mark([], purpose: "finder tokens")) }

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
        guard let bytes = FinderToken.bytes(text), let token = try? FinderToken(bytes, for: finderKeys()),
            token.at <= now.adding(seconds: Limits.finderTokenSkewSeconds),
            now < token.at.adding(seconds: Limits.finderTokenSeconds)
        else { throw AppError.notFound }
        return try await database.read { [self] tx in
            guard let tracker = try TrackerStore.find(token.tracker, in: tx),
                let keys = TrackerKeys(stored: try secrets.open(tracker.keys)), token.isGenuine(for: keys),
                tracker.state != .free
            else { throw AppError.notFound }
            return FoundTracker(id: tracker.id, contact: try FormerOwnerStore.contact(of: tracker, in: tx))
        }
    }
}

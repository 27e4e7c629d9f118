import Accounts
import Kernel
import Storage
import TrackerProtocol

extension TrackingService {
    /// The server's key pair for finders: its public key goes to all trackers alike. Made of the server's secret, so that
    /// there is nothing to store and every node has the same.
    func finderKeys() throws -> KeyPair { try KeyPair(privateKey: secrets.mark([], purpose: "finder tokens")) }

    /// What whoever found a tracker is told, who has read a token from it (draft-ietf-dult-accessory-protocol-00, 3.15.4).
    ///
    /// A token is good for an hour, so that one that was read once can't be used to watch the tracker (8.1).
    /// - Parameters:
    ///   - text: the token as it stands in the address.
    ///   - clientAddress: where the request came from; each counts for it.
    /// - Throws: `AppError`: `notFound` whatever is wrong with the token; `throttled`.
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
            return FoundTracker(id: tracker.id, contact: try OwnerStore.contact(of: tracker, in: tx))
        }
    }
}

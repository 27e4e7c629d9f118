package import Accounts
package import Kernel
import Logging
import Storage

/// Finds the shared tablet of a token.
package struct TabletAuthenticator: Sendable {
    let database: Database
    let clock: any WallClock
    let logger: Logger

    /// Returns the tablet; `nil` for a token that is invalid or of a removed tablet, and for one that wasn't used for
    /// ``Limits/sessionIdleSeconds``.
    package func authenticate(token: String) async throws -> SharedDevice? {
        guard let hash = SharedDeviceToken.hash(shown: token) else { return nil }
        let now = clock.now
        guard let found = try await database.read({ tx in try TabletStore.find(tokenHash: hash, in: tx) }) else {
            return nil
        }
        let idleSeconds = now.seconds(since: found.lastUsedAt)
        guard idleSeconds < Double(Limits.sessionIdleSeconds) else { return nil }
        if idleSeconds >= Double(Limits.sessionTouchSeconds) { await touch(found.id, now: now) }
        return found.device
    }

    /// Returns whether a tablet is still paired.
    package func isPaired(_ person: PersonID) async throws -> Bool {
        try await database.read { tx in try TabletStore.find(person.cast(to: Tablet.self), in: tx) != nil }
    }

    /// A full disk must not prevent reading, so a failure loses only the exact time of last use.
    private func touch(_ id: ID<Tablet>, now: Instant) async {
        do {
            try await database.write { tx in try TabletStore.touch(id, now: now, in: tx) }
        } catch {
            logger.warning("the time of a tablet's last use was not stored", metadata: ["error": "\(error)"])
        }
    }
}

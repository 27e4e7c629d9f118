package import Kernel
import Logging
import Storage

/// Finds the session of a token.
package struct SessionAuthenticator: Sendable {
    let database: Database
    let cache: SessionCache
    let clock: any WallClock
    let logger: Logger

    /// Returns the session and account of `token`. `nil` when it is invalid, was revoked or has not been used for
    /// ``Limits/sessionIdleSeconds``.
    package func authenticate(
        token: String, kind: Session.Kind
    ) async throws -> (session: Session, account: Account)? {
        guard let hash = Token.hash(shown: token) else { return nil }
        let now = clock.now
        let key = SessionCache.Key(tokenHash: hash, kind: kind)
        if let entry = cache.entry(key, now: now) { return (entry.session, entry.account) }
        let mark = cache.mark()
        let found = try await database.read { tx -> SessionCache.Entry? in
            guard let session = try SessionStore.session(tokenHash: hash, kind: kind, in: tx),
                let account = try AccountStore.account(session.person, in: tx), account.disabledAt == nil
            else { return nil }
            return SessionCache.Entry(session: session, account: account, readAt: now)
        }
        guard let found, now.seconds(since: found.session.lastUsedAt) < Double(Limits.sessionIdleSeconds) else {
            return nil
        }
        // A lock must take effect at once, whichever node set it. Sessions that can be locked are therefore never
        // cached.
        if !found.session.hasPasscode { cache.store(found, for: key, since: mark) }
        if now.seconds(since: found.session.lastUsedAt) >= Double(Limits.sessionTouchSeconds) {
            await touch(found.session, now: now)
        }
        return (found.session, found.account)
    }

    /// Returns whether a session exists and isn't locked. Reads the database, not the session cache.
    package func isOpen(_ id: ID<Session>, person: PersonID) async throws -> Bool {
        try await database.read { tx in try SessionStore.isOpen(id, of: person, in: tx) }
    }

    /// Drops the cached sessions of a person, so that the next request reads the database. Entries live for up to
    /// ``Limits/sessionCacheMilliseconds`` otherwise.
    package func dropCachedSessions(_ person: PersonID) { cache.drop(person) }

    /// A full disk must not prevent reading, so a failure loses only the exact time of last use.
    private func touch(_ session: Session, now: Instant) async {
        do {
            try await database.write { tx in try SessionStore.touch(session.id, now: now, in: tx) }
            cache.drop(session.person)
        } catch {
            logger.warning("the time of a session's last use was not stored", metadata: ["error": "\(error)"])
        }
    }
}

package import Kernel
import Logging
import Storage

/// Finds the session of a token: of a device that is signed in, or of an access token.
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
            guard let session = try Self.session(token: token, hash: hash, kind: kind, now: now, in: tx),
                let account = try AccountStore.account(session.person, in: tx), account.disabledAt == nil
            else { return nil }
            return SessionCache.Entry(session: session, account: account, readAt: now)
        }
        guard let found, !found.session.isIdle(at: now) else { return nil }
        // A lock must take effect at once, whichever node set it. Sessions that can be locked are therefore never
        // cached.
        if !found.session.hasPasscode { cache.store(found, for: key, since: mark) }
        if now.seconds(since: found.session.lastUsedAt) >= Double(found.session.touchSeconds) {
            await touch(found.session, now: now)
        }
        return (found.session, found.account)
    }

    private static func session(
        token: String, hash: [UInt8], kind: Session.Kind, now: Instant, in tx: Transaction
    ) throws -> Session? {
        if kind == .bearer, token.hasPrefix(AccessToken.prefix),
            let found = try AccessTokenStore.token(hash: hash, now: now, in: tx)
        {
            return found.token.session(of: found.person)
        }
        return try SessionStore.session(tokenHash: hash, kind: kind, in: tx)
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
            try await database.write { tx in
                guard session.scopes == nil else {
                    return try AccessTokenStore.touch(session.id.cast(to: AccessToken.self), now: now, in: tx)
                }
                try SessionStore.touch(session.id, now: now, in: tx)
            }
            cache.drop(session.person)
        } catch {
            logger.warning("the time of a session's last use was not stored", metadata: ["error": "\(error)"])
        }
    }
}

extension Session {
    /// Whether a device has not been used for so long that it is signed out. An access token has its date of expiry.
    fileprivate func isIdle(at now: Instant) -> Bool {
        scopes == nil && now.seconds(since: lastUsedAt) >= Double(Limits.sessionIdleSeconds)
    }

    /// Seconds after which the time of the last use is stored again.
    fileprivate var touchSeconds: Int64 {
        scopes == nil ? Limits.sessionTouchSeconds : Limits.accessTokenTouchSeconds
    }
}

package import Kernel
package import Storage

/// Creates sessions. A person with too many sessions loses the oldest ones.
package struct SessionCreator: Sendable {
    let events: AccountEvents
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the secret of a new session: 32 random bytes, base64url.
    package func newToken() -> String { Token.make(random: random) }

    /// Signs in a person who proved their identity by something other than a password.
    /// - Parameters:
    ///   - token: a token from ``newToken()``, created outside of the transaction.
    ///   - sessionID: the id of the new session, created outside of the transaction.
    ///   - means: the way in which the person proved their identity.
    /// - Throws: ``AppError/notFound`` when the account is gone.
    package func openSession(
        of account: PersonID, device: DeviceInfo, token: String, sessionID: ID<Session>, by means: SignInMethod = .code,
        now: Instant, in tx: Transaction
    ) throws -> SignedIn {
        let found = try AccountStore.requireLockedAccount(account, in: tx)
        let session = Session(
            id: sessionID, person: account, name: device.name, kind: device.kind, createdAt: now, lastUsedAt: now
        )
        try insert(session, token: token, by: means, in: tx)
        return SignedIn(account: found, session: session, token: token)
    }

    /// Returns a session that ``insert(_:token:by:in:)`` can store.
    func newSession(of person: PersonID, device: DeviceInfo) -> (Session, token: String) {
        let now = clock.now
        let session = Session(
            id: ID(at: now, random: random), person: person, name: device.name, kind: device.kind, createdAt: now,
            lastUsedAt: now
        )
        return (session, newToken())
    }

    /// Stores a session. Every sign-in ends here.
    /// - Throws: ``AppError`` `forbidden` for a disabled account; ``AppError/notFound`` when the account is gone.
    func insert(_ session: Session, token: String, by means: SignInMethod = .password, in tx: Transaction) throws {
        guard try AccountStore.requireLockedAccount(session.person, in: tx).disabledAt == nil else {
            throw AppError.accountDisabled
        }
        try SessionStore.insert(session, tokenHash: Token.hash(token), by: means, in: tx)
        let dropped = try SessionStore.deleteBeyond(Limits.sessionsPerAccount, of: session.person, in: tx)
        try events.publish(sessions: dropped + [session.id], of: session.person, now: session.createdAt, in: tx)
    }
}

extension AppError {
    /// An administrator disabled the account.
    static var accountDisabled: AppError { AppError(.forbidden, .accountDisabled) }
}

package import Accounts
package import Family
package import Kernel
package import WebCore

/// Finds, locks and forgets the sessions of requests.
package struct AccountSessionAuthority: SessionAuthority {
    private let authenticator: SessionAuthenticator
    private let locks: SessionLockService
    private let tablets: TabletAuthenticator?

    /// - Parameter tablets: finds shared tablets; `nil` for a server without Family.
    package init(_ accounts: AccountServices, tablets: TabletAuthenticator? = nil) {
        authenticator = accounts.authenticator
        locks = accounts.sessionLocks
        self.tablets = tablets
    }

    /// The session and account that the token belongs to, or the shared tablet.
    package func identity(token: String, kind: Session.Kind) async throws -> Identity? {
        if kind == .cookie, let tablet = try await tablets?.authenticate(token: token) {
            return Identity(session: tablet.session, account: tablet.account)
        }
        return try await authenticator.authenticate(token: token, kind: kind).map {
            Identity(session: $0.session, account: $0.account)
        }
    }

    /// Whether the session still exists and isn't locked, or the tablet is still paired.
    package func isValid(_ session: ID<Session>, of person: PersonID) async throws -> Bool {
        if try await authenticator.isOpen(session, person: person) { return true }
        guard session == person.cast(to: Session.self) else { return false }
        return try await tablets?.isPaired(person) ?? false
    }

    /// Locks a session that was inactive for too long, or whose browser was restarted.
    package func touch(_ identity: Identity, isLaunch: Bool, isActivity: Bool) async throws -> Identity {
        guard identity.session.locksAutomatically else { return identity }
        let session = try await locks.touch(identity.session, isLaunch: isLaunch, isActivity: isActivity)
        return Identity(session: session, account: identity.account)
    }

    /// Drops the person's cached data, because another process changed it.
    package func forget(_ person: PersonID) { authenticator.dropCachedSessions(person) }
}

package import Accounts
package import Kernel
package import WebCore

/// Finds, locks and forgets the sessions of requests.
package struct AccountSessionAuthority: SessionAuthority {
    private let authenticator: SessionAuthenticator
    private let locks: SessionLockService

    package init(_ accounts: AccountServices) {
        authenticator = accounts.authenticator
        locks = accounts.sessionLocks
    }

    /// The session and account that the token belongs to.
    package func identity(token: String, kind: Session.Kind) async throws -> Identity? {
        try await authenticator.authenticate(token: token, kind: kind).map {
            Identity(session: $0.session, account: $0.account)
        }
    }

    /// Whether the session still exists and isn't locked.
    package func isValid(_ session: ID<Session>, of person: PersonID) async throws -> Bool {
        try await authenticator.isOpen(session, person: person)
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

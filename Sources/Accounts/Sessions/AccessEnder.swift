import Kernel
import Storage

/// Ends the access to an account of everyone but its owner: after a new password or an undone change of the email, and
/// when an administrator signs the person out or disables the account. A session that another person used may have
/// prepared more than itself.
struct AccessEnder: Sendable {
    let sessions: SessionService
    let dataHandlers: [any AccountDataHandler]

    /// Signs the person out everywhere, and revokes access tokens, unfinished requests, and what the apps' sessions may
    /// have prepared (``AccountDataHandler/revokeGrants(of:endsChildSessions:now:in:)``).
    /// - Parameters:
    ///   - person: the person; the transaction holds the lock on the account's row.
    ///   - session: the session that stays; `nil` for none.
    ///   - endsChildSessions: whether the devices of the person's children are signed out too.
    /// - Returns: whether a change of the email was pending, which ends as well.
    @discardableResult
    func end(
        accessTo person: PersonID, keeping session: ID<Session>? = nil, endsChildSessions: Bool = false, now: Instant,
        in tx: Transaction
    ) throws -> Bool {
        for dataHandler in dataHandlers {
            try dataHandler.revokeGrants(of: person, endsChildSessions: endsChildSessions, now: now, in: tx)
        }
        try CodeStore.removeResets(of: person, in: tx)
        try ProofStore.deleteAll(of: person, in: tx)
        // Otherwise the session that stays could still finish a request that another person began.
        try AttemptStore.deleteAll(of: person, in: tx)
        try PasskeyChallengeStore.deleteAll(of: person, in: tx)
        try AdministratorGrants.revoke(of: person, in: tx)
        try sessions.endAll(of: person, except: session, now: now, in: tx)
        return try EmailChangeStore.delete(of: person, in: tx)
    }
}

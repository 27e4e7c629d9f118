import Kernel
import Storage

/// Replaces the password of an account. A person who knew the old password loses access: their sessions and unfinished
/// requests end.
struct PasswordReplacement: Sendable {
    let sessions: SessionService
    let events: AccountEvents
    let securityMails: SecurityMails
    let dataHandlers: [any AccountDataHandler]

    /// Stores the hash of a new password.
    /// - Parameters:
    ///   - removing: other ways to sign in that are removed too.
    ///   - session: the session that stays.
    func replace(
        of account: Account, with hash: String, removing: OtherSignInMethods, keeping session: ID<Session>?,
        now: Instant, in tx: Transaction
    ) throws {
        try AccountStore.setPassword(hash, of: account.id, in: tx)
        for dataHandler in dataHandlers {
            try dataHandler.passwordChanged(
                of: account.id, endsChildSessions: removing.contains(.childDevices), now: now, in: tx)
        }
        try CodeStore.removeResets(of: account.id, in: tx)
        try ProofStore.deleteAll(of: account.id, in: tx)
        // Otherwise the session that stays could still finish a request that began with the old password.
        try AttemptStore.deleteAll(of: account.id, in: tx)
        try PasskeyChallengeStore.deleteAll(of: account.id, in: tx)
        if removing.contains(.identities) { try IdentityStore.deleteAll(of: account.id, in: tx) }
        if removing.contains(.passkeys) { try PasskeyStore.deleteAll(of: account.id, in: tx) }
        var account = account
        if try EmailChangeStore.delete(of: account.id, in: tx) {
            account.pendingEmail = nil
            account.version += 1
            try AccountStore.update(account, emailKey: account.email.flatMap { EmailAddress($0)?.key }, in: tx)
        }
        try events.publish(account, now: now, in: tx)
        try securityMails.enqueue(.passwordChanged, to: account, now: now, in: tx)
        try sessions.endAll(of: account.id, except: session, now: now, in: tx)
    }
}

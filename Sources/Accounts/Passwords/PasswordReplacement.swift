import Kernel
import Storage

/// Replaces the password of an account. A person who knew the old password loses access: their sessions and what they
/// prepared end.
struct PasswordReplacement: Sendable {
    let access: AccessEnder
    let events: AccountEvents
    let securityMails: SecurityMails

    /// Stores the hash of a new password.
    /// - Parameters:
    ///   - removing: other ways to sign in that are removed too.
    ///   - session: the session that stays.
    func replace(
        of account: Account, with hash: String, removing: OtherSignInMethods, keeping session: ID<Session>?,
        now: Instant, in tx: Transaction
    ) throws {
        try AccountStore.setPassword(hash, of: account.id, in: tx)
        let hasPendingEmail = try access.end(
            accessTo: account.id, keeping: session, endsChildSessions: removing.contains(.childDevices), now: now,
            in: tx)
        if removing.contains(.identities) { try IdentityStore.deleteAll(of: account.id, in: tx) }
        if removing.contains(.passkeys) { try PasskeyStore.deleteAll(of: account.id, in: tx) }
        var account = account
        if hasPendingEmail {
            account.pendingEmail = nil
            account.version += 1
            try AccountStore.update(account, emailKey: account.email.flatMap { EmailAddress($0)?.key }, in: tx)
        }
        try events.publish(account, now: now, in: tx)
        try securityMails.enqueue(.passwordChanged, to: account, now: now, in: tx)
    }
}

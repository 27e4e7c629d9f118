import Kernel
import Storage

/// Publishes changes of accounts and sessions to live pages and other nodes, and drops the person's cached sessions
/// after the commit.
struct AccountEvents: Sendable {
    /// The kind of events about sessions.
    static let sessionKind = "session"

    let cache: SessionCache

    static func resource(of session: ID<Session>) -> String { "/account/sessions/\(session)" }

    /// Publishes a change of the account.
    func publish(_ account: Account, now: Instant, in tx: Transaction) throws {
        try publish("/account", of: account, now: now, in: tx)
        dropCachedSessionsAfterCommit(account.id, in: tx)
    }

    /// Publishes a change of the account's linked identities. Sessions don't contain them and stay cached.
    func publishIdentities(of account: Account, now: Instant, in tx: Transaction) throws {
        try publish("/account/identities", of: account, now: now, in: tx)
    }

    /// Publishes a change of the account's passkeys, or of the setting for unlocking by them.
    func publishPasskeys(of account: Account, now: Instant, in tx: Transaction) throws {
        try publish("/account/passkeys", of: account, now: now, in: tx)
    }

    /// Publishes a change of the account's access tokens, and drops the cached ones.
    func publishAccessTokens(of account: Account, now: Instant, in tx: Transaction) throws {
        try publish("/account/access-tokens", of: account, now: now, in: tx)
        dropCachedSessionsAfterCommit(account.id, in: tx)
    }

    /// Publishes the start, the end, or a change of sessions of one person.
    func publish(sessions: [ID<Session>], of person: PersonID, now: Instant, in tx: Transaction) throws {
        for id in sessions {
            let event = ChangeEvent(
                audience: person, kind: Self.sessionKind, resource: Self.resource(of: id), version: 1, at: now
            )
            try tx.publish(event)
        }
        dropCachedSessionsAfterCommit(person, in: tx)
    }

    private func publish(_ resource: String, of account: Account, now: Instant, in tx: Transaction) throws {
        try tx.publish(
            ChangeEvent(audience: account.id, kind: "account", resource: resource, version: account.version, at: now))
    }

    private func dropCachedSessionsAfterCommit(_ person: PersonID, in tx: Transaction) {
        tx.afterCommit { [cache] in cache.drop(person) }
    }
}

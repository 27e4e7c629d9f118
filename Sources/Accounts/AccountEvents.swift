import Kernel
import Storage

/// Publishes changes of accounts and sessions to live pages and other nodes, and drops the person's cached sessions
/// after the commit.
struct AccountEvents: Sendable {
    let cache: SessionCache

    /// Publishes a change of the account.
    func publish(_ account: Account, now: Instant, in tx: Transaction) throws {
        let event = ChangeEvent(
            audience: account.id, kind: "account", resource: "/account", version: account.version, at: now
        )
        try tx.publish(event)
        dropCachedSessionsAfterCommit(account.id, in: tx)
    }

    /// Publishes the start, the end, or a change of sessions of one person.
    func publish(sessions: [ID<Session>], of person: PersonID, now: Instant, in tx: Transaction) throws {
        for id in sessions {
            let event = ChangeEvent(
                audience: person, kind: "session", resource: "/account/sessions/\(id)", version: 1, at: now
            )
            try tx.publish(event)
        }
        dropCachedSessionsAfterCommit(person, in: tx)
    }

    private func dropCachedSessionsAfterCommit(_ person: PersonID, in tx: Transaction) {
        tx.afterCommit { [cache] in cache.drop(person) }
    }
}

import Kernel
import Storage

/// The identities at providers that are linked to an account.
package struct IdentityService: Sendable {
    let database: Database
    let providers: ProviderCatalog
    let events: AccountEvents
    let securityMails: SecurityMails
    let clock: any WallClock

    /// Unlinks a provider.
    /// - Throws: ``AppError``: `notFound` when it isn't linked; `conflict` when it is the last way to sign in;
    ///   `forbidden` for a child.
    package func unlink(_ provider: ProviderName, by change: Change) async throws {
        try change.actor.requireAdult()
        let person = change.actor.person
        let now = clock.now
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: provider.rawValue) {
                let account = try AccountStore.requireLockedAccount(person, in: tx)
                guard try IdentityStore.delete(provider, of: person, in: tx) else { throw AppError.notFound }
                try SignInMethodRule.requireOne(of: account, usableProviders: providers.names, in: tx)
                try events.publishIdentities(of: account, now: now, in: tx)
            }
        }
    }

    /// Links an identity to the account of the person who began the attempt.
    func link(
        _ identity: ProvenIdentity, to person: PersonID, session: ID<Session>
    ) async throws -> ProviderOutcome.Result {
        let now = clock.now
        return try await database.write { tx in
            guard let account = try AccountStore.lockedAccount(person, in: tx), account.role == .adult,
                try SessionStore.isOpen(session, of: person, in: tx)
            else { return .refused(.expired) }
            if let owner = try IdentityStore.person(identity, in: tx) {
                return owner == person ? .linked : .refused(.taken)
            }
            guard try insert(identity, to: account, now: now, in: tx) else { return .refused(.taken) }
            return .linked
        }
    }

    /// Stores a link, publishes it, and mails the account's owner about it, because another person may be using this
    /// device.
    /// - Returns: false when the identity is linked already, or the account has another one of that provider.
    func insert(_ identity: ProvenIdentity, to account: Account, now: Instant, in tx: Transaction) throws -> Bool {
        guard try IdentityStore.insert(identity, of: account.id, now: now, in: tx) else { return false }
        try events.publishIdentities(of: account, now: now, in: tx)
        if let provider = try? providers.summary(of: identity.provider) {
            try securityMails.enqueue(.linked(provider: provider.label), to: account, now: now, in: tx)
        }
        return true
    }
}

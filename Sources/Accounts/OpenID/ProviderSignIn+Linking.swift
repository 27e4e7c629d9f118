package import Kernel
import Storage

/// The ways to sign in to one account.
package struct SignInMethods: Sendable {
    package let hasPassword: Bool
    /// The linked identities, oldest link first.
    package let identities: [LinkedIdentity]
    package let hasPasskeys: Bool
    /// Whether this session has a proof for the act that was asked about.
    package let isConfirmed: Bool
}

/// Linking of identities to an account.
extension ProviderSignIn {
    /// Returns the ways to sign in to the actor's account.
    /// - Parameter act: the act for which a proof may be stored; `nil` where no proof is needed.
    package func ways(of actor: Actor, for act: SensitiveAct? = nil) async throws -> SignInMethods {
        let now = accounts.clock.now
        return try await accounts.database.read { tx in
            guard let credential = try AccountStore.credential(of: actor.person, in: tx) else {
                throw AppError.notFound
            }
            return SignInMethods(
                hasPassword: credential.password != nil,
                identities: try IdentityStore.identities(of: actor.person, in: tx),
                hasPasskeys: try PasskeyStore.count(of: actor.person, in: tx) > 0,
                isConfirmed: try act.map { try ProofStore.contains($0, of: actor.session, now: now, in: tx) } ?? false
            )
        }
    }

    /// Returns the offered identity of a code. `nil` when the offer is gone or expired.
    package func offered(_ code: String) async throws -> (face: ProviderSummary, email: String?)? {
        guard let hash = Token.hash(shown: code) else { return nil }
        let now = accounts.clock.now
        let found = try await accounts.database.read { tx in try IdentityStore.offered(hash, now: now, in: tx) }
        guard let found, isSetUp(found.provider) else { return nil }
        return (try face(found.provider), found.email)
    }

    /// Links the offered identity of a code, after the account's owner signed in another way.
    /// - Returns: the provider; `nil` when the code is invalid or belongs to another account.
    package func accept(_ code: String, by person: PersonID) async throws -> ProviderName? {
        guard let hash = Token.hash(shown: code) else { return nil }
        let now = accounts.clock.now
        return try await accounts.database.write { [self] tx in try accept(hash, by: person, now: now, in: tx) }
    }

    /// Unlinks a provider.
    /// - Throws: ``AppError``: `notFound` when it isn't linked; `conflict` when it is the last way to sign in;
    ///   `forbidden` for a child.
    package func unlink(_ provider: ProviderName, by change: Change) async throws {
        guard change.actor.role == .adult else { throw AppError(.forbidden, .parentsOnly) }
        let person = change.actor.person
        let now = accounts.clock.now
        try await accounts.database.write { [self] tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: provider.rawValue) {
                let account = try AccountStore.requireLockedAccount(person, in: tx)
                guard try IdentityStore.delete(provider, of: person, in: tx) else { throw AppError.notFound }
                try SignInMethodRule.requireOne(of: account, usableProviders: Set(faces.map(\.name)), in: tx)
                try tell(account, now: now, in: tx)
            }
        }
    }

    func link(
        _ identity: ProvenIdentity, to person: PersonID, session: ID<Session>
    ) async throws -> ProviderOutcome.Result {
        let now = accounts.clock.now
        return try await accounts.database.write { [self] tx in
            guard let account = try AccountStore.lockedAccount(person, in: tx), account.role == .adult,
                try SessionStore.isOpen(session, of: person, in: tx)
            else { return .refused(.expired) }
            if let owner = try IdentityStore.person(identity, in: tx) {
                return owner == person ? .linked : .refused(.taken)
            }
            guard try IdentityStore.insert(identity, of: person, now: now, in: tx) else { return .refused(.taken) }
            try tell(account, now: now, in: tx)
            try postLinkNotice(identity.provider, to: account, now: now, in: tx)
            return .linked
        }
    }

    func confirm(
        _ identity: ProvenIdentity, for act: SensitiveAct, of person: PersonID, session: ID<Session>
    ) async throws -> ProviderOutcome.Result {
        let now = accounts.clock.now
        return try await accounts.database.write { tx in
            guard try SessionStore.isOpen(session, of: person, in: tx) else { return .refused(.expired) }
            guard try IdentityStore.person(identity, in: tx) == person else { return .refused(.stranger) }
            try ProofStore.insert(act, of: session, now: now, in: tx)
            return .confirmed
        }
    }

    func accept(_ hash: [UInt8], by person: PersonID, now: Instant, in tx: Transaction) throws -> ProviderName? {
        guard let account = try AccountStore.lockedAccount(person, in: tx), account.role == .adult,
            let identity = try IdentityStore.takeOffer(hash, of: person, now: now, in: tx),
            try IdentityStore.insert(identity, of: person, now: now, in: tx)
        else { return nil }
        try tell(account, now: now, in: tx)
        try postLinkNotice(identity.provider, to: account, now: now, in: tx)
        return identity.provider
    }

    /// Mails the account's owner about the link, because another person may be using this device.
    private func postLinkNotice(
        _ provider: ProviderName, to account: Account, now: Instant, in tx: Transaction
    ) throws {
        guard let label = try? face(provider).label else { return }
        try accounts.securityMails.post(.linked(provider: label), to: account, now: now, in: tx)
    }

    private func tell(_ account: Account, now: Instant, in tx: Transaction) throws {
        try tx.publish(
            ChangeEvent(
                audience: account.id, kind: "account", resource: "/account/identities", version: account.version,
                at: now
            )
        )
    }
}

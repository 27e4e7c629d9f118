import Crypto
import Foundation
import Kernel
import Logging
import Storage

/// Sign-in through a provider (OpenID Connect, authorization code flow with PKCE).
///
/// An identity consists of a provider's issuer and its subject for the person, never of an email: the same email
/// doesn't prove that it is the same person.
package final class ProviderSignIn: Sendable {
    /// The use of a sign-in at a provider, with its parameters.
    package enum Purpose: Sendable {
        /// Signs in. The identity with the code `offer` is then linked to the account.
        case signIn(offer: String?)
        /// Links the service as another way to sign in. Requires the password or a stored proof.
        case link(Actor, password: String?)
        /// Proves the owner's presence for one act.
        case confirm(Actor, for: SensitiveAct)
    }

    /// The redirect to a provider.
    package struct Departure: Sendable {
        /// The authorization URL.
        package let url: String
        /// The secret that the browser stores in a cookie of its own until it comes back.
        package let browser: String
    }

    let accounts: AccountServices
    let transport: any ProviderTransport
    let directory: ProviderMetadataCache
    private let providers: [ProviderName: ProviderSettings]

    /// Creates the service.
    /// - Parameter providers: the providers that are set up. The last of a name takes effect.
    package init(
        accounts: AccountServices, providers: [ProviderSettings] = [],
        transport: any ProviderTransport = HTTPProviderTransport()
    ) {
        self.accounts = accounts
        self.transport = transport
        self.providers = Dictionary(providers.map { ($0.name, $0) }) { _, last in last }
        directory = ProviderMetadataCache(transport: transport, clock: accounts.clock)
    }

    /// The providers that are set up, in the order in which pages show them.
    package var faces: [ProviderSummary] { ProviderName.allCases.compactMap { providers[$0]?.face } }

    /// Returns the name of a provider for pages.
    /// - Throws: ``AppError/notFound`` when it isn't set up.
    package func face(_ name: ProviderName) throws -> ProviderSummary { try settings(name).face }

    func settings(_ name: ProviderName) throws -> ProviderSettings {
        guard let settings = providers[name] else { throw AppError.notFound }
        return settings
    }

    func isSetUp(_ name: ProviderName) -> Bool { providers[name] != nil }

    /// Returns whether the provider can prove the person's presence: it must authenticate them and state the time.
    package func canConfirm(_ name: ProviderName) -> Bool {
        providers[name].map { name.canReauthenticate(at: $0.issuer) } ?? false
    }

    /// The redirect URI of a provider. It must be registered there.
    func callback(_ name: ProviderName) -> String { "\(accounts.siteURL)/sign-in/\(name.rawValue)/callback" }

    /// Begins an attempt.
    /// - Parameters:
    ///   - browser: the secret that the browser has from an earlier attempt, so that two tabs don't interfere.
    ///   - destination: the path on this site to redirect to at the end.
    ///   - clientAddress: the client's address, by which unfinished attempts are counted.
    /// - Throws: ``AppError``: `notFound` when the provider isn't set up, `throttled` after too many unfinished
    ///   attempts, `forbidden` for a child, `invalid` at `password` for a link without a proof, `conflict` when the
    ///   provider can't give a proof; ``ProviderFailure`` when it can't be reached.
    package func begin(
        _ name: ProviderName, for purpose: Purpose, browser: String?, destination: String, clientAddress: String
    ) async throws -> Departure {
        let provider = try settings(name)
        let browser =
            browser.flatMap { AttemptSecrets.isWellFormed($0) ? $0 : nil } ?? Token.make(random: accounts.random)
        let secrets = AttemptSecrets(state: Token.make(random: accounts.random), browser: browser)
        let now = accounts.clock.now
        let attempt = try attempt(at: name, for: purpose, destination: try secrets.sealed(destination), now: now)
        if attempt.purpose == .confirm, !canConfirm(name) { throw AppError(.conflict, .providerConfirmsNothing) }
        if case .link(let actor, let password) = purpose {
            let evidence = try await accounts.proofs.evidence(password: password, of: actor)
            try await accounts.database.write { [accounts] tx in
                _ = try accounts.proofs.require(.linkIdentity, of: actor, with: evidence, now: now, in: tx)
            }
        }
        let network = Token.hash(ClientNetwork.key(clientAddress))
        try await accounts.database.write { tx in
            let open = try AttemptStore.count(networkHash: network, now: now, in: tx)
            guard open < Limits.providerAttemptsPerAddress else {
                let seconds = Int(Limits.providerAttemptSeconds)
                throw AppError(.throttled, AccountMessage.throttled.rawValue, retryAfterSeconds: seconds)
            }
            try AttemptStore.insert(
                attempt, stateHash: Token.hash(secrets.state), browserHash: Token.hash(browser), networkHash: network,
                expiresAt: now.adding(seconds: Limits.providerAttemptSeconds), in: tx
            )
        }
        // Only after the limit was checked: a client over the limit must not cause requests to the provider.
        let metadata = try await directory.metadata(of: provider)
        let url = try authorizationURL(provider, metadata, secrets, reauthenticates: attempt.requiresReauthentication)
        return Departure(url: url, browser: browser)
    }

    private func attempt(
        at name: ProviderName, for purpose: Purpose, destination: String, now: Instant
    ) throws -> StoredAttempt {
        let kind: AttemptPurpose
        var offer: [UInt8]?
        var actor: Actor?
        var act: SensitiveAct?
        switch purpose {
        case .signIn(let code):
            kind = .signIn
            // Without a fresh authentication, the sign-in proves nothing, so it links nothing.
            offer = canConfirm(name) ? code.flatMap(Token.hash(shown:)) : nil
        case .link(let asker, _):
            kind = .link
            actor = asker
        case .confirm(let asker, let proven):
            kind = .confirm
            actor = asker
            act = proven
        }
        if let actor, actor.role != .adult { throw AppError(.forbidden, .parentsOnly) }
        return StoredAttempt(
            provider: name, purpose: kind, act: act, actor: actor.map { ($0.person, $0.session) }, offerHash: offer,
            destination: destination, begunAt: now
        )
    }

    /// Returns the URL of the authorization request (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636, 4.3).
    private func authorizationURL(
        _ provider: ProviderSettings, _ metadata: ProviderMetadata, _ secrets: AttemptSecrets, reauthenticates: Bool
    ) throws -> String {
        var query: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", provider.clientID), ("redirect_uri", callback(provider.name)),
            ("scope", provider.name.scopes), ("state", secrets.state), ("nonce", secrets.nonce),
            ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
        ]
        if let mode = provider.name.responseMode { query.append(("response_mode", mode)) }
        if reauthenticates { query += provider.name.reauthenticationParameters }
        let joint = metadata.authorizationEndpoint.contains("?") ? "&" : "?"
        return metadata.authorizationEndpoint + joint + FormText.encoded(query)
    }
}

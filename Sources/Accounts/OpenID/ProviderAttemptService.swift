import Kernel
import Storage

/// Begins attempts at a provider (OpenID Connect, authorization code flow with PKCE).
package struct ProviderAttemptService: Sendable {
    let database: Database
    let providers: ProviderCatalog
    let metadata: ProviderMetadataCache
    let proofs: ProofService
    let clock: any WallClock
    let random: any RandomSource

    /// Begins an attempt.
    /// - Parameters:
    ///   - browser: the secret that the browser has from an earlier attempt, so that two tabs don't interfere.
    ///   - destination: the path on this site to redirect to at the end.
    ///   - clientAddress: the client's address, by which unfinished attempts are counted.
    /// - Throws: ``AppError``: `notFound` when the provider isn't set up, `throttled` after too many unfinished
    ///   attempts, `forbidden` for a child, `invalid` at `password` for a link without a proof, `conflict` when the
    ///   provider can't give a proof; ``ProviderFailure`` when it can't be reached.
    package func begin(
        _ attempt: ProviderAttempt, at name: ProviderName, browser: String?, destination: String, clientAddress: String
    ) async throws -> ProviderRedirect {
        let provider = try providers.settings(of: name)
        let browser = AttemptSecrets.browserSecret(reusing: browser, random: random)
        let secrets = AttemptSecrets(state: Token.make(random: random), browser: browser)
        let now = clock.now
        let stored = try stored(attempt, at: name, destination: try secrets.sealed(destination), now: now)
        if stored.purpose == .confirm, !providers.canConfirm(name) {
            throw AppError(.conflict, .providerConfirmsNothing)
        }
        if case .link(let actor, let password) = attempt {
            try await requireProof(of: actor, password: password, now: now)
        }
        let network = Token.hash(ClientNetwork.key(clientAddress))
        try await database.write { tx in
            let open = try AttemptStore.count(networkHash: network, now: now, in: tx)
            guard open < Limits.providerAttemptsPerAddress else {
                let seconds = Int(Limits.providerAttemptSeconds)
                throw AppError(.throttled, AccountMessage.throttled.text, retryAfterSeconds: seconds)
            }
            try AttemptStore.insert(
                stored, stateHash: Token.hash(secrets.state), browserHash: Token.hash(browser), networkHash: network,
                expiresAt: now.adding(seconds: Limits.providerAttemptSeconds), in: tx
            )
        }
        // Only after the limit was checked: a client over the limit must not cause requests to the provider.
        let request = AuthorizationRequest(
            provider: provider, endpoint: try await metadata.metadata(of: provider).authorizationEndpoint,
            redirectURI: providers.redirectURI(of: name), secrets: secrets,
            requiresReauthentication: stored.requiresReauthentication)
        return ProviderRedirect(url: request.url, browser: browser)
    }

    /// Returns the part of an attempt that is stored.
    /// - Throws: ``AppError`` `forbidden` for a child.
    private func stored(
        _ attempt: ProviderAttempt, at name: ProviderName, destination: String, now: Instant
    ) throws -> StoredAttempt {
        let purpose: AttemptPurpose
        var offer: [UInt8]?
        var actor: Actor?
        var act: SensitiveAct?
        switch attempt {
        case .signIn(let code):
            purpose = .signIn
            // Without a fresh authentication, the sign-in proves nothing, so it links nothing.
            offer = providers.canConfirm(name) ? code.flatMap(Token.hash(shown:)) : nil
        case .link(let owner, _):
            purpose = .link
            actor = owner
        case .confirm(let owner, let proven):
            purpose = .confirm
            actor = owner
            act = proven
        }
        try actor?.requireAdult()
        return StoredAttempt(
            provider: name, purpose: purpose, act: act, actor: actor.map { ($0.person, $0.session) }, offerHash: offer,
            destination: destination, begunAt: now
        )
    }

    /// Requires the password or a stored proof before a provider is linked.
    private func requireProof(of actor: Actor, password: String?, now: Instant) async throws {
        let evidence = try await proofs.evidence(password: password, of: actor)
        try await database.write { tx in
            _ = try proofs.require(.linkIdentity, of: actor, with: evidence, now: now, in: tx)
        }
    }
}

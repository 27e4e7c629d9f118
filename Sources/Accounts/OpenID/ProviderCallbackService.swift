import Kernel
import Logging
import Storage

/// Finishes attempts when the browser comes back from a provider.
package struct ProviderCallbackService: Sendable {
    let database: Database
    let providers: ProviderCatalog
    let verifier: ProviderIdentityVerifier
    let signIns: ProviderSignInService
    let identities: IdentityService
    let proofs: ProviderProofService
    let clock: any WallClock
    let logger: Logger

    /// Finishes an attempt. It can be finished only once.
    /// - Parameters:
    ///   - browser: the secret that ``ProviderAttemptService`` gave the browser.
    ///   - defaultName: the name of a new account where the provider sends none.
    /// - Throws: ``AppError/notFound`` when the provider isn't set up; `throttled`; errors of the database.
    package func finish(
        _ name: ProviderName, _ response: AuthorizationResponse, browser: String?, device: DeviceInfo,
        defaultName: String
    ) async throws -> ProviderOutcome {
        let provider = try providers.settings(of: name)
        guard let attempt = try await consumeAttempt(at: name, response, browser: browser),
            let state = response.state, let browser
        else {
            return ProviderOutcome(purpose: .signIn, destination: "", result: .refused(.expired))
        }
        let secrets = AttemptSecrets(state: state, browser: browser)
        let destination = secrets.opened(attempt.destination) ?? ""
        let newcomer = ProviderNewcomer(
            newcomer: Newcomer(network: device.network, invitation: InvitationPath(destination)?.code),
            defaultName: defaultName)
        let result = try await execute(attempt, at: provider, response, secrets, device: device, newcomer)
        return ProviderOutcome(purpose: attempt.purpose, destination: destination, result: result)
    }

    /// Uses up the attempt that the response belongs to.
    private func consumeAttempt(
        at name: ProviderName, _ response: AuthorizationResponse, browser: String?
    ) async throws -> StoredAttempt? {
        guard let stateHash = response.state.flatMap(Token.hash(shown:)), let browser,
            AttemptSecrets.isWellFormed(browser)
        else { return nil }
        let now = clock.now
        return try await database.write { tx in
            try AttemptStore.consume(
                stateHash: stateHash, browserHash: Token.hash(browser), provider: name, now: now, in: tx)
        }
    }

    /// Obtains the identity from the provider, and uses it for the attempt's purpose.
    private func execute(
        _ attempt: StoredAttempt, at provider: ProviderSettings, _ response: AuthorizationResponse,
        _ secrets: AttemptSecrets, device: DeviceInfo, _ newcomer: ProviderNewcomer
    ) async throws -> ProviderOutcome.Result {
        if let error = response.error, provider.name.isCancellation(error) { return .cancelled }
        guard response.error == nil, let code = response.code, !code.isEmpty else { return .refused(.failed) }
        do {
            let token = try await verifier.verify(
                code, from: provider, responseIssuer: response.issuer, secrets, attempt)
            var identity = token.identity
            if try await isNew(identity), attempt.purpose != .confirm {
                identity = try await verifier.completeIdentity(of: token, provider)
                identity.name = identity.name ?? AppleUser.name(response.user)
            }
            // The email from a provider is validated like typed input.
            identity.email = identity.email.flatMap { EmailAddress($0)?.text }
            return try await execute(attempt, with: identity, device: device, newcomer)
        } catch let failure as ProviderFailure {
            logger.warning(
                "A provider's word was not taken",
                metadata: ["provider": "\(provider.name.rawValue)", "failure": "\(failure)"]
            )
            switch failure {
            case .unreachable: return .refused(.unavailable)
            case .token(.stale): return .refused(.stale)
            default: return .refused(.failed)
            }
        }
    }

    private func execute(
        _ attempt: StoredAttempt, with identity: ProvenIdentity, device: DeviceInfo, _ newcomer: ProviderNewcomer
    ) async throws -> ProviderOutcome.Result {
        switch (attempt.purpose, attempt.actor) {
        case (.link, let actor?):
            return try await identities.link(identity, to: actor.person, session: actor.session)
        case (.confirm, let actor?):
            // An attempt without an act was begun by a previous version of the server.
            guard let act = attempt.act else { return .refused(.expired) }
            return try await proofs.prove(act, by: identity, of: actor.person, session: actor.session)
        default:
            return try await signIns.signIn(identity, offerHash: attempt.offerHash, device: device, newcomer)
        }
    }

    private func isNew(_ identity: ProvenIdentity) async throws -> Bool {
        try await database.read { tx in try IdentityStore.person(identity, in: tx) == nil }
    }
}

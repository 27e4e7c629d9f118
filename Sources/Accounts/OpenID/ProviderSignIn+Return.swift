import Foundation
import Kernel
import Logging
import Storage

/// The parameters of a provider's authorization response. They are not verified.
package struct AuthorizationResponse: Sendable {
    /// The `state` of the request.
    package let state: String?
    /// The authorization code.
    package let code: String?
    /// The error, in place of a code.
    package let error: String?
    /// The `iss` parameter (RFC 9207).
    package let issuer: String?
    /// The person's name as JSON. Only Apple sends it, and only the first time.
    package let user: String?

    package init(
        state: String?, code: String? = nil, error: String? = nil, issuer: String? = nil, user: String? = nil
    ) {
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
        self.user = user
    }
}

/// The reason why a sign-in, link or proof is refused.
package enum ProviderRejection: String, Sendable, CaseIterable {
    /// The attempt is used, expired, or belongs to another browser.
    case expired
    /// The provider's response can't be verified.
    case failed
    /// The provider can't be reached.
    case unavailable
    /// The identity is another account's, or the account has another one of this provider.
    case taken
    /// The identity isn't linked to the signed-in account.
    case stranger
    /// The provider doesn't state that it has just authenticated the person.
    case stale
    /// Registration is closed, and the person has no account.
    case closed
    /// Registration needs a household's invitation.
    case uninvited
}

/// The outcome of an attempt.
package struct ProviderOutcome: Sendable {
    /// The purpose that the attempt was begun with.
    package enum Purpose: Sendable {
        case signIn
        /// Adds a way to sign in.
        case link
        /// Proves the person's presence for one act.
        case confirm
    }

    /// The result, which decides the page that follows.
    package enum Result: Sendable {
        /// The person is signed in. `linked` is the provider of an offered identity that was linked.
        case signedIn(SignedIn, linked: ProviderName?)
        /// An account has the same email. The identity is offered to its owner. The code is for the browser.
        case offered(code: String)
        case linked
        /// The proof is stored.
        case confirmed
        /// The person cancelled. Nothing was stored.
        case cancelled
        /// Nothing was changed.
        case refused(ProviderRejection)
    }

    package let purpose: Purpose
    /// The path on this site to redirect to on success.
    package let destination: String
    package let result: Result
}

extension ProviderSignIn {
    /// Finishes an attempt. It can be finished only once.
    /// - Parameters:
    ///   - browser: the secret that ``begin(_:for:browser:destination:clientAddress:)`` gave the browser.
    ///   - newcomer: the name of a new account where the provider sends none.
    /// - Throws: ``AppError/notFound`` when the provider isn't set up; `throttled`; errors of the database.
    package func finish(
        _ name: ProviderName, _ answer: AuthorizationResponse, browser: String?, device: DeviceInfo, newcomer: String
    ) async throws -> ProviderOutcome {
        let provider = try settings(name)
        guard let attempt = try await take(name, answer, browser: browser), let state = answer.state, let browser
        else {
            return ProviderOutcome(purpose: .signIn, destination: "", result: .refused(.expired))
        }
        let secrets = AttemptSecrets(state: state, browser: browser)
        let destination = secrets.opened(attempt.destination) ?? ""
        func outcome(_ result: ProviderOutcome.Result) -> ProviderOutcome {
            ProviderOutcome(purpose: attempt.purpose.told, destination: destination, result: result)
        }
        if let error = answer.error, name.isCancellation(error) { return outcome(.cancelled) }
        guard answer.error == nil, let code = answer.code, !code.isEmpty else { return outcome(.refused(.failed)) }
        do {
            let proof = try await prove(provider, code: code, answerIssuer: answer.issuer, secrets, attempt)
            var identity = proof.identity
            if try await isNew(identity), attempt.purpose != .confirm {
                identity = try await completed(proof, provider)
                identity.name = identity.name ?? AppleUser.name(answer.user)
            }
            let newcomer = NewAccountRequest(
                newcomer: Newcomer(network: device.network, invitation: InvitationPath.code(in: destination)),
                name: newcomer)
            return outcome(try await settle(identity, attempt, device: device, newcomer))
        } catch let failure as ProviderFailure {
            accounts.logger.warning(
                "A provider's word was not taken",
                metadata: ["provider": "\(name.rawValue)", "failure": "\(failure)"]
            )
            switch failure {
            case .unreachable: return outcome(.refused(.unavailable))
            case .token(.stale): return outcome(.refused(.stale))
            default: return outcome(.refused(.failed))
            }
        }
    }

    private func take(_ name: ProviderName, _ answer: AuthorizationResponse, browser: String?) async throws
        -> StoredAttempt?
    {
        guard let stateHash = answer.state.flatMap(Token.hash(shown:)), let browser,
            AttemptSecrets.isWellFormed(browser)
        else { return nil }
        let now = accounts.clock.now
        return try await accounts.database.write { tx in
            try AttemptStore.take(
                stateHash: stateHash, browserHash: Token.hash(browser), provider: name, now: now, in: tx
            )
        }
    }

    private func isNew(_ identity: ProvenIdentity) async throws -> Bool {
        try await accounts.database.read { tx in try IdentityStore.person(identity, in: tx) == nil }
    }

    private func settle(
        _ identity: ProvenIdentity, _ attempt: StoredAttempt, device: DeviceInfo, _ newcomer: NewAccountRequest
    ) async throws -> ProviderOutcome.Result {
        var identity = identity
        // The email from a provider is validated like typed input.
        identity.email = identity.email.flatMap { EmailAddress($0)?.text }
        switch (attempt.purpose, attempt.actor) {
        case (.link, let actor?): return try await link(identity, to: actor.person, session: actor.session)
        case (.confirm, let actor?):
            // An attempt without an act was begun by a previous version of the server.
            guard let act = attempt.act else { return .refused(.expired) }
            return try await confirm(identity, for: act, of: actor.person, session: actor.session)
        default: return try await enter(identity, offerHash: attempt.offerHash, device: device, newcomer)
        }
    }
}

/// A person who registers through a provider, and the name of the account where the provider gives none.
private struct NewAccountRequest: Sendable {
    let newcomer: Newcomer
    let name: String
}

/// Thrown when a concurrent request was faster. The transaction is rolled back and tried again.
private struct ConcurrentRegistration: Error {}

/// Sign-in and registration.
extension ProviderSignIn {
    private struct Fresh: Sendable {
        let account: Account
        let email: EmailAddress?
        let token: String
        let session: ID<Session>
        let offer: String
        let newcomer: Newcomer
        let now: Instant
    }

    private func enter(
        _ identity: ProvenIdentity, offerHash: [UInt8]?, device: DeviceInfo, _ newcomer: NewAccountRequest
    ) async throws -> ProviderOutcome.Result {
        let fresh = fresh(identity, newcomer)
        for _ in 0..<Limits.transactionAttempts {
            do {
                return try await accounts.database.write { [self] tx in
                    try enter(identity, fresh, offerHash: offerHash, device: device, in: tx)
                }
            } catch let error as AppError where error.code == .forbidden {
                return .refused(accounts.registrationPermits.mode == .closed ? .closed : .uninvited)
            } catch is ConcurrentRegistration {
                // The next try finds the rows of the other request.
                continue
            }
        }
        throw AppError(.unavailable, .busy)
    }

    private func enter(
        _ identity: ProvenIdentity, _ fresh: Fresh, offerHash: [UInt8]?, device: DeviceInfo, in tx: Transaction
    ) throws -> ProviderOutcome.Result {
        let now = fresh.now
        if let person = try IdentityStore.person(identity, in: tx) {
            let signedIn = try open(person, fresh, device, in: tx)
            let linked = try offerHash.flatMap { try accept($0, by: person, now: now, in: tx) }
            return .signedIn(signedIn, linked: linked)
        }
        if let email = fresh.email, let account = try AccountStore.claimant(emailKey: email.key, now: now, in: tx) {
            // On PostgreSQL each read may see more than the one before. The account may belong to the same person, who
            // came twice and got it in between.
            guard try IdentityStore.person(identity, in: tx) == nil else { throw ConcurrentRegistration() }
            // A caller who can claim any email would learn from the response who has an account here.
            if !identity.isEmailVerified {
                let asker = TakenEmailRequester(network: fresh.newcomer.network)
                try accounts.takenEmails.count(email.key, by: asker, now: now, in: tx)
            }
            let expiry = now.adding(seconds: Limits.providerAttemptSeconds)
            try IdentityStore.offer(
                identity, to: account.id, codeHash: Token.hash(fresh.offer), expiresAt: expiry, in: tx)
            return .offered(code: fresh.offer)
        }
        let account = fresh.account
        let permit = try accounts.registrationPermits.permit(fresh.newcomer, now: now, in: tx)
        guard
            try AccountStore.insert(account, emailKey: fresh.email?.key, password: nil, permit: permit, in: tx),
            try IdentityStore.insert(identity, of: account.id, now: now, in: tx)
        else { throw ConcurrentRegistration() }
        let verifiedAt = identity.isEmailVerified && fresh.email != nil ? now : nil
        try AccountStore.recordProvider(of: account.id, emailVerifiedAt: verifiedAt, in: tx)
        return .signedIn(try open(account.id, fresh, device, in: tx), linked: nil)
    }

    private func open(
        _ person: PersonID, _ fresh: Fresh, _ device: DeviceInfo, in tx: Transaction
    ) throws -> SignedIn {
        try accounts.sessionCreator.openSession(
            of: person, device: device, token: fresh.token, sessionID: fresh.session, by: .provider, now: fresh.now,
            in: tx
        )
    }

    /// Creates the random values outside of the transaction, which may run twice.
    private func fresh(_ identity: ProvenIdentity, _ newcomer: NewAccountRequest) -> Fresh {
        let now = accounts.clock.now
        let random = accounts.random
        let email = identity.email.flatMap { EmailAddress($0) }
        let account = Account(
            id: PersonID(at: now, random: random), email: email?.text, name: Self.name(identity.name) ?? newcomer.name,
            phone: nil, dateOfBirth: nil, theme: Themes.standard, avatarPictureID: nil, mapsApp: nil, role: .adult,
            language: nil, isOperator: false, emailVerifiedAt: nil, version: 1, createdAt: now
        )
        return Fresh(
            account: account, email: email, token: Token.make(random: random), session: ID(at: now, random: random),
            offer: Token.make(random: random), newcomer: newcomer.newcomer, now: now
        )
    }

    /// Returns a provider's name, shortened to the limits of a display name.
    private static func name(_ told: String?) -> String? {
        guard let told else { return nil }
        let visible = told.unicodeScalars.filter { !$0.properties.generalCategory.isControl }
        var text = String(String(String.UnicodeScalarView(visible)).prefix(Limits.nameCharacters))
        while text.utf8.count > Limits.nameBytes { text.removeLast() }
        return try? DisplayName(text).text
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isControl: Bool { self == .control }
}

extension AttemptPurpose {
    fileprivate var told: ProviderOutcome.Purpose {
        switch self {
        case .signIn: .signIn
        case .link: .link
        case .confirm: .confirm
        }
    }
}

/// The name that Apple posts beside the code the first time, and never again:
/// `{"name":{"firstName":"…","lastName":"…"},"email":"…"}`. It comes through the browser and proves nothing. A name
/// needs no proof. The email does and is therefore read from the token.
/// See https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
private struct AppleUser: Decodable {
    struct Name: Decodable {
        let firstName: String?
        let lastName: String?
    }

    let name: Name?

    static func name(_ json: String?) -> String? {
        guard let json, json.utf8.count <= Limits.providerTokenBytes, JSONSyntax.isValid(Array(json.utf8)),
            let user = try? JSONDecoder().decode(AppleUser.self, from: Data(json.utf8))
        else { return nil }
        let parts = [user.name?.firstName, user.name?.lastName].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

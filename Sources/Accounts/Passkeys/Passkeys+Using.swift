import Kernel
import Storage

/// Unlocking and sign-in by passkey.
extension Passkeys {
    /// Begins to unlock the actor's session by a passkey, and returns the options for the browser.
    /// - Throws: ``AppError`` `conflict` where passkeys don't unlock; `forbidden` for a child.
    package func beginUnlocking(by actor: Actor, clientAddress: String) async throws -> PasskeyOptions {
        try requireAdult(actor)
        let challenge = makeChallenge()
        let network = networkHash(clientAddress)
        let now = accounts.clock.now
        return try await accounts.database.write { [self] tx in
            guard try PasskeyStore.touchID(of: actor.person, in: tx).isOn else {
                throw AppError(.conflict, .touchIDOff)
            }
            let allowed = try PasskeyStore.passkeys(of: actor.person, in: tx)
            try PasskeyChallengeStore.insert(
                challenge, for: .unlock, holder: .session(actor), networkHash: network, now: now, in: tx)
            return .request(PasskeyRequest(at: party, challenge: challenge, allowed: allowed))
        }
    }

    /// Unlocks the actor's session. A failure isn't counted as a wrong passcode. The wait after wrong passcodes doesn't
    /// block passkeys; a success ends it.
    /// - Throws: ``AppError``: `invalid` with `fields.credential` when the response is refused; `throttled` after too
    ///   many failures from one address; `conflict` where passkeys don't unlock; `forbidden` for a child.
    package func unlock(_ assertion: PasskeyAssertion, by actor: Actor, clientAddress: String) async throws {
        try requireAdult(actor)
        let challenge = try challenge(in: assertion.clientData)
        let network = ClientNetwork.key(clientAddress)
        let now = accounts.clock.now
        let outcome = try await accounts.database.write { [self] tx -> Result<Passkey, PasskeyError> in
            try throttle.check(network, now: now, in: tx)
            guard try PasskeyStore.touchID(of: actor.person, in: tx).isOn else {
                throw AppError(.conflict, .touchIDOff)
            }
            let isOurs = try PasskeyChallengeStore.take(
                challenge, for: .unlock, holder: .session(actor), now: now, in: tx)
            let outcome = isOurs ? try use(assertion, of: actor.person, now: now, in: tx) : .failure(.challenge)
            if case .success = outcome {
                try accounts.sessionLocks.unlockVerified(actor, now: now, in: tx)
            } else {
                try throttle.fail(network, now: now, in: tx)
            }
            return outcome
        }
        if case .failure(let fault) = outcome { throw refusal(of: fault) }
    }

    /// Begins a sign-in by any passkey of this site.
    /// - Parameter browser: the secret that the browser has from an earlier attempt, so that two tabs don't interfere.
    /// - Returns: the options, and the secret that the browser must store until it responds.
    /// - Throws: ``AppError`` `throttled` after too many unanswered challenges from one address.
    package func beginSignIn(
        browser: String?, clientAddress: String
    ) async throws -> (options: PasskeyOptions, browser: String) {
        let known = browser.flatMap { AttemptSecrets.isWellFormed($0) ? $0 : nil }
        let browser = known ?? Token.make(random: accounts.random)
        let challenge = makeChallenge()
        let network = networkHash(clientAddress)
        let now = accounts.clock.now
        try await accounts.database.write { tx in
            let open = try PasskeyChallengeStore.count(networkHash: network, now: now, in: tx)
            guard open < Limits.passkeyChallengesPerAddress else {
                let seconds = Int(Limits.passkeyChallengeSeconds)
                throw AppError(.throttled, AccountMessage.throttled.rawValue, retryAfterSeconds: seconds)
            }
            try PasskeyChallengeStore.insert(
                challenge, for: .signIn, holder: .browser(secretHash: Token.hash(browser)), networkHash: network,
                now: now, in: tx
            )
        }
        return (.request(PasskeyRequest(at: party, challenge: challenge, allowed: [])), browser)
    }

    /// Signs a person in, always with a new session. It isn't locked, because the device has just verified the person.
    /// - Throws: ``AppError``: `unauthenticated` for any refused response, without the reason; `throttled` after too
    ///   many failures from one address.
    package func signIn(
        _ assertion: PasskeyAssertion, browser: String?, device: DeviceInfo
    ) async throws -> SignedIn {
        let secretHash = browser.flatMap(Token.hash(shown:)) ?? []
        let network = ClientNetwork.key(device.clientAddress)
        let now = accounts.clock.now
        let token = accounts.sessionCreator.makeToken()
        let sessionID = ID<Session>(at: now, random: accounts.random)
        let challenge = try? ClientData(assertion.clientData).challenge
        let outcome = try await accounts.database.write { [self] tx -> Result<SignedIn, PasskeyError> in
            try throttle.check(network, now: now, in: tx)
            let isOurs =
                try challenge.map {
                    try PasskeyChallengeStore.take(
                        $0, for: .signIn, holder: .browser(secretHash: secretHash), now: now, in: tx)
                } ?? false
            let outcome = isOurs ? try use(assertion, of: nil, now: now, in: tx) : .failure(.challenge)
            guard case .success(let passkey) = outcome,
                try AccountStore.lockedAccount(passkey.person, in: tx)?.role == .adult
            else {
                try throttle.fail(network, now: now, in: tx)
                if case .failure(let fault) = outcome { return .failure(fault) }
                return .failure(.unknown)
            }
            return .success(
                try accounts.sessionCreator.openSession(
                    of: passkey.person, device: device, token: token, sessionID: sessionID, by: .passkey, now: now,
                    in: tx
                )
            )
        }
        switch outcome {
        case .success(let signedIn): return signedIn
        case .failure(let fault): throw refusal(of: fault, signingIn: true)
        }
    }
}

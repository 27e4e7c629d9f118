import Kernel
import Storage

/// Sign-in by passkey.
package struct PasskeySignInService: Sendable {
    let database: Database
    let verifier: PasskeyVerifier
    let sessions: SessionCreator
    let clock: any WallClock
    let random: any RandomSource

    /// Begins a sign-in by any passkey of this site.
    /// - Parameter browser: the secret that the browser has from an earlier attempt, so that two tabs don't interfere.
    /// - Returns: the options, and the secret that the browser must store until it responds.
    /// - Throws: ``AppError`` `throttled` after too many unanswered challenges from one address.
    package func begin(
        browser: String?, clientAddress: String
    ) async throws -> (options: PasskeyOptions, browser: String) {
        let browser = AttemptSecrets.browserSecret(reusing: browser, random: random)
        let challenge = PasskeyChallenge(clientAddress: clientAddress, random: random)
        let now = clock.now
        try await database.write { tx in
            let open = try PasskeyChallengeStore.count(networkHash: challenge.networkHash, now: now, in: tx)
            guard open < Limits.passkeyChallengesPerAddress else {
                let seconds = Int(Limits.passkeyChallengeSeconds)
                throw AppError(.throttled, AccountMessage.throttled.text, retryAfterSeconds: seconds)
            }
            try PasskeyChallengeStore.insert(
                challenge, for: .signIn, holder: .browser(secretHash: Token.hash(browser)), now: now, in: tx)
        }
        return (.request(PasskeyRequest(at: verifier.party, challenge: challenge.bytes, allowed: [])), browser)
    }

    /// Signs a person in, always with a new session. It isn't locked, because the device has just verified the person.
    /// - Throws: ``AppError``: `unauthenticated` for any refused response, without the reason; `throttled` after too
    ///   many failures from one address.
    package func signIn(
        _ assertion: PasskeyAssertion, browser: String?, device: DeviceInfo
    ) async throws -> SignedIn {
        let secretHash = browser.flatMap(Token.hash(shown:)) ?? []
        let network = ClientNetwork.key(device.clientAddress)
        let now = clock.now
        let token = sessions.newToken()
        let sessionID = ID<Session>(at: now, random: random)
        let challenge = try? ClientData(assertion.clientData).challenge
        let outcome = try await database.write { tx -> Result<SignedIn, PasskeyError> in
            try verifier.throttle.check(network, now: now, in: tx)
            let outcome = try verifier.verify(
                assertion, challenge: challenge, for: .signIn, holder: .browser(secretHash: secretHash), now: now,
                in: tx)
            guard case .success(let passkey) = outcome,
                try AccountStore.lockedAccount(passkey.person, in: tx)?.role == .adult
            else {
                try verifier.throttle.fail(network, now: now, in: tx)
                if case .failure(let fault) = outcome { return .failure(fault) }
                return .failure(.unknown)
            }
            return .success(
                try sessions.openSession(
                    of: passkey.person, device: device, token: token, sessionID: sessionID, by: .passkey, now: now,
                    in: tx))
        }
        switch outcome {
        case .success(let signedIn): return signedIn
        case .failure(let fault): throw verifier.refusal(of: fault, isSignIn: true)
        }
    }
}

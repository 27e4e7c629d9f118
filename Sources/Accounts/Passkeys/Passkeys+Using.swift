import Kernel
import Storage

/// Opening the lock, and coming in.
extension Passkeys {
    /// Asks for a proof by one of the person's passkeys, to open the lock of this session.
    /// - Throws: ``AppError`` `conflict` where the lock doesn't open by a passkey; `forbidden` for a child.
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

    /// Opens the lock of the session that asks. A failure never counts as a wrong passcode, and neither waits nor
    /// shortens the wait after wrong ones; a success ends it.
    /// - Throws: ``AppError``: `invalid` with `fields.credential` when it proves nothing; `throttled` after too many
    ///   failures from one address; `conflict` where the lock doesn't open by a passkey; `forbidden` for a child.
    package func unlock(_ assertion: PasskeyAssertion, by actor: Actor, clientAddress: String) async throws {
        try requireAdult(actor)
        let challenge = try challenge(in: assertion.clientData)
        let network = ClientNetwork.key(clientAddress)
        let now = accounts.clock.now
        let outcome = try await accounts.database.write { [self] tx -> Result<Passkey, PasskeyFault> in
            try throttle.check(network, now: now, in: tx)
            guard try PasskeyStore.touchID(of: actor.person, in: tx).isOn else {
                throw AppError(.conflict, .touchIDOff)
            }
            let isOurs = try PasskeyChallengeStore.take(
                challenge, for: .unlock, holder: .session(actor), now: now, in: tx)
            let outcome = isOurs ? try use(assertion, of: actor.person, now: now, in: tx) : .failure(.challenge)
            if case .success = outcome {
                try accounts.unlockVerified(actor, now: now, in: tx)
            } else {
                try throttle.fail(network, now: now, in: tx)
            }
            return outcome
        }
        if case .failure(let fault) = outcome { throw refusal(of: fault) }
    }

    /// Asks for a proof by whatever passkey somebody has here.
    /// - Parameter browser: the secret that the browser has from before, so that two tabs don't disturb each other.
    /// - Returns: beside the options the secret that the browser must keep until it answers.
    /// - Throws: ``AppError`` `throttled` after too many from one address that nobody answered.
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

    /// Signs somebody in, always with a new session, which is not locked: the device has just made sure of them.
    /// - Throws: ``AppError``: `unauthenticated` for whatever proves nothing, with no way to tell why; `throttled`
    ///   after too many failures from one address.
    package func signIn(
        _ assertion: PasskeyAssertion, browser: String?, device: DeviceInfo
    ) async throws -> SignedIn {
        let secretHash = browser.flatMap(Token.hash(shown:)) ?? []
        let network = ClientNetwork.key(device.clientAddress)
        let now = accounts.clock.now
        let token = accounts.makeToken()
        let sessionID = ID<Session>(at: now, random: accounts.random)
        let challenge = try? ClientData(assertion.clientData).challenge
        let outcome = try await accounts.database.write { [self] tx -> Result<SignedIn, PasskeyFault> in
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
                try accounts.openSession(
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

package import Kernel
import Storage

/// Passkeys in place of the password, as a proof for one act.
extension Passkeys {
    /// Begins a proof by one of the person's passkeys, and returns the options for the browser.
    /// - Throws: ``AppError`` `forbidden` for a child.
    package func beginProof(
        for act: SensitiveAct, by actor: Actor, clientAddress: String
    ) async throws -> PasskeyOptions {
        try requireAdult(actor)
        let challenge = makeChallenge()
        let network = networkHash(clientAddress)
        let now = accounts.clock.now
        return try await accounts.database.write { [self] tx in
            let allowed = try PasskeyStore.passkeys(of: actor.person, in: tx)
            try PasskeyChallengeStore.insert(
                challenge, for: .prove(act), holder: .session(actor), networkHash: network, now: now, in: tx)
            return .request(PasskeyRequest(at: party, challenge: challenge, allowed: allowed))
        }
    }

    /// Stores a proof for one act of this session within ``Limits/proofSeconds``.
    /// - Returns: when the proof expires.
    /// - Throws: ``AppError``: `invalid` with `fields.credential` when the response is refused; `throttled` after too
    ///   many failures from one address; `forbidden` for a child.
    package func prove(
        _ act: SensitiveAct, by assertion: PasskeyAssertion, of actor: Actor, clientAddress: String
    ) async throws -> Instant {
        try requireAdult(actor)
        let challenge = try challenge(in: assertion.clientData)
        let network = ClientNetwork.key(clientAddress)
        let now = accounts.clock.now
        let outcome = try await accounts.database.write { [self] tx -> Result<Passkey, PasskeyError> in
            try throttle.check(network, now: now, in: tx)
            let isOurs = try PasskeyChallengeStore.take(
                challenge, for: .prove(act), holder: .session(actor), now: now, in: tx)
            let outcome = isOurs ? try use(assertion, of: actor.person, now: now, in: tx) : .failure(.challenge)
            if case .success = outcome {
                try ProofStore.insert(act, of: actor.session, now: now, in: tx)
            } else {
                try throttle.fail(network, now: now, in: tx)
            }
            return outcome
        }
        if case .failure(let fault) = outcome { throw refusal(of: fault) }
        return now.adding(seconds: Limits.proofSeconds)
    }
}

package import Kernel
import Storage

/// Passkeys in place of the password, as a proof for one act.
package struct PasskeyProofService: Sendable {
    let database: Database
    let verifier: PasskeyVerifier
    let clock: any WallClock
    let random: any RandomSource

    /// Begins a proof by one of the person's passkeys, and returns the options for the browser.
    /// - Throws: ``AppError`` `forbidden` for a child.
    package func begin(
        for act: SensitiveAct, by actor: Actor, clientAddress: String
    ) async throws -> PasskeyOptions {
        try actor.requireAdult()
        let challenge = PasskeyChallenge(clientAddress: clientAddress, random: random)
        let now = clock.now
        return try await database.write { tx in
            let allowed = try PasskeyStore.passkeys(of: actor.person, in: tx)
            try PasskeyChallengeStore.insert(challenge, for: .prove(act), holder: .session(actor), now: now, in: tx)
            return .request(PasskeyRequest(at: verifier.party, challenge: challenge.bytes, allowed: allowed))
        }
    }

    /// Stores a proof for one act of this session within ``Limits/proofSeconds``.
    /// - Returns: when the proof expires.
    /// - Throws: ``AppError``: `invalid` with `fields.credential` when the response is refused; `throttled` after too
    ///   many failures from one address; `forbidden` for a child.
    package func prove(
        _ act: SensitiveAct, by assertion: PasskeyAssertion, of actor: Actor, clientAddress: String
    ) async throws -> Instant {
        try actor.requireAdult()
        let challenge = try verifier.challenge(in: assertion.clientData)
        let network = ClientNetwork.key(clientAddress)
        let now = clock.now
        let outcome = try await database.write { tx -> Result<Passkey, PasskeyError> in
            try verifier.throttle.check(network, now: now, in: tx)
            let outcome = try verifier.verify(
                assertion, challenge: challenge, for: .prove(act), holder: .session(actor), now: now, in: tx)
            switch outcome {
            case .success: try ProofStore.insert(act, of: actor.session, now: now, in: tx)
            case .failure: try verifier.throttle.fail(network, now: now, in: tx)
            }
            return outcome
        }
        if case .failure(let fault) = outcome { throw verifier.refusal(of: fault) }
        return now.adding(seconds: Limits.proofSeconds)
    }
}

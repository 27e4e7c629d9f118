import Kernel
import Storage

/// Unlocking by passkey.
package struct PasskeyUnlockService: Sendable {
    let database: Database
    let verifier: PasskeyVerifier
    let locks: SessionLockService
    let clock: any WallClock
    let random: any RandomSource

    /// Begins to unlock the actor's session by a passkey, and returns the options for the browser.
    /// - Throws: ``AppError`` `conflict` where passkeys don't unlock; `forbidden` for a child.
    package func begin(by actor: Actor, clientAddress: String) async throws -> PasskeyOptions {
        try actor.requireAdult()
        let challenge = PasskeyChallenge(clientAddress: clientAddress, random: random)
        let now = clock.now
        return try await database.write { tx in
            try requireTouchID(of: actor, in: tx)
            let allowed = try PasskeyStore.passkeys(of: actor.person, in: tx)
            try PasskeyChallengeStore.insert(challenge, for: .unlock, holder: .session(actor), now: now, in: tx)
            return .request(PasskeyRequest(at: verifier.party, challenge: challenge.bytes, allowed: allowed))
        }
    }

    /// Unlocks the actor's session. A failure isn't counted as a wrong passcode. The wait after wrong passcodes doesn't
    /// block passkeys; a success ends it.
    /// - Throws: ``AppError``: `invalid` with `fields.credential` when the response is refused; `throttled` after too
    ///   many failures from one address; `conflict` where passkeys don't unlock; `forbidden` for a child.
    package func unlock(_ assertion: PasskeyAssertion, by actor: Actor, clientAddress: String) async throws {
        try actor.requireAdult()
        let challenge = try verifier.challenge(in: assertion.clientData)
        let network = ClientNetwork.key(clientAddress)
        let now = clock.now
        let outcome = try await database.write { tx -> Result<Passkey, PasskeyError> in
            try verifier.throttle.check(network, now: now, in: tx)
            try requireTouchID(of: actor, in: tx)
            let outcome = try verifier.verify(
                assertion, challenge: challenge, for: .unlock, holder: .session(actor), now: now, in: tx)
            switch outcome {
            case .success: try locks.unlockVerified(actor, now: now, in: tx)
            case .failure: try verifier.throttle.fail(network, now: now, in: tx)
            }
            return outcome
        }
        if case .failure(let fault) = outcome { throw verifier.refusal(of: fault) }
    }

    private func requireTouchID(of actor: Actor, in tx: Transaction) throws {
        guard try PasskeyStore.touchID(of: actor.person, in: tx).isOn else { throw AppError(.conflict, .touchIDOff) }
    }
}

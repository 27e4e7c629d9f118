import Kernel
import Logging
import Storage

/// Verifies the responses of authenticators, in the transaction that uses up the challenge. A refused response uses it
/// up as well.
struct PasskeyVerifier: Sendable {
    let party: RelyingParty
    let logger: Logger
    /// Limits the failures of a network, for all uses together.
    let throttle = Throttle(
        scope: "passkey-address", limit: Limits.passkeyFailuresPerAddress, windowSeconds: Limits.throttleSeconds
    )

    /// Reads only the browser's JSON: without its challenge nothing can be used up.
    func challenge(in clientData: [UInt8]) throws -> [UInt8] {
        do throws(PasskeyError) {
            return try ClientData(clientData).challenge
        } catch {
            throw refusal(of: error)
        }
    }

    /// Returns the error for a refused response. The fault goes only to the log.
    func refusal(of fault: PasskeyError, isSignIn: Bool = false) -> AppError {
        logger.notice("A passkey was refused", metadata: ["fault": "\(fault.rawValue)"])
        if isSignIn { return AppError(.unauthenticated, .passkeyUnknown) }
        return fault == .taken
            ? AppError(.conflict, .passkeyTaken) : AppError(.invalid, .passkeyRefused, field: "credential")
    }

    /// Verifies a registration, and uses up its challenge.
    func verify(
        _ registration: PasskeyRegistration, challenge: [UInt8], of actor: Actor, now: Instant, in tx: Transaction
    ) throws -> Result<NewPasskey, PasskeyError> {
        guard
            try PasskeyChallengeStore.consume(
                challenge, for: .register, holder: .session(actor), now: now, in: tx)
        else { return .failure(.challenge) }
        do throws(PasskeyError) {
            return .success(try registration.verified(for: party))
        } catch {
            return .failure(error)
        }
    }

    /// Verifies that the client has a passkey and that the device verified the person, and uses up the challenge.
    /// - Parameters:
    ///   - challenge: `nil` where the client's data contains none.
    ///   - holder: a session, whose person must own the passkey, or a browser, whose person the passkey identifies.
    func verify(
        _ assertion: PasskeyAssertion, challenge: [UInt8]?, for purpose: ChallengePurpose, holder: ChallengeHolder,
        now: Instant, in tx: Transaction
    ) throws -> Result<Passkey, PasskeyError> {
        guard let challenge,
            try PasskeyChallengeStore.consume(challenge, for: purpose, holder: holder, now: now, in: tx)
        else { return .failure(.challenge) }
        let person = holder.person
        guard let stored = try PasskeyStore.verifier(credentialID: assertion.credentialID, in: tx),
            person == nil || stored.passkey.person == person
        else { return .failure(.unknown) }
        // WebAuthn Level 2, 7.2 step 6: without a known person, the user handle identifies them and is required.
        let owner = UserHandle.of(stored.passkey.person)
        guard person == nil ? assertion.userHandle == owner : assertion.userHandle ?? owner == owner else {
            return .failure(.unknown)
        }
        let proof: (signCount: UInt32, isBackedUp: Bool)
        do throws(PasskeyError) {
            proof = try assertion.verified(by: try stored.key(), signCount: stored.signCount, for: party)
        } catch {
            return .failure(error)
        }
        try PasskeyStore.recordUse(
            of: stored.passkey.id, signCount: proof.signCount, isBackedUp: proof.isBackedUp, now: now, in: tx)
        return .success(stored.passkey)
    }
}

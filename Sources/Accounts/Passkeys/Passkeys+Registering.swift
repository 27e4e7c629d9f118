import Kernel
import Storage

/// Registration of passkeys.
extension Passkeys {
    /// Begins the registration of a passkey, and returns the options for the browser. Requires the password, which is
    /// stored as a proof, or a stored proof (``SensitiveAct/addPasskey``). ``register(_:name:isForLock:by:)`` uses it
    /// up.
    /// - Parameter isForLock: whether the passkey is to unlock the app, so that it must be on this device.
    /// - Throws: ``AppError``: `forbidden` for a child; `conflict` at the maximum number of passkeys; `invalid` with
    ///   `fields.password` without a proof; `throttled` after too many wrong passwords.
    package func beginRegistration(
        by actor: Actor, isForLock: Bool, password: String? = nil, clientAddress: String
    ) async throws -> PasskeyOptions {
        try requireAdult(actor)
        if let password, !password.isEmpty, try await accounts.proofs.hasPassword(actor.person) {
            _ = try await accounts.proofs.prove(.addPasskey, password: password, by: actor)
        }
        let challenge = makeChallenge()
        let network = networkHash(clientAddress)
        let now = accounts.clock.now
        return try await accounts.database.write { [self] tx in
            let account = try AccountStore.requireLockedAccount(actor.person, in: tx)
            try accounts.proofs.requireStored(.addPasskey, of: actor, now: now, in: tx)
            let known = try PasskeyStore.passkeys(of: actor.person, in: tx)
            guard known.count < Limits.passkeysPerAccount else { throw AppError(.conflict, .passkeysFull) }
            try PasskeyChallengeStore.insert(
                challenge, for: .register, holder: .session(actor), networkHash: network, now: now, in: tx)
            return .creation(
                PasskeyCreation(for: account, at: party, challenge: challenge, known: known, isForLock: isForLock))
        }
    }

    /// Stores a new passkey. The challenge works once, so a repeated request creates no second one.
    /// - Parameters:
    ///   - name: the displayed name, for example ``DeviceInfo/name``.
    ///   - isForLock: whether passkeys unlock the app from now on.
    /// - Throws: ``AppError``: `invalid` with `fields.credential` when the response is refused; `conflict` for a
    ///   passkey that is already registered, too many passkeys, or a missing passcode; `forbidden` for a child.
    package func register(
        _ registration: PasskeyRegistration, name: String, isForLock: Bool, by actor: Actor
    ) async throws -> Passkey {
        try requireAdult(actor)
        let challenge = try challenge(in: registration.clientData)
        let now = accounts.clock.now
        let id = ID<Passkey>(at: now, random: accounts.random)
        let outcome = try await accounts.database.write { [self] tx -> Result<Passkey, PasskeyError> in
            let isOurs = try PasskeyChallengeStore.take(
                challenge, for: .register, holder: .session(actor), now: now, in: tx)
            guard isOurs else { return .failure(.challenge) }
            let new: NewPasskey
            do throws(PasskeyError) {
                new = try registration.verified(for: party)
            } catch {
                return .failure(error)
            }
            let account = try accounts.proofs.require(.addPasskey, of: actor, with: .stored, now: now, in: tx)
            guard try PasskeyStore.count(of: account.id, in: tx) < Limits.passkeysPerAccount else {
                throw AppError(.conflict, .passkeysFull)
            }
            let isNew = try PasskeyStore.insert(
                new, id: id, of: account.id, name: name, transports: registration.transports, now: now, in: tx)
            guard isNew else { return .failure(.taken) }
            if isForLock {
                guard try PasskeyStore.touchID(of: account.id, in: tx).isAvailable else {
                    throw AppError(.conflict, .passcodeFirst)
                }
                try PasskeyStore.setTouchID(true, of: account.id, in: tx)
            }
            try tell(account, now: now, in: tx)
            try accounts.securityMails.post(.passkeyAdded(device: name), to: account, now: now, in: tx)
            return .success(
                Passkey(
                    id: id, person: account.id, name: name, isBackedUp: new.isBackedUp, createdAt: now,
                    lastUsedAt: nil, credentialID: new.credentialID, transports: registration.transports
                )
            )
        }
        switch outcome {
        case .success(let passkey): return passkey
        case .failure(let fault): throw refusal(of: fault)
        }
    }
}

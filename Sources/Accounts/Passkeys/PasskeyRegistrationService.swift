import Kernel
import Storage

/// Registration of passkeys.
package struct PasskeyRegistrationService: Sendable {
    let database: Database
    let verifier: PasskeyVerifier
    let proofs: ProofService
    let events: AccountEvents
    let securityMails: SecurityMails
    let clock: any WallClock
    let random: any RandomSource

    /// Begins the registration of a passkey, and returns the options for the browser. Requires the password, which is
    /// stored as a proof, or a stored proof (``SensitiveAct/addPasskey``). ``register(_:name:isForLock:by:)`` uses it
    /// up.
    /// - Parameter isForLock: whether the passkey is to unlock the app, so that it must be on this device.
    /// - Throws: ``AppError``: `forbidden` for a child; `conflict` at the maximum number of passkeys; `invalid` with
    ///   `fields.password` without a proof; `throttled` after too many wrong passwords.
    package func begin(
        by actor: Actor, isForLock: Bool, password: String? = nil, clientAddress: String
    ) async throws -> PasskeyOptions {
        try actor.requireAdult()
        if let password, !password.isEmpty, try await proofs.hasPassword(actor.person) {
            _ = try await proofs.prove(.addPasskey, password: password, by: actor)
        }
        let challenge = PasskeyChallenge(clientAddress: clientAddress, random: random)
        let now = clock.now
        return try await database.write { tx in
            let account = try AccountStore.requireLockedAccount(actor.person, in: tx)
            try proofs.requireStored(.addPasskey, of: actor, now: now, in: tx)
            let known = try PasskeyStore.passkeys(of: actor.person, in: tx)
            guard known.count < Limits.passkeysPerAccount else { throw AppError(.conflict, .passkeysFull) }
            try PasskeyChallengeStore.insert(challenge, for: .register, holder: .session(actor), now: now, in: tx)
            return .creation(
                PasskeyCreation(
                    for: account, at: verifier.party, challenge: challenge.bytes, known: known, isForLock: isForLock))
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
        try actor.requireAdult()
        let challenge = try verifier.challenge(in: registration.clientData)
        let now = clock.now
        let id = ID<Passkey>(at: now, random: random)
        let outcome = try await database.write { tx -> Result<Passkey, PasskeyError> in
            switch try verifier.verify(registration, challenge: challenge, of: actor, now: now, in: tx) {
            case .failure(let fault): return .failure(fault)
            case .success(let new):
                let account = try proofs.require(.addPasskey, of: actor, with: .stored, now: now, in: tx)
                let passkey = Passkey(
                    id: id, person: account.id, name: name, isBackedUp: new.isBackedUp, createdAt: now,
                    lastUsedAt: nil, credentialID: new.credentialID, transports: registration.transports)
                guard try insert(passkey, new, isForLock: isForLock, of: account, now: now, in: tx) else {
                    return .failure(.taken)
                }
                return .success(passkey)
            }
        }
        switch outcome {
        case .success(let passkey): return passkey
        case .failure(let fault): throw verifier.refusal(of: fault)
        }
    }

    /// Inserts a passkey, publishes it and mails its owner about it. Returns false when it is already registered.
    private func insert(
        _ passkey: Passkey, _ new: NewPasskey, isForLock: Bool, of account: Account, now: Instant, in tx: Transaction
    ) throws -> Bool {
        guard try PasskeyStore.count(of: account.id, in: tx) < Limits.passkeysPerAccount else {
            throw AppError(.conflict, .passkeysFull)
        }
        let isNew = try PasskeyStore.insert(
            new, id: passkey.id, of: account.id, name: passkey.name, transports: passkey.transports, now: now, in: tx)
        guard isNew else { return false }
        if isForLock {
            guard try PasskeyStore.touchID(of: account.id, in: tx).isAvailable else {
                throw AppError(.conflict, .passcodeFirst)
            }
            try PasskeyStore.setTouchID(true, of: account.id, in: tx)
        }
        try events.publishPasskeys(of: account, now: now, in: tx)
        try securityMails.enqueue(.passkeyAdded(device: passkey.name), to: account, now: now, in: tx)
        return true
    }
}

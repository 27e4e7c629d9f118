package import Kernel
import Logging
import Storage

/// Passkeys (WebAuthn Level 2). Signed-in people register them, and use them to unlock and to sign in.
///
/// An authenticator's response is verified in the transaction that uses up the challenge. A refused response uses it up
/// as well.
package final class Passkeys: Sendable {
    let accounts: AccountServices
    let party: RelyingParty
    let throttle = Throttle(
        scope: "passkey-address", limit: Limits.passkeyFailuresPerAddress, windowSeconds: Limits.throttleSeconds
    )

    private let usableProviders: Set<ProviderName>

    /// Creates the service. Browsers use passkeys only where the site is `https://` or `localhost`, and not an IP
    /// address.
    /// - Parameter usableProviders: the providers that are set up; a person can sign in by these only.
    package init(accounts: AccountServices, usableProviders: Set<ProviderName>) {
        self.accounts = accounts
        self.usableProviders = usableProviders
        party = RelyingParty(siteURL: accounts.siteURL)
    }

    /// Returns the actor's passkeys, oldest first.
    package func passkeys(of actor: Actor) async throws -> [Passkey] {
        try await accounts.database.read { tx in try PasskeyStore.passkeys(of: actor.person, in: tx) }
    }

    /// Returns the setting for unlocking by a passkey.
    package func touchID(of actor: Actor) async throws -> TouchID {
        try await accounts.database.read { tx in try PasskeyStore.touchID(of: actor.person, in: tx) }
    }

    /// Sets whether passkeys unlock.
    /// - Throws: ``AppError`` `conflict` without a passcode, or to turn it on without a passkey; `forbidden` for a
    ///   child.
    package func setTouchID(_ isOn: Bool, by change: Change) async throws {
        try requireAdult(change.actor)
        let now = accounts.clock.now
        let person = change.actor.person
        try await accounts.database.write { [self] tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: person.description) {
                let account = try AccountStore.requireLockedAccount(person, in: tx)
                guard try PasskeyStore.touchID(of: person, in: tx).isAvailable else {
                    throw AppError(.conflict, .passcodeFirst)
                }
                guard try !isOn || PasskeyStore.count(of: person, in: tx) > 0 else {
                    throw AppError(.conflict, .passkeyFirst)
                }
                try PasskeyStore.setTouchID(isOn, of: person, in: tx)
                try tell(account, now: now, in: tx)
            }
        }
    }

    /// Deletes a passkey. The other ways to sign in stay.
    /// - Throws: ``AppError``: `notFound` when it isn't the person's; `conflict` when it is the last way to sign in;
    ///   `forbidden` for a child.
    package func delete(_ id: ID<Passkey>, by change: Change) async throws {
        try requireAdult(change.actor)
        let now = accounts.clock.now
        let person = change.actor.person
        try await accounts.database.write { [self] tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let account = try AccountStore.requireLockedAccount(person, in: tx)
                guard try PasskeyStore.delete(id, of: person, in: tx) else { throw AppError.notFound }
                let isLast = try PasskeyStore.count(of: person, in: tx) == 0
                try SignInMethodRule.requireOne(of: account, usableProviders: usableProviders, in: tx)
                if isLast, try PasskeyStore.touchID(of: person, in: tx).isAvailable {
                    try PasskeyStore.setTouchID(false, of: person, in: tx)
                }
                try tell(account, now: now, in: tx)
            }
        }
    }

    // MARK: Shared

    func requireAdult(_ actor: Actor) throws {
        guard actor.role == .adult else { throw AppError(.forbidden, .parentsOnly) }
    }

    func makeChallenge() -> [UInt8] { accounts.random.bytes(PasskeyChallengeStore.byteCount) }

    func networkHash(_ clientAddress: String) -> [UInt8] { Token.hash(ClientNetwork.key(clientAddress)) }

    /// Reads only the browser's JSON: without its challenge nothing can be used up.
    func challenge(in clientData: [UInt8]) throws -> [UInt8] {
        do throws(PasskeyError) {
            return try ClientData(clientData).challenge
        } catch {
            throw refusal(of: error)
        }
    }

    /// Returns the error for a refused response. The fault goes only to the log.
    func refusal(of fault: PasskeyError, signingIn: Bool = false) -> AppError {
        accounts.logger.notice("A passkey was refused", metadata: ["fault": "\(fault.rawValue)"])
        if signingIn { return AppError(.unauthenticated, .passkeyUnknown) }
        return fault == .taken
            ? AppError(.conflict, .passkeyTaken) : AppError(.invalid, .passkeyRefused, field: "credential")
    }

    /// Verifies that the client has the passkey and that the device verified the person.
    /// - Parameter person: the required owner of the passkey; `nil` where the passkey identifies the person.
    func use(
        _ assertion: PasskeyAssertion, of person: PersonID?, now: Instant, in tx: Transaction
    ) throws -> Result<Passkey, PasskeyError> {
        guard let verifier = try PasskeyStore.verifier(credentialID: assertion.credentialID, in: tx),
            person == nil || verifier.passkey.person == person
        else { return .failure(.unknown) }
        // WebAuthn Level 2, 7.2 step 6: without a known person, the user handle identifies them and is required.
        let owner = UserHandle.of(verifier.passkey.person)
        guard person == nil ? assertion.userHandle == owner : assertion.userHandle ?? owner == owner else {
            return .failure(.unknown)
        }
        let proof: (signCount: UInt32, isBackedUp: Bool)
        do throws(PasskeyError) {
            proof = try assertion.verified(by: try verifier.key(), signCount: verifier.signCount, for: party)
        } catch {
            return .failure(error)
        }
        try PasskeyStore.recordUse(
            of: verifier.passkey.id, signCount: proof.signCount, isBackedUp: proof.isBackedUp, now: now, in: tx)
        return .success(verifier.passkey)
    }

    func tell(_ account: Account, now: Instant, in tx: Transaction) throws {
        try tx.publish(
            ChangeEvent(
                audience: account.id, kind: "account", resource: "/account/passkeys", version: account.version, at: now
            )
        )
    }
}

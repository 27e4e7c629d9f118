package import Kernel
package import Storage

/// Proofs that the account's owner is present. Every ``SensitiveAct`` passes ``require(_:of:with:field:now:in:)`` or
/// ``requireStored(_:of:now:in:)`` in the transaction that carries it out.
package struct ProofService: Sendable {
    let database: Database
    let accounts: AccountReader
    let passwords: PasswordVerifier
    let clock: any WallClock

    /// Stores a proof given by the password, for one act of this session within ``Limits/proofSeconds``.
    /// - Returns: when the proof expires.
    /// - Throws: ``AppError`` `invalid` with `fields.password`; `throttled` after too many wrong ones; `forbidden` for
    ///   a child.
    package func prove(_ act: SensitiveAct, password: String?, by actor: Actor) async throws -> Instant {
        try actor.requireAdult()
        let evidence = try await evidence(password: password, of: actor)
        let now = clock.now
        try await database.write { tx in
            // A stored proof doesn't create another one: its ten minutes could be extended without end.
            if evidence.credential == nil {
                throw AppError(.invalid, try SensitiveAct.missingProof(of: actor.person, in: tx), field: "password")
            }
            _ = try require(act, of: actor, with: evidence, now: now, in: tx)
            try ProofStore.insert(act, of: actor.session, now: now, in: tx)
        }
        return now.adding(seconds: Limits.proofSeconds)
    }

    /// Returns the proof that this session still needs for an act.
    package func state(of actor: Actor, for act: SensitiveAct) async throws -> ProofState {
        let now = clock.now
        return try await database.read { tx in try state(of: actor, for: act, now: now, in: tx) }
    }

    /// Returns the same within the caller's transaction.
    package func state(
        of actor: Actor, for act: SensitiveAct, now: Instant, in tx: Transaction
    ) throws -> ProofState {
        if try ProofStore.contains(act, of: actor.session, now: now, in: tx) { return .given }
        return try AccountStore.credential(of: actor.person, in: tx)?.password == nil ? .elsewhere : .password
    }

    /// Verifies the password sent with a sensitive change, with the throttle of sign-in. An absent or empty password
    /// gives ``Evidence/stored``, and so does any password for an account without one.
    /// - Throws: ``AppError`` `invalid` naming `field`; `throttled` after too many wrong ones.
    package func evidence(password typed: String?, field: String = "password", of actor: Actor) async throws -> Evidence
    {
        guard let typed, !typed.isEmpty, try await hasPassword(actor.person) else { return .stored }
        var check = FieldErrors<AccountMessage>()
        let password = check.checkedPassword(typed, field: field)
        try check.finish()
        guard let password else { throw AppError(.invalid, .passwordMissing, field: field) }
        return Evidence(credential: try await checked(password, field: field, of: actor))
    }

    /// Locks the account of `actor` until the transaction ends. An app that locks rows of its own before
    /// ``require(_:of:with:field:now:in:)`` calls it first, because the deletion of an account locks in that order.
    package func lockAccount(of actor: Actor, in tx: Transaction) throws {
        _ = try AccountStore.requireLockedAccount(actor.person, in: tx)
    }

    /// Requires a proof for `act` and uses it up.
    /// - Returns: the account, whose row is locked until the transaction ends.
    /// - Throws: ``AppError`` `invalid` naming `field`; `forbidden` for a child.
    @discardableResult
    package func require(
        _ act: SensitiveAct, of actor: Actor, with evidence: Evidence, field: String = "password", now: Instant,
        in tx: Transaction
    ) throws -> Account {
        try act.requireProof(of: actor, with: evidence, field: field, now: now, in: tx)
    }

    /// Requires a proof for `act` without using it up: for an act that is read-only or has a second step. Children pass
    /// without one, because they have no means of proof.
    /// - Throws: ``AppError`` `invalid` with `fields.password`.
    func requireStored(_ act: SensitiveAct, of actor: Actor, now: Instant, in tx: Transaction) throws {
        guard actor.role == .adult else { return }
        guard try ProofStore.contains(act, of: actor.session, now: now, in: tx) else {
            throw AppError(.invalid, try SensitiveAct.missingProof(of: actor.person, in: tx), field: "password")
        }
    }

    func hasPassword(_ person: PersonID) async throws -> Bool {
        let credential = try await database.read { tx in try AccountStore.credential(of: person, in: tx) }
        guard let credential else { throw AppError.notFound }
        return credential.password != nil
    }

    /// Verifies the password of a signed-in person, with a limit like that of sign-in.
    private func checked(
        _ password: Password, field: String, of actor: Actor
    ) async throws -> AccountStore.Credential {
        guard let key = try await accounts.account(actor).email.flatMap({ EmailAddress($0)?.key }) else {
            throw AppError(.forbidden, .parentsOnly)
        }
        let attempt = PasswordAttempt(emailKey: key, address: nil, person: actor.person)
        let wrong = AppError(.invalid, .passwordWrong, field: field)
        return try await passwords.verify(password, attempt, orThrow: wrong) { match in
            let now = clock.now
            return try await database.write { tx in
                guard match.credential.person == actor.person,
                    try AccountStore.credential(of: actor.person, in: tx) == match.credential
                else { throw wrong }
                try passwords.accept(match, now: now, in: tx)
                return AccountStore.Credential(person: actor.person, password: match.fresh)
            }
        }
    }
}

extension SensitiveAct {
    /// Requires a proof and uses it up, for apps whose services exist before those of the accounts; see
    /// ``ProofService/require(_:of:with:field:now:in:)``.
    @discardableResult
    package func requireProof(
        of actor: Actor, with evidence: Evidence, field: String = "password", now: Instant, in tx: Transaction
    ) throws -> Account {
        let account = try AccountStore.requireLockedAccount(actor.person, in: tx)
        guard account.role == .adult else { throw AppError(.forbidden, .parentsOnly) }
        if let credential = evidence.credential {
            // The password may have been changed after the check.
            guard try AccountStore.credential(of: account.id, in: tx) == credential else {
                throw AppError(.invalid, .passwordWrong, field: field)
            }
        } else {
            guard try ProofStore.consume(self, of: actor.session, now: now, in: tx) else {
                throw AppError(.invalid, try Self.missingProof(of: account.id, in: tx), field: field)
            }
        }
        return account
    }

    /// Returns the error for a person without a proof. It says what to enter.
    static func missingProof(of person: PersonID, in tx: Transaction) throws -> AccountMessage {
        try AccountStore.credential(of: person, in: tx)?.password == nil ? .confirmFirst : .passwordMissing
    }
}

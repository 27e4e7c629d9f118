import Kernel
import Storage

/// The profile of a person.
package struct ProfileService: Sendable {
    let database: Database
    let accounts: AccountReader
    let proofs: ProofService
    let emailChanges: EmailChangeRequests
    let takenEmails: TakenEmailThrottle
    let events: AccountEvents
    let dataHandlers: [any AccountDataHandler]
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the actor's account, and the proof that this session still needs for another email.
    package func accountWithEmailProof(of actor: Actor) async throws -> (account: Account, emailProof: ProofState) {
        let now = clock.now
        return try await database.read { tx in
            guard let account = try AccountStore.account(actor.person, in: tx) else { throw AppError.notFound }
            return (account, try proofs.state(of: actor, for: .changeEmail, now: now, in: tx))
        }
    }

    /// Changes the profile. A different email needs a proof (``SensitiveAct/changeEmail``). Where mail is set up, the
    /// new address takes effect once the link mailed to it is opened, and the old address gets a link that undoes the
    /// change.
    /// - Parameters:
    ///   - ifVersion: the version that the client read. `nil` accepts any version.
    ///   - password: the proof for a different email. `nil` when a proof is already stored.
    ///   - language: of the mails, `en` or `de`.
    /// - Throws: ``AppError`` `invalid` with every wrong field, `conflict` when the account has another version or the
    ///   email is taken, `throttled` after too many responses that an email is taken, wrong passwords or mails to the
    ///   new email, `unavailable` when too many mails are queued, `forbidden` when a child sets an email, a phone
    ///   number or a maps app.
    package func update(
        _ changes: ProfileChanges, ifVersion: Int64? = nil, password: String? = nil, by change: Change,
        language: String = Language.english.rawValue
    ) async throws -> Account {
        let person = change.actor.person
        let replacesEmail = changes.replacesEmail(of: try await accounts.account(change.actor))
        let isProvable = replacesEmail && change.actor.role == .adult
        let proof = EmailProof(
            evidence: isProvable ? try await proofs.evidence(password: password, of: change.actor) : .stored,
            codes: emailChanges.requiresConfirmation ? EmailCodes(random: random) : nil, language: language)
        let now = clock.now
        return try await takingEmailOnce(changes.emailKey, by: change.actor) {
            try await database.write { tx -> Account in
                let before = try AccountStore.requireLockedAccount(person, in: tx)
                _ = try tx.once(change.idempotency, status: 200, now: now, resource: person.description) {
                    let missing = try missingProof(of: change.actor, with: proof.evidence, now: now, in: tx)
                    let edit = try ValidatedProfile(changes, of: before, missingProof: missing, now: now)
                    if let ifVersion, ifVersion != before.version { throw AppError(.conflict, .movedOn) }
                    try apply(edit, to: before, by: change.actor, proof, now: now, in: tx)
                }
                return try AccountStore.requireLockedAccount(person, in: tx)
            }
        }
    }

    private func missingProof(
        of actor: Actor, with evidence: Evidence, now: Instant, in tx: Transaction
    ) throws -> AccountMessage? {
        guard evidence.credential == nil else { return nil }
        let isProven = try ProofStore.contains(.changeEmail, of: actor.session, now: now, in: tx)
        return try isProven ? nil : SensitiveAct.missingProof(of: actor.person, in: tx)
    }

    /// Validates changes before a request stores anything that came with them. The update validates them again.
    /// - Throws: ``AppError`` `invalid` with every wrong field, `forbidden` as for the update itself.
    package func check(_ changes: ProfileChanges, isChild: Bool, hasEmail: Bool) throws {
        _ = try ValidatedProfile(changes, isChild: isChild, hasEmail: hasEmail, now: clock.now)
    }

    /// Adds the profile fields that an app requires and the account lacks.
    /// - Throws: ``AppError`` `invalid` with each field that is still missing or wrong.
    package func complete(
        for app: AppName, dateOfBirth: String?, phone: String?, by change: Change
    ) async throws -> Account {
        let present = try await accounts.account(change.actor)
        let missing = app.missing(in: present)
        let now = clock.now
        var check = FieldErrors<AccountMessage>()
        let date = check.dateOfBirth(dateOfBirth, isRequired: missing.contains("dateOfBirth"), now: now)
        let number = check.phone(phone, isRequired: missing.contains("phone"))
        try check.finish()
        let changes = ProfileChanges(
            phone: number.map { Edit.set($0) } ?? .unchanged, dateOfBirth: date.map { Edit.set($0) } ?? .unchanged
        )
        return try await update(changes, by: change)
    }

    /// Changes fields other than the email, in the transaction of the caller.
    /// - Throws: ``AppError`` `invalid` with every wrong field.
    func fill(_ changes: ProfileChanges, of person: PersonID, now: Instant, in tx: Transaction) throws {
        let before = try AccountStore.requireLockedAccount(person, in: tx)
        let after = try ValidatedProfile(changes, of: before, now: now).applied(to: before)
        guard after != before else { return }
        for dataHandler in dataHandlers { try dataHandler.checkChange(from: before, to: after, in: tx) }
        try store(after, replacing: before, now: now, in: tx)
    }

    /// Two people may request the same email at once; the database lets only one have it. A person who got the answer
    /// that an email is taken too often gets no further answers.
    private func takingEmailOnce<Result: Sendable>(
        _ emailKey: String?, by actor: Actor, _ work: () async throws -> Result
    ) async throws -> Result {
        guard let emailKey else { return try await work() }
        let now = clock.now
        let requester = TakenEmailRequester(network: actor.network, person: actor.person)
        try await database.read { tx in
            // A form sends the account's own email along with every other change.
            guard try AccountStore.account(emailKey: emailKey, in: tx)?.id != actor.person else { return }
            try takenEmails.check(emailKey, by: requester, now: now, in: tx)
        }
        do {
            return try await work()
        } catch StorageError.uniqueViolation {
        } catch let error as AppError where error.isEmailTaken {
        }
        try await database.write { tx in try takenEmails.count(emailKey, by: requester, now: now, in: tx) }
        throw AppError(.conflict, .emailTaken, field: "email")
    }

    private func apply(
        _ edit: ValidatedProfile, to before: Account, by actor: Actor, _ proof: EmailProof, now: Instant,
        in tx: Transaction
    ) throws {
        var after = edit.applied(to: before)
        guard after != before else { return }
        for dataHandler in dataHandlers { try dataHandler.checkChange(from: before, to: after, in: tx) }
        if let email = edit.email, email.text != before.email {
            after = try emailChanges.request(of: before, to: email, edited: after, by: actor, proof, now: now, in: tx)
        }
        try store(after, replacing: before, now: now, in: tx)
    }

    private func store(_ after: Account, replacing before: Account, now: Instant, in tx: Transaction) throws {
        let emailKey = after.email.flatMap { EmailAddress($0)?.key }
        if let picture = after.avatarPictureID, picture != before.avatarPictureID {
            try AvatarRule.requireOwned(picture, by: before.id, in: tx)
        }
        try AccountStore.update(after, emailKey: emailKey, in: tx)
        try events.publish(after, now: now, in: tx)
        for dataHandler in dataHandlers { try dataHandler.profileChanged(after, now: now, in: tx) }
    }
}

package import Kernel
package import Pictures
import Storage

/// What a change does to one field: JSON's absent, null and value.
package enum Edit<Value: Sendable>: Sendable {
    /// Leaves it as it is.
    case keep
    /// Empties it.
    case clear
    /// Gives it a new value.
    case set(Value)
}

/// Changes of a profile, as they were typed.
package struct ProfileChanges: Sendable {
    /// Must be free; must be verified anew.
    package var email: Edit<String>
    /// 1 to 50 characters.
    package var name: Edit<String>
    /// Much as E.164 writes it.
    package var phone: Edit<String>
    /// `YYYY-MM-DD`.
    package var dateOfBirth: Edit<String>
    /// One of ``Themes/all``.
    package var theme: Edit<String>
    /// Cleared: the person is asked again.
    package var mapsApp: Edit<MapsApp>
    /// One of ``Languages/all``; cleared: as the browser says.
    package var language: Edit<String>
    /// Cleared: as the device is set.
    package var appearance: Edit<Appearance>
    /// A built-in picture or one of the person's own.
    package var avatarPictureID: Edit<ID<Picture>>

    /// Makes changes; what isn't named stays.
    package init(
        email: Edit<String> = .keep, name: Edit<String> = .keep, phone: Edit<String> = .keep,
        dateOfBirth: Edit<String> = .keep, theme: Edit<String> = .keep, mapsApp: Edit<MapsApp> = .keep,
        language: Edit<String> = .keep, appearance: Edit<Appearance> = .keep,
        avatarPictureID: Edit<ID<Picture>> = .keep
    ) {
        self.email = email
        self.name = name
        self.phone = phone
        self.dateOfBirth = dateOfBirth
        self.theme = theme
        self.mapsApp = mapsApp
        self.language = language
        self.appearance = appearance
        self.avatarPictureID = avatarPictureID
    }
}

extension ProfileChanges {
    /// The key of the email that is asked for; `nil` where none is, or what was typed is none.
    fileprivate var emailKey: String? {
        if case .set(let typed) = email { EmailAddress(typed)?.key } else { nil }
    }

    /// Whether the email would be another one; a malformed one is none.
    fileprivate func replacesEmail(of account: Account) -> Bool {
        guard case .set(let typed) = email, let email = EmailAddress(typed) else { return false }
        return email.text != account.email
    }
}

extension AccountService {
    /// The account of whoever asks.
    package func account(_ actor: Actor) async throws -> Account {
        let found = try await database.read { tx in try AccountStore.account(actor.person, in: tx) }
        guard let found else { throw AppError.notFound }
        return found
    }

    /// Changes the profile. Another email needs a proof (``SensitiveAct/changeEmail``). Where mail is set up, it waits
    /// until the link in a mail to it was opened, and the old address is sent a link that undoes the change.
    /// - Parameters:
    ///   - ifVersion: the version that the asker read; `nil` for whatever it is.
    ///   - password: the proof of another email; `nil` where one was stored before.
    ///   - language: of the mails, `en` or `de`.
    /// - Throws: ``AppError`` `invalid` with all fields at fault, `conflict` when the account moved on or the email
    ///   is taken, `throttled` after too many such answers, wrong passwords or mails to the new email, `unavailable` when
    ///   too many mails wait, `forbidden` when a child gives itself an email, a phone number or a maps app.
    package func update(
        _ changes: ProfileChanges, ifVersion: Int64? = nil, password: String? = nil, by change: Change,
        language: String = Languages.all[0]
    ) async throws -> Account {
        let person = change.actor.person
        let replacesEmail = changes.replacesEmail(of: try await account(change.actor))
        let isProvable = replacesEmail && change.actor.role == .adult
        let proof = EmailProof(
            evidence: isProvable ? try await evidence(password: password, of: change.actor) : .stored,
            codes: sendsMail ? EmailCodes(random: random) : nil, language: language)
        let now = clock.now
        return try await takingEmailOnce(changes.emailKey, by: change.actor) { [self] in
            try await database.write { [self] tx -> Account in
                let before = try present(person, in: tx)
                _ = try tx.once(change.idempotency, status: 200, now: now, resource: person.description) {
                    let missing = try missingProof(of: change.actor, with: proof.evidence, now: now, in: tx)
                    let edit = try CheckedProfile(changes, of: before, missingProof: missing, now: now)
                    if let ifVersion, ifVersion != before.version { throw AppError(.conflict, .movedOn) }
                    try apply(edit, to: before, by: change.actor, proof, now: now, in: tx)
                }
                return try present(person, in: tx)
            }
        }
    }

    private func missingProof(
        of actor: Actor, with evidence: Evidence, now: Instant, in tx: Transaction
    ) throws -> AccountMessage? {
        guard evidence.credential == nil else { return nil }
        let isProven = try ProofStore.contains(.changeEmail, of: actor.session, now: now, in: tx)
        return try isProven ? nil : missingProof(of: actor.person, in: tx)
    }

    /// Checks changes before anything that came with them is stored; ``update(_:ifVersion:by:language:)`` checks them
    /// too.
    /// - Throws: ``AppError`` `invalid` with all fields at fault, `forbidden` as when they are made.
    package func check(_ changes: ProfileChanges, isChild: Bool, hasEmail: Bool) throws {
        _ = try CheckedProfile(changes, isChild: isChild, hasEmail: hasEmail, now: clock.now)
    }

    /// Fills in what an app needs and the account lacks.
    /// - Throws: ``AppError`` `invalid` naming each field that is still missing or wrong.
    package func enter(
        _ app: AppName, dateOfBirth: String?, phone: String?, by change: Change
    ) async throws -> Account {
        let present = try await account(change.actor)
        let missing = app.missing(in: present)
        let now = clock.now
        var check = FieldCheck()
        let date = check.dateOfBirth(dateOfBirth, isRequired: missing.contains("dateOfBirth"), now: now)
        let number = check.phone(phone, isRequired: missing.contains("phone"))
        try check.finish()
        let changes = ProfileChanges(
            phone: number.map { Edit.set($0) } ?? .keep, dateOfBirth: date.map { Edit.set($0) } ?? .keep
        )
        return try await update(changes, by: change)
    }

    /// Two may ask for the same email at once; the store lets only one have it. Who was told too often that one is
    /// taken is told nothing more.
    private func takingEmailOnce<Result: Sendable>(
        _ emailKey: String?, by actor: Actor, _ work: () async throws -> Result
    ) async throws -> Result {
        guard let emailKey else { return try await work() }
        let now = clock.now
        let asker = TakenEmailAsker(network: actor.network, person: actor.person)
        try await database.read { [self] tx in
            // A form sends the email that the account has along with every other change.
            guard try AccountStore.account(emailKey: emailKey, in: tx)?.id != actor.person else { return }
            try checkTaken(emailKey, by: asker, now: now, in: tx)
        }
        do {
            return try await work()
        } catch StorageError.uniqueViolation {
        } catch let error as AppError where error.isEmailTaken {
        }
        try await database.write { [self] tx in try countTaken(emailKey, by: asker, now: now, in: tx) }
        throw AppError(.conflict, .emailTaken, field: "email")
    }

    private func apply(
        _ edit: CheckedProfile, to before: Account, by actor: Actor, _ proof: EmailProof, now: Instant,
        in tx: Transaction
    ) throws {
        var after = edit.applied(to: before)
        guard after != before else { return }
        for companion in companions { try companion.permitChange(from: before, to: after, in: tx) }
        if let email = edit.email, email.text != before.email {
            after = try changeEmail(of: before, to: email, edited: after, by: actor, proof, now: now, in: tx)
        }
        let emailKey = after.email.flatMap { EmailAddress($0)?.key }
        if let picture = after.avatarPictureID, picture != before.avatarPictureID {
            try Self.requireAvatar(picture, by: before.id, in: tx)
        }
        try AccountStore.update(after, emailKey: emailKey, in: tx)
        try announce(after, now: now, in: tx)
        for companion in companions { try companion.profileChanged(after, now: now, in: tx) }
    }

    /// The library names the field `pictureId`; here it is called otherwise.
    static func requireAvatar(_ picture: ID<Picture>, by person: PersonID, in tx: Transaction) throws {
        do {
            try PictureLibrary.requireOwned(picture, by: person, in: tx)
        } catch let error as AppError where error.code == .invalid {
            throw AppError.invalid("avatarPictureId", error.message)
        }
    }
}

import Kernel
import Storage

/// The codes that one change of the email may need. They are drawn before the transaction, which may run twice.
struct EmailCodes: Sendable {
    /// Confirms the new address.
    let confirmation: String
    /// Restores the old address.
    let undo: String

    init(random: some RandomSource) {
        confirmation = Token.make(random: random)
        undo = Token.make(random: random)
    }
}

/// Changes of the email address: request, confirm, cancel, undo.
extension AccountService {
    /// Requires the proof. Where mail is set up, stores the new address as pending.
    /// - Parameter edited: the account with all edits, including the email.
    /// - Returns: the account as it is to be stored.
    func changeEmail(
        of before: Account, to email: EmailAddress, edited: Account, by actor: Actor, _ proof: EmailProof, now: Instant,
        in tx: Transaction
    ) throws -> Account {
        _ = try require(.changeEmail, of: actor, with: proof.evidence, now: now, in: tx)
        guard try !AccountStore.isTaken(emailKey: email.key, except: before.id, now: now, in: tx) else {
            throw AppError(.conflict, .emailTaken, field: "email")
        }
        _ = try EmailChangeStore.delete(of: before.id, in: tx)
        guard let letters, let codes = proof.codes else {
            try CodeStore.removeResets(of: before.id, in: tx)
            return edited
        }
        let language = edited.language ?? proof.language
        // Without this mail, the change could never be confirmed.
        try letters.postRequired(
            .emailChange(url: verificationURL(codes.confirmation)), to: MailRecipient(unconfirmed: email),
            language: language, from: actor.network, now: now, in: tx)
        try insertEmailChange(codes.confirmation, to: email, of: before, now: now, in: tx)
        var waiting = edited
        waiting.email = before.email
        waiting.emailVerifiedAt = before.emailVerifiedAt
        waiting.pendingEmail = email.text
        let undoURL = try addUndo(codes.undo, for: before, now: now, in: tx)
        try postNotice(
            .emailChangeRequested(undoURL: undoURL), to: before, language: language, now: now, in: tx)
        return waiting
    }

    /// Replaces the email by the pending address that the code of the mail belongs to.
    func confirmEmailChange(
        _ codeHash: [UInt8], of person: PersonID, undoCode: String, now: Instant, in tx: Transaction
    ) throws -> Account {
        guard let before = try AccountStore.lockedAccount(person, in: tx),
            let email = try EmailChangeStore.take(codeHash, of: person, now: now, in: tx)
        else { throw AppError(.notFound, .linkUnknown) }
        guard try !AccountStore.isTaken(emailKey: email.key, except: person, now: now, in: tx) else {
            throw AppError(.conflict, .emailTaken, field: "email")
        }
        let undoURL = try addUndo(undoCode, for: before, now: now, in: tx)
        let after = try replaceEmail(of: before, by: email, verifiedAt: now, now: now, in: tx)
        try postNotice(.emailChanged(undoURL: undoURL), to: before, now: now, in: tx)
        return after
    }

    /// Cancels a pending change.
    /// - Throws: ``AppError/notFound`` when there is none.
    package func cancelEmailChange(by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        try await database.write { [self] tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: person.description) {
                let account = try present(person, in: tx)
                guard try EmailChangeStore.delete(of: person, in: tx) else { throw AppError.notFound }
                var after = account
                after.pendingEmail = nil
                after.version += 1
                try AccountStore.update(after, emailKey: account.email.flatMap { EmailAddress($0)?.key }, in: tx)
                try announce(after, now: now, in: tx)
            }
        }
    }

    /// Returns whether a link that restores an old address is still valid.
    package func isUndoCodeValid(_ code: String) async throws -> Bool {
        guard let hash = Token.hash(shown: code) else { return false }
        let now = clock.now
        return try await database.read { tx in try EmailChangeStore.undo(hash, now: now, in: tx) != nil }
    }

    /// Restores the old address, and removes all access until its owner has chosen a new password: sessions, password,
    /// passkeys, linked identities, open codes and the sessions of the owner's children end.
    /// - Returns: the code of a link for the new password.
    /// - Throws: ``AppError`` `not_found` when the link is unknown, used or expired.
    package func undoEmailChange(code: String) async throws -> String {
        guard let codeHash = Token.hash(shown: code) else { throw AppError(.notFound, .linkUnknown) }
        let now = clock.now
        let reset = Token.make(random: random)
        try await database.write { [self] tx in
            guard let undo = try EmailChangeStore.undo(codeHash, now: now, in: tx),
                let before = try AccountStore.lockedAccount(undo.person, in: tx),
                try EmailChangeStore.use(undo, codeHash: codeHash, in: tx)
            else { throw AppError(.notFound, .linkUnknown) }
            guard try !AccountStore.isTaken(emailKey: undo.email.key, except: before.id, now: now, in: tx) else {
                throw AppError(.conflict, .emailTaken, field: "email")
            }
            _ = try replaceEmail(of: before, by: undo.email, verifiedAt: undo.verifiedAt, now: now, in: tx)
            try AccountStore.setPassword(nil, of: before.id, in: tx)
            for dataHandler in dataHandlers {
                // The owner reports that another person used the account.
                try dataHandler.passwordChanged(of: before.id, endsChildSessions: true, now: now, in: tx)
            }
            try IdentityStore.deleteAll(of: before.id, in: tx)
            try PasskeyStore.deleteAll(of: before.id, in: tx)
            let ended = try SessionStore.deleteAll(of: before.id, except: nil, in: tx)
            try announce(sessions: ended, of: before.id, now: now, in: tx)
            let expiry = now.adding(seconds: Limits.passwordResetSeconds)
            try CodeStore.addReset(Token.hash(reset), for: before.id, expiresAt: expiry, in: tx)
        }
        return reset
    }

    /// Stores the code of a pending change. An earlier code no longer works.
    func insertEmailChange(
        _ code: String, to email: EmailAddress, of account: Account, now: Instant, in tx: Transaction
    ) throws {
        try EmailChangeStore.insert(
            email, of: account.id, codeHash: Token.hash(code),
            expiresAt: now.adding(seconds: Limits.emailChangeSeconds), in: tx)
    }

    /// Stores a confirmed address as the account's email, after a confirmation or an undo.
    private func replaceEmail(
        of before: Account, by email: EmailAddress, verifiedAt: Instant, now: Instant, in tx: Transaction
    ) throws -> Account {
        var after = before
        after.email = email.text
        after.emailVerifiedAt = verifiedAt
        after.pendingEmail = nil
        after.version += 1
        for dataHandler in dataHandlers { try dataHandler.checkChange(from: before, to: after, in: tx) }
        _ = try EmailChangeStore.delete(of: before.id, in: tx)
        try CodeStore.removeResets(of: before.id, in: tx)
        try CodeStore.removeVerifications(of: before.id, in: tx)
        try AccountStore.update(after, emailKey: email.key, in: tx)
        try announce(after, now: now, in: tx)
        for dataHandler in dataHandlers {
            try dataHandler.profileChanged(after, now: now, in: tx)
            try dataHandler.emailConfirmed(after, now: now, in: tx)
        }
        return after
    }

    /// Stores an undo for the current address, if it is confirmed: a mistyped one may be a stranger's.
    private func addUndo(_ code: String, for account: Account, now: Instant, in tx: Transaction) throws -> String? {
        guard let verifiedAt = account.emailVerifiedAt, let email = account.email.flatMap({ EmailAddress($0) }) else {
            return nil
        }
        guard try EmailChangeStore.countUndos(of: account.id, now: now, in: tx) < Limits.emailUndosPerAccount else {
            let seconds = Int(Limits.emailUndoSeconds)
            throw AppError(.throttled, AccountMessage.throttled.rawValue, retryAfterSeconds: seconds)
        }
        let undo = EmailChangeStore.Undo(person: account.id, email: email, verifiedAt: verifiedAt, createdAt: now)
        try EmailChangeStore.insert(undo, codeHash: Token.hash(code), in: tx)
        return "\(siteURL)/email-undos/\(code)"
    }

    /// Queues a security notice that the account's owner must get outside this device, in the transaction of the
    /// change.
    /// - Parameter language: of the mail, unless the account has one.
    func postNotice(
        _ notice: AccountMail, to account: Account, language: String = Languages.all[0], now: Instant,
        in tx: Transaction
    ) throws {
        guard let letters, let owner = MailRecipient(ownerOf: account) else { return }
        try letters.post(
            notice, to: owner, language: account.language ?? language, from: "person \(account.id)", now: now, in: tx)
    }
}

/// The values sent with a change of the email.
struct EmailProof: Sendable {
    let evidence: Evidence
    /// `nil` where no mail is sent: the address takes effect at once.
    let codes: EmailCodes?
    /// The language of mails, unless the account has one.
    let language: String
}

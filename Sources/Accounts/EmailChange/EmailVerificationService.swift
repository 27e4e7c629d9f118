import Kernel
import Storage

/// Confirmation of an email address by a link in a mail.
package struct EmailVerificationService: Sendable {
    let database: Database
    /// `nil` where mail isn't set up.
    let verifications: VerificationMails?
    let changes: EmailChangeConfirmation
    let events: AccountEvents
    let dataHandlers: [any AccountDataHandler]
    let clock: any WallClock
    let random: any RandomSource

    /// Sends the confirmation link again: for the new address if one is pending, otherwise for the current one.
    /// - Parameter language: of the mail, unless the account has one: `en` or `de`.
    /// - Returns: false when there is nothing to send: the address is confirmed, or mail isn't set up.
    /// - Throws: ``AppError`` `throttled` when the address or the network had too many mails, `unavailable` when too
    ///   many mails are queued. The previous link stays valid then.
    @discardableResult
    package func request(_ actor: Actor, language: String = Language.english.rawValue) async throws -> Bool {
        guard let verifications else { return false }
        let code = Token.make(random: random)
        let now = clock.now
        return try await database.write { tx in
            let account = try AccountStore.requireLockedAccount(actor.person, in: tx)
            let language = account.language ?? language
            if let email = account.pendingEmail.flatMap({ EmailAddress($0) }) {
                try verifications.enqueueChange(
                    code: code, to: email, of: account, language: language, from: actor.network, now: now, in: tx)
                return true
            }
            guard account.emailVerifiedAt == nil, let email = account.email.flatMap({ EmailAddress($0) }) else {
                return false
            }
            try verifications.enqueueRequired(
                code: code, to: email, of: account, language: language, from: actor.network, now: now, in: tx)
            return true
        }
    }

    /// Confirms an address by the link in a mail: the current one, or a new one that replaces it.
    /// - Throws: ``AppError`` `not_found` when the link is unknown, used, expired, or for an address since replaced;
    ///   `conflict` when another account now has the new address.
    package func verify(code: String) async throws -> Account {
        guard let hash = Token.hash(shown: code) else { throw AppError(.notFound, .linkUnknown) }
        let now = clock.now
        let undoCode = Token.make(random: random)
        do {
            return try await database.write { tx in
                if let person = try EmailChangeStore.person(codeHash: hash, now: now, in: tx) {
                    return try changes.confirm(hash, of: person, undoCode: undoCode, now: now, in: tx)
                }
                return try confirmPresentEmail(hash, now: now, in: tx)
            }
        } catch StorageError.uniqueViolation {
            throw AppError(.conflict, .emailTaken, field: "email")
        }
    }

    private func confirmPresentEmail(_ hash: [UInt8], now: Instant, in tx: Transaction) throws -> Account {
        guard let (person, emailKey) = try CodeStore.takeVerification(hash, now: now, in: tx),
            var account = try AccountStore.lockedAccount(person, in: tx),
            account.email.flatMap({ EmailAddress($0)?.key }) == emailKey
        else { throw AppError(.notFound, .linkUnknown) }
        account.emailVerifiedAt = now
        account.version += 1
        try AccountStore.update(account, emailKey: emailKey, in: tx)
        try events.publish(account, now: now, in: tx)
        for dataHandler in dataHandlers { try dataHandler.emailConfirmed(account, now: now, in: tx) }
        return account
    }
}

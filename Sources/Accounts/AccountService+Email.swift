import Kernel
import Storage

extension AccountService {
    /// Sends the confirmation link again: for the new address if one waits, otherwise for the current one.
    /// - Parameter language: of the mail, unless the account has one: `en` or `de`.
    /// - Returns: false when there is nothing to send: the address is confirmed, or mail isn't set up.
    /// - Throws: ``AppError`` `throttled` when the address or the network had too many mails, `unavailable` when too
    ///   many mails are queued. The previous link stays valid then.
    @discardableResult
    package func requestVerification(_ actor: Actor, language: String = Languages.all[0]) async throws -> Bool {
        guard let letters else { return false }
        let code = Token.make(random: random)
        let now = clock.now
        return try await database.write { [self] tx in
            let account = try present(actor.person, in: tx)
            if let email = account.pendingEmail.flatMap({ EmailAddress($0) }) {
                try letters.postRequired(
                    .emailChange(url: verificationURL(code)), to: MailRecipient(unconfirmed: email),
                    language: account.language ?? language, from: actor.network, now: now, in: tx)
                try insertEmailChange(code, to: email, of: account, now: now, in: tx)
                return true
            }
            guard account.emailVerifiedAt == nil, let email = account.email.flatMap({ EmailAddress($0) }) else {
                return false
            }
            try letters.postRequired(
                .verification(url: verificationURL(code)), to: MailRecipient(unconfirmed: email),
                language: account.language ?? language, from: actor.network, now: now, in: tx)
            try addVerification(code, to: email, of: account, now: now, in: tx)
            return true
        }
    }

    /// Confirms an address by the link in a mail: the current one, or a new one that replaces it.
    /// - Throws: ``AppError`` `not_found` when the link is unknown, used, expired, or for an address since replaced;
    ///   `conflict` when another account now has the new address.
    package func verifyEmail(code: String) async throws -> Account {
        guard let hash = Token.hash(shown: code) else { throw AppError(.notFound, .linkUnknown) }
        let now = clock.now
        let undoCode = Token.make(random: random)
        do {
            return try await database.write { [self] tx in
                if let person = try EmailChangeStore.person(codeHash: hash, now: now, in: tx) {
                    return try confirmEmailChange(hash, of: person, undoCode: undoCode, now: now, in: tx)
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
        try announce(account, now: now, in: tx)
        for dataHandler in dataHandlers { try dataHandler.emailConfirmed(account, now: now, in: tx) }
        return account
    }

    /// Queues the link that confirms a new account's email, and stores its code. Does nothing where mail isn't set up,
    /// or when too many mails were sent: the person can request the link again.
    func postVerification(
        code: String, to email: EmailAddress, of account: Account, language: String, from network: String,
        now: Instant, in tx: Transaction
    ) throws {
        guard let letters,
            try letters.post(
                .verification(url: verificationURL(code)), to: MailRecipient(unconfirmed: email),
                language: account.language ?? language, from: network, now: now, in: tx)
        else { return }
        try addVerification(code, to: email, of: account, now: now, in: tx)
    }

    private func addVerification(
        _ code: String, to email: EmailAddress, of account: Account, now: Instant, in tx: Transaction
    ) throws {
        let expiry = now.adding(seconds: Limits.verificationSeconds)
        try CodeStore.addVerification(
            Token.hash(code), for: account.id, emailKey: email.key, expiresAt: expiry, in: tx)
    }

    /// The link that confirms an email, the current one or a new one.
    func verificationURL(_ code: String) -> String { "\(siteURL)/email-verifications/\(code)" }
}

import Kernel
import Storage

extension AccountService {
    /// Sends the link for verifying the email once more. Nothing happens when it is verified, when mail isn't set
    /// up, or when the address got enough mail already.
    /// - Parameter language: of the mail, unless the account has one: `en` or `de`.
    package func requestVerification(_ actor: Actor, language: String = Languages.all[0]) async throws {
        let account = try await account(actor)
        guard sendsMail, account.emailVerifiedAt == nil, let email = account.email.flatMap({ EmailAddress($0) }) else {
            return
        }
        let code = Token.make(random: random)
        let now = clock.now
        do {
            try await database.write { [self] tx in
                try letterThrottle.reserve(email.key, now: now, in: tx)
                let expiry = now.adding(seconds: Limits.verificationSeconds)
                let hash = Token.hash(code)
                try CodeStore.addVerification(hash, for: account.id, emailKey: email.key, expiresAt: expiry, in: tx)
            }
        } catch let error as AppError where error.code == .throttled {
            return
        }
        sendVerification(code: code, to: email, of: account, language: language)
    }

    /// Notes that somebody followed the link in the verification mail.
    /// - Throws: ``AppError`` `not_found` when it is unknown, used, too old, or for an email since replaced.
    package func verifyEmail(code: String) async throws -> Account {
        guard let hash = Token.hash(shown: code) else { throw AppError(.notFound, .linkUnknown) }
        let now = clock.now
        return try await database.write { [self] tx in
            guard let (person, emailKey) = try CodeStore.takeVerification(hash, now: now, in: tx),
                let account = try AccountStore.lockedAccount(person, in: tx),
                account.email.flatMap({ EmailAddress($0)?.key }) == emailKey
            else { throw AppError(.notFound, .linkUnknown) }
            let verified = account.with(emailVerifiedAt: now, isOperator: account.isOperator)
            try AccountStore.update(verified, emailKey: emailKey, in: tx)
            try announce(verified, now: now, in: tx)
            return verified
        }
    }

    /// Waits until the mails that were asked for have been handed over; for an orderly end.
    package func finishLetters() async { await letters?.drain() }

    func sendVerification(code: String, to email: EmailAddress, of account: Account, language: String) {
        let text = LetterText(language: account.language ?? language)
        let letter = text.verification(
            to: email.text, name: account.name, url: "\(siteURL)/email-verifications/\(code)"
        )
        letters?.post { letter }
    }

    func sendEmailChanged(to old: EmailAddress, of account: Account, language: String) {
        let letter = LetterText(language: account.language ?? language).emailChanged(to: old.text, name: account.name)
        letters?.post { letter }
    }
}

extension Account {
    /// The next version of the account, with these two changed.
    func with(emailVerifiedAt: Instant?, isOperator: Bool) -> Account {
        Account(
            id: id, email: email, name: name, phone: phone, dateOfBirth: dateOfBirth, theme: theme,
            avatarPictureID: avatarPictureID, mapsApp: mapsApp, role: role, language: language, isOperator: isOperator,
            emailVerifiedAt: emailVerifiedAt, version: version + 1, createdAt: createdAt,
            isMadeByProvider: isMadeByProvider, appearance: appearance
        )
    }
}

import Kernel
import Storage

/// Enqueues the links that confirm an email address, and stores their codes.
struct VerificationMails: Sendable {
    let queue: MailQueue
    let links: AccountLinks

    /// Enqueues the link that confirms a new account's email, and stores its code. Does nothing when too many mails
    /// were sent: the person can request the link again.
    func enqueue(
        code: String, to email: EmailAddress, of account: Account, language: String, from network: String,
        now: Instant, in tx: Transaction
    ) throws {
        let isQueued = try queue.enqueue(
            .verification(url: links.verification(code)), to: MailRecipient(unconfirmed: email, of: account.id),
            language: account.language ?? language, from: network, now: now, in: tx)
        guard isQueued else { return }
        try insert(code, to: email, of: account, now: now, in: tx)
    }

    /// Enqueues the link that the person requested for the account's email, and stores its code.
    /// - Throws: ``AppError`` `throttled` or `unavailable` when the mail can't be queued.
    func enqueueRequired(
        code: String, to email: EmailAddress, of account: Account, language: String, from network: String,
        now: Instant, in tx: Transaction
    ) throws {
        try queue.enqueueRequired(
            .verification(url: links.verification(code)), to: MailRecipient(unconfirmed: email, of: account.id),
            language: language, from: network, now: now, in: tx)
        try insert(code, to: email, of: account, now: now, in: tx)
    }

    /// Enqueues the link that confirms a new email, and stores the pending change. An earlier code no longer works.
    /// - Throws: ``AppError`` `throttled` or `unavailable` when the mail can't be queued.
    func enqueueChange(
        code: String, to email: EmailAddress, of account: Account, language: String, from network: String,
        now: Instant, in tx: Transaction
    ) throws {
        // Without this mail, the change could never be confirmed.
        try queue.enqueueRequired(
            .emailChange(url: links.verification(code)), to: MailRecipient(unconfirmed: email, of: account.id),
            language: language, from: network, now: now, in: tx)
        try EmailChangeStore.insert(
            email, of: account.id, codeHash: Token.hash(code),
            expiresAt: now.adding(seconds: Limits.emailChangeSeconds), in: tx)
    }

    private func insert(
        _ code: String, to email: EmailAddress, of account: Account, now: Instant, in tx: Transaction
    ) throws {
        let expiry = now.adding(seconds: Limits.verificationSeconds)
        try CodeStore.addVerification(
            Token.hash(code), for: account.id, emailKey: email.key, expiresAt: expiry, in: tx)
    }
}

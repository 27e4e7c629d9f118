package import Kernel
package import Storage

/// Enqueues security notices by mail: messages that the account's owner must get outside this device.
package struct SecurityMails: Sendable {
    /// `nil` where mail isn't set up.
    let queue: MailQueue?
    let siteURL: String

    /// Enqueues a security notice, in the transaction of the change.
    /// - Parameter language: of the mail, unless the account has one.
    func enqueue(
        _ notice: AccountMail, to account: Account, language: String = Language.english.rawValue, now: Instant,
        in tx: Transaction
    ) throws {
        guard let queue, let owner = MailRecipient(ownerOf: account) else { return }
        try queue.enqueue(
            notice, to: owner, language: account.language ?? language, from: "person \(account.id)", now: now, in: tx)
    }

    /// Enqueues a security notice to a parent. Does nothing for an unknown person.
    package func enqueue(_ notice: FamilyNotice, to person: PersonID, now: Instant, in tx: Transaction) throws {
        guard let account = try AccountStore.account(person, in: tx) else { return }
        try enqueue(.family(notice, siteURL: siteURL), to: account, now: now, in: tx)
    }
}

package import Kernel
package import Storage

/// Queues security notices by mail: messages that the account's owner must get outside this device.
package struct SecurityMails: Sendable {
    /// `nil` where mail isn't set up.
    let queue: MailQueue?
    let siteURL: String

    /// Queues a security notice, in the transaction of the change.
    /// - Parameter language: of the mail, unless the account has one.
    func post(
        _ notice: AccountMail, to account: Account, language: String = Language.english.rawValue, now: Instant,
        in tx: Transaction
    ) throws {
        guard let queue, let owner = MailRecipient(ownerOf: account) else { return }
        try queue.post(
            notice, to: owner, language: account.language ?? language, from: "person \(account.id)", now: now, in: tx)
    }

    /// Queues a security notice to a parent. Does nothing for an unknown person.
    package func post(_ notice: FamilyNotice, to person: PersonID, now: Instant, in tx: Transaction) throws {
        guard let account = try AccountStore.account(person, in: tx) else { return }
        try post(.family(notice, siteURL: siteURL), to: account, now: now, in: tx)
    }
}

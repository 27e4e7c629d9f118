package import Kernel
package import Storage
import Synchronization

/// What a mail to the recipient of a package says. The recipient has no account.
package enum DeliveryNotice: String, Sendable, CaseIterable {
    /// The owner entered the recipient.
    case invited
    case accepted
    /// The carrier or the owner cancelled before the pickup.
    case waiting
    case pickedUp
    /// The carrier says that it has arrived.
    case reported
    case delivered
    case cancelled
}

/// Mails to the recipients of packages. They contain no text that a person entered, because the address may belong to
/// a stranger.
package final class DeliveryMails: Sendable {
    private struct Connection {
        let queue: MailQueue?
        let siteURL: String
    }

    private let connection = Mutex<Connection?>(nil)

    package init() {}

    func connect(_ queue: MailQueue?, siteURL: String) {
        connection.withLock { $0 = Connection(queue: queue, siteURL: siteURL) }
    }

    /// Whether mail is set up.
    package var isEnabled: Bool { connection.withLock { $0?.queue != nil } }

    /// Enqueues a mail in the transaction of the change. Does nothing where mail isn't set up, and after
    /// ``Limits/deliveryMailsPerRecipient`` mails.
    /// - Parameters:
    ///   - path: the path of the recipient's page.
    ///   - person: who caused the mail; `nil` for the clock.
    package func enqueue(
        _ notice: DeliveryNotice, path: String, to address: String, language: String?, by person: PersonID?,
        now: Instant, in tx: Transaction
    ) throws {
        guard let connection = connection.withLock(\.self), let queue = connection.queue,
            let address = EmailAddress(address)
        else { return }
        try queue.enqueue(
            .delivery(notice, url: connection.siteURL + path), to: MailRecipient(unconfirmed: address, of: nil),
            language: language ?? Language.english.rawValue, from: person.map { "person \($0)" } ?? "clock",
            now: now, in: tx)
    }
}

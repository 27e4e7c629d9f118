import Foundation
import Kernel
import Logging
import Storage

/// What a server that sends mail needs.
package struct MailSettings: Sendable {
    /// Sends a mail.
    package let mailer: any Mailer
    /// Seals the mails that wait: their links carry secrets.
    package let secrets: SecretBox

    /// Creates the settings.
    package init(mailer: any Mailer, secrets: SecretBox) {
        self.mailer = mailer
        self.secrets = secrets
    }
}

/// How a mail waits.
package enum MailLane: String, Sendable, CaseIterable {
    /// A link that was requested. Counted by recipient and network; dropped when too many were sent or are waiting.
    case account
    /// A notice of a change that its recipient may not have made: a changed email address, a new passkey, a linked
    /// identity. Sent by a task of its own: no other mail delays it. Counted, and dropped after too many, only where the
    /// address isn't confirmed or the notice can be caused again and again.
    case security

    var capacity: Int {
        switch self {
        case .account: Limits.mailQueue
        case .security: Limits.mailQueueSecurity
        }
    }
}

/// The sealed content of a row.
enum QueuedMail: Codable, Sendable, Equatable {
    /// A rendered mail.
    case letter(Letter)
    /// A request for a link to a new password. The account is looked up when the mail is sent, so that the request takes
    /// the same time for every address.
    case reset(email: String, language: String)
}

/// Counts mails of one group by recipient and by the network that requests them.
private struct MailThrottle {
    private let recipients: Throttle
    private let networks: Throttle

    /// - Parameter scope: the group.
    init(scope: String) {
        recipients = Throttle(
            scope: "\(scope)-recipient", limit: Limits.mailsPerRecipient, windowSeconds: Limits.mailThrottleSeconds,
            message: .recipientMailsThrottled)
        networks = Throttle(
            scope: "\(scope)-network", limit: Limits.mailsPerNetwork, windowSeconds: Limits.mailThrottleSeconds,
            message: .networkMailsThrottled)
    }

    /// - Throws: ``AppError`` `throttled` when the recipient or the network had too many.
    func count(_ recipient: String, from network: String, now: Instant, in tx: Transaction) throws {
        try networks.check(network, now: now, in: tx)
        try recipients.fail(recipient, now: now, in: tx)
        try networks.fail(network, now: now, in: tx)
    }
}

/// The mails that wait to be sent, in the store: what was queued with a change is sent after it, whatever happens to the
/// process. This is the one place where mails are queued, and where they are counted.
///
/// To send one: `try letters?.post(.verification(url: url), to: recipient, language: language, from: actor.network,
/// now: now, in: tx)`, in the transaction of the change that the mail is about.
final class MailQueue: Sendable {
    let mailer: any Mailer
    let logger: Logger
    private let secrets: SecretBox
    private let random: any RandomSource
    private typealias Wakes = (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    private let accountWakes: Wakes = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let securityWakes: Wakes = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))

    private let requested = MailThrottle(scope: "mail")
    /// Password resets, which anyone can request for any address. Their own counters keep them from using up those of
    /// the mails that the address's owner requests.
    private let resets = MailThrottle(scope: "reset")
    /// Links to new addresses, which any account can request for any address.
    private let addressChanges = MailThrottle(scope: "email-change")

    /// Security notices to an address that isn't confirmed, because it may belong to a stranger.
    private let noticeThrottle = Throttle(
        scope: "notice-recipient", limit: Limits.mailsPerRecipient, windowSeconds: Limits.mailThrottleSeconds
    )
    /// Notices that can be caused again and again. Their own counter keeps them from using up that of other notices.
    private let repeatableThrottle = Throttle(
        scope: "repeatable-recipient", limit: Limits.mailsPerRecipient, windowSeconds: Limits.mailThrottleSeconds
    )

    init(_ settings: MailSettings, random: any RandomSource, logger: Logger) {
        mailer = settings.mailer
        secrets = settings.secrets
        self.random = random
        self.logger = logger
    }

    /// A value whenever a lane may have a due mail; each stream has one reader.
    func signals(_ lane: MailLane) -> AsyncStream<Void> { wakes(lane).stream }

    /// Wakes the sender of a lane.
    func signal(_ lane: MailLane) { wakes(lane).continuation.yield() }

    private func wakes(_ lane: MailLane) -> Wakes {
        switch lane {
        case .account: accountWakes
        case .security: securityWakes
        }
    }

    /// Queues a mail in the transaction of the change that it belongs to. The mail's kind decides its lane.
    /// - Parameter network: where the request comes from: `actor.network` or `device.network`.
    /// - Returns: false when a mail of ``MailLane/account`` is dropped, because its recipient or the network had too many,
    ///   or too many wait; or a security notice that is counted, because its recipient had too many. The change is made
    ///   without it.
    /// - Throws: ``AppError`` `unavailable` when too many security notices wait: no change is made without its notice.
    @discardableResult
    func post(
        _ mail: AccountMail, to recipient: MailRecipient, language: String, from network: String, now: Instant,
        in tx: Transaction
    ) throws -> Bool {
        let letter = mail.letter(to: recipient, language: language)
        switch mail.lane {
        case .account:
            return try post(
                .letter(letter), to: letter.to, from: network, countedBy: throttle(of: mail),
                keptSeconds: Limits.mailKeptSeconds, now: now, in: tx)
        case .security:
            let throttles = [
                recipient.isConfirmed ? nil : noticeThrottle, mail.isRepeatableWithoutProof ? repeatableThrottle : nil,
            ].compactMap(\.self)
            let isAllowed = try isAllowed {
                for throttle in throttles { try throttle.check(key(recipient.address), now: now, in: tx) }
                for throttle in throttles { try throttle.fail(key(recipient.address), now: now, in: tx) }
            }
            guard isAllowed else { return false }
            try insertRequired(letter, lane: .security, now: now, in: tx)
            return true
        }
    }

    /// Queues a mail without which its change, or the answer to its request, makes no sense.
    /// - Throws: ``AppError`` `throttled` when its recipient or the network had too many; `unavailable` when too many wait.
    func postRequired(
        _ mail: AccountMail, to recipient: MailRecipient, language: String, from network: String, now: Instant,
        in tx: Transaction
    ) throws {
        try throttle(of: mail).count(key(recipient.address), from: network, now: now, in: tx)
        try insertRequired(mail.letter(to: recipient, language: language), lane: mail.lane, now: now, in: tx)
    }

    private func throttle(of mail: AccountMail) -> MailThrottle {
        if case .emailChange = mail { return addressChanges }
        return requested
    }

    private func insertRequired(_ letter: Letter, lane: MailLane, now: Instant, in tx: Transaction) throws {
        guard try insert(.letter(letter), lane: lane, keptSeconds: Limits.mailKeptSeconds, now: now, in: tx) else {
            throw AppError(.unavailable, .mailQueueFull)
        }
    }

    /// Queues the request for a link to a new password, whether or not the address has an account.
    @discardableResult
    func post(
        resetFor email: EmailAddress, language: String, from network: String, now: Instant, in tx: Transaction
    ) throws -> Bool {
        try post(
            .reset(email: email.text, language: language), to: email.text, from: network, countedBy: resets,
            keptSeconds: Limits.passwordResetSeconds, now: now, in: tx
        )
    }

    private func post(
        _ mail: QueuedMail, to recipient: String, from network: String, countedBy throttle: MailThrottle,
        keptSeconds: Int64, now: Instant, in tx: Transaction
    ) throws -> Bool {
        guard try isAllowed({ try throttle.count(key(recipient), from: network, now: now, in: tx) }) else {
            return false
        }
        return try insert(mail, lane: .account, keptSeconds: keptSeconds, now: now, in: tx)
    }

    /// - Returns: false when the count throws ``AppError`` `throttled`.
    private func isAllowed(_ count: () throws -> Void) throws -> Bool {
        do {
            try count()
            return true
        } catch let error as AppError where error.code == .throttled {
            logger.notice("A mail was not queued: its recipient or the network had too many")
            return false
        }
    }

    /// By what mails to an address are counted.
    private func key(_ address: String) -> String { EmailAddress(address)?.key ?? address }

    /// - Returns: false when too many wait.
    private func insert(
        _ mail: QueuedMail, lane: MailLane, keptSeconds: Int64, now: Instant, in tx: Transaction
    ) throws -> Bool {
        guard try MailStore.count(lane, upTo: lane.capacity, in: tx) < lane.capacity else {
            logger.error("The mail queue is full", metadata: ["lane": "\(lane.rawValue)"])
            return false
        }
        let random = random
        let id = ID<QueuedMail>(at: now, random: random)
        let row = MailStore.New(
            id: id, lane: lane, sealed: try seal(mail), createdAt: now,
            expiresAt: now.adding(seconds: keptSeconds)
        )
        try MailStore.insert(row, in: tx)
        tx.afterCommit { [self] in signal(lane) }
        return true
    }

    func seal(_ mail: QueuedMail) throws -> [UInt8] { try secrets.seal(Array(JSONEncoder().encode(mail))) }

    func open(_ sealed: [UInt8]) throws -> QueuedMail {
        try JSONDecoder().decode(QueuedMail.self, from: Data(secrets.open(sealed)))
    }
}

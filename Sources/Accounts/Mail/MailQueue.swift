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
    /// A link that someone asked for. Counted by recipient and network; dropped when too many were sent or wait.
    case account
    /// A notice of a change that its recipient may not have made: a changed email address, a new passkey, a linked
    /// identity. Sent before the others, never counted, and never dropped because of them.
    case security

    var capacity: Int {
        switch self {
        case .account: Limits.mailQueue
        case .security: Limits.mailQueueSecurity
        }
    }
}

/// What waits, as it is sealed.
enum QueuedMail: Codable, Sendable, Equatable {
    /// A mail as it is sent.
    case letter(Letter)
    /// Someone asked for a link to a new password. Whether the address has an account is looked up when the mail is sent,
    /// so that the request takes the same time for every address.
    case reset(email: String, language: String)
}

/// The mails that wait to be sent, in the store: what was queued with a change is sent after it, whatever happens to the
/// process. This is the one place where mails are queued, and where they are counted.
///
/// To send one: `try letters?.post(letter, lane: .security, from: actor.network, now: now, in: tx)`, in the transaction of
/// the change that it tells of.
final class MailQueue: Sendable {
    let mailer: any Mailer
    let logger: Logger
    private let secrets: SecretBox
    private let random: any RandomSource
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    private let recipientThrottle = Throttle(
        scope: "mail-recipient", limit: Limits.mailsPerRecipient, windowSeconds: Limits.mailThrottleSeconds
    )
    private let networkThrottle = Throttle(
        scope: "mail-network", limit: Limits.mailsPerNetwork, windowSeconds: Limits.mailThrottleSeconds
    )

    init(_ settings: MailSettings, random: any RandomSource, logger: Logger) {
        mailer = settings.mailer
        secrets = settings.secrets
        self.random = random
        self.logger = logger
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Something that may be due; one reader.
    var signals: AsyncStream<Void> { wakes }

    /// Has the queue looked at.
    func signal() { wake.yield() }

    /// Queues a mail in the transaction of the change that it belongs to.
    /// - Parameters:
    ///   - lane: ``MailLane/security`` for a notice that its recipient must get, whoever else asks for mails.
    ///   - network: where the request comes from: `actor.network` or `device.network`.
    /// - Returns: false when the mail is dropped, because its recipient or the network had too many, or too many wait. The
    ///   change goes on without it.
    @discardableResult
    func post(
        _ letter: Letter, lane: MailLane = .account, from network: String, now: Instant, in tx: Transaction
    ) throws -> Bool {
        try post(.letter(letter), to: letter.to, lane: lane, from: network, keptSeconds: nil, now: now, in: tx)
    }

    /// Queues a mail without which its change makes no sense.
    /// - Throws: ``AppError`` `throttled` when its recipient or the network had too many; `unavailable` when too many wait.
    func postRequired(_ letter: Letter, from network: String, now: Instant, in tx: Transaction) throws {
        try count(to: letter.to, from: network, now: now, in: tx)
        guard try insert(.letter(letter), lane: .account, keptSeconds: nil, now: now, in: tx) else {
            throw AppError(.unavailable, .mailQueueFull)
        }
    }

    /// Queues the request for a link to a new password, alike for an address with an account and for one without.
    @discardableResult
    func post(
        resetFor email: EmailAddress, language: String, from network: String, now: Instant, in tx: Transaction
    ) throws -> Bool {
        try post(
            .reset(email: email.text, language: language), to: email.text, lane: .account, from: network,
            keptSeconds: Limits.passwordResetSeconds, now: now, in: tx
        )
    }

    private func post(
        _ mail: QueuedMail, to recipient: String, lane: MailLane, from network: String, keptSeconds: Int64?,
        now: Instant, in tx: Transaction
    ) throws -> Bool {
        if lane == .account {
            do {
                try count(to: recipient, from: network, now: now, in: tx)
            } catch let error as AppError where error.code == .throttled {
                logger.notice("A mail was not queued: its recipient or the network had too many")
                return false
            }
        }
        return try insert(mail, lane: lane, keptSeconds: keptSeconds, now: now, in: tx)
    }

    /// - Returns: false when too many wait.
    private func insert(
        _ mail: QueuedMail, lane: MailLane, keptSeconds: Int64?, now: Instant, in tx: Transaction
    ) throws -> Bool {
        guard try MailStore.count(lane, upTo: lane.capacity, in: tx) < lane.capacity else {
            logger.error("A mail was dropped because too many wait", metadata: ["lane": "\(lane.rawValue)"])
            return false
        }
        let random = random
        let id = ID<QueuedMail>(at: now, random: random)
        let row = MailStore.New(
            id: id, lane: lane, sealed: try seal(mail), createdAt: now,
            expiresAt: now.adding(seconds: keptSeconds ?? Limits.mailKeptSeconds)
        )
        try MailStore.insert(row, in: tx)
        tx.afterCommit { [wake] in wake.yield() }
        return true
    }

    /// - Throws: ``AppError`` `throttled` when its recipient or the network had too many.
    private func count(to recipient: String, from network: String, now: Instant, in tx: Transaction) throws {
        try networkThrottle.check(network, now: now, in: tx)
        try recipientThrottle.fail(EmailAddress(recipient)?.key ?? recipient, now: now, in: tx)
        try networkThrottle.fail(network, now: now, in: tx)
    }

    func seal(_ mail: QueuedMail) throws -> [UInt8] { try secrets.seal(Array(JSONEncoder().encode(mail))) }

    func open(_ sealed: [UInt8]) throws -> QueuedMail {
        try JSONDecoder().decode(QueuedMail.self, from: Data(secrets.open(sealed)))
    }
}

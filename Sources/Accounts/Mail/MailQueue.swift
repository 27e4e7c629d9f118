import Foundation
import Jobs
import Kernel
import Logging
import Storage

/// The settings of a server that sends mail.
package struct MailSettings: Sendable {
    package let mailer: any Mailer
    /// Seals the queued mails: their links contain secrets.
    package let secrets: SecretBox

    package init(mailer: any Mailer, secrets: SecretBox) {
        self.mailer = mailer
        self.secrets = secrets
    }
}

/// The priority class of a queued mail.
package enum MailLane: String, Sendable, CaseIterable {
    /// A requested link. Counted by recipient and network. Dropped when too many were sent or are queued.
    case account
    /// A notice of a change that its recipient may not have made: a changed email address, a new passkey, a linked
    /// identity. It has its own task, so no other mail delays it. Counted, and dropped after too many, only where the
    /// address isn't confirmed or the notice can be caused repeatedly.
    case security

    /// The job lane. A dead security notice can be retried, so that its recipient still learns of the change. A dead
    /// mail with a requested link has no contents: the person requests it again.
    var jobLane: JobLane {
        let milliseconds: Int64 = 1_000
        return JobLane(
            name: "mail-\(rawValue)", capacity: capacity, leaseSeconds: Limits.mailLeaseSeconds,
            backOff: ExponentialBackOff(
                firstMilliseconds: Limits.mailRetrySeconds * milliseconds,
                maximumMilliseconds: Limits.mailRetrySecondsMaximum * milliseconds),
            retainsDeadPayloads: self == .security)
    }

    private var capacity: Int {
        switch self {
        case .account: Limits.mailQueue
        case .security: Limits.mailQueueSecurity
        }
    }
}

/// The sealed payload of a job.
enum QueuedMail: Codable, Sendable, Equatable {
    /// A rendered mail.
    case email(Email)
    /// A request for a link to a new password. The account is looked up when the mail is sent, so that the request
    /// takes the same time for every address.
    case reset(email: String, language: String)

    // The names in stored payloads never change.
    private enum CodingKeys: String, CodingKey {
        case email = "letter"
        case reset
    }
}

/// Counts mails of one group by recipient and by the requesting network.
private struct MailThrottle {
    private let recipients: Throttle
    private let networks: Throttle

    /// - Parameters:
    ///   - scope: the group.
    ///   - perRecipient: the mails to one address in ``Limits/mailThrottleSeconds``.
    init(scope: String, perRecipient: Int = Limits.mailsPerRecipient) {
        recipients = Throttle(
            scope: "\(scope)-recipient", limit: perRecipient, windowSeconds: Limits.mailThrottleSeconds,
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

/// Enqueues mails as jobs. A mail that is queued with a change is sent after it, even if the process ends. All mails
/// are queued and counted here.
///
/// To send one: `try mailQueue?.enqueue(.verification(url: url), to: recipient, language: language, from:
/// actor.network, now: now, in: tx)`, in the transaction of the change that the mail is about.
final class MailQueue: Sendable {
    let mailer: any Mailer
    let logger: Logger
    private let secrets: SecretBox
    private let accountJobs: JobQueue
    private let securityJobs: JobQueue

    private let requested = MailThrottle(scope: "mail")
    /// Password resets, which anyone can request for any address. With counters of their own, they don't use up those
    /// of the mails that the address's owner requests.
    private let resets = MailThrottle(scope: "reset")
    /// Links to new addresses, which any account can request for any address.
    private let addressChanges = MailThrottle(scope: "email-change")
    /// Mails to the recipients of packages, whose addresses the owners enter.
    private let deliveries = MailThrottle(scope: "delivery", perRecipient: Limits.deliveryMailsPerRecipient)

    /// Security notices to an address that isn't confirmed, because it may belong to a stranger.
    private let noticeThrottle = Throttle(
        scope: "notice-recipient", limit: Limits.mailsPerRecipient, windowSeconds: Limits.mailThrottleSeconds
    )
    /// Notices that can be caused repeatedly. With a counter of their own, they don't use up that of other notices.
    private let repeatableThrottle = Throttle(
        scope: "repeatable-recipient", limit: Limits.mailsPerRecipient, windowSeconds: Limits.mailThrottleSeconds
    )

    init(_ settings: MailSettings, random: any RandomSource, logger: Logger) {
        mailer = settings.mailer
        secrets = settings.secrets
        self.logger = logger
        accountJobs = JobQueue(lane: MailLane.account.jobLane, random: random, logger: logger)
        securityJobs = JobQueue(lane: MailLane.security.jobLane, random: random, logger: logger)
    }

    /// The jobs of a lane.
    func jobs(_ lane: MailLane) -> JobQueue {
        switch lane {
        case .account: accountJobs
        case .security: securityJobs
        }
    }

    /// Enqueues a mail in the transaction of the change that it belongs to. The mail's kind decides its lane.
    /// - Parameter network: the network of the request: `actor.network` or `device.network`.
    /// - Returns: false when a mail of ``MailLane/account`` is dropped, because its recipient or the network had too
    ///   many or the queue is full; or when a counted security notice is dropped, because its recipient had too many.
    ///   The change is made without the mail.
    /// - Throws: ``AppError`` `unavailable` when the queue of security notices is full: no change is made without its
    ///   notice.
    @discardableResult
    func enqueue(
        _ mail: AccountMail, to recipient: MailRecipient, language: String, from network: String, now: Instant,
        in tx: Transaction
    ) throws -> Bool {
        let email = mail.email(to: recipient, language: language)
        switch mail.lane {
        case .account:
            return try enqueueCounted(
                .email(email), kind: mail.kind, to: email.to, from: network, countedBy: throttle(of: mail),
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
            try insert(email, of: mail, now: now, in: tx)
            return true
        }
    }

    /// Enqueues a mail that its change, or the response to its request, depends on.
    /// - Throws: ``AppError`` `throttled` when its recipient or the network had too many; `unavailable` when the queue
    ///   is full.
    func enqueueRequired(
        _ mail: AccountMail, to recipient: MailRecipient, language: String, from network: String, now: Instant,
        in tx: Transaction
    ) throws {
        try throttle(of: mail).count(key(recipient.address), from: network, now: now, in: tx)
        try insert(mail.email(to: recipient, language: language), of: mail, now: now, in: tx)
    }

    private func throttle(of mail: AccountMail) -> MailThrottle {
        switch mail {
        case .emailChange: addressChanges
        case .delivery: deliveries
        default: requested
        }
    }

    /// - Throws: ``AppError`` `unavailable` when the queue is full.
    private func insert(_ email: Email, of mail: AccountMail, now: Instant, in tx: Transaction) throws {
        let isQueued = try insert(
            .email(email), kind: mail.kind, to: email.to, lane: mail.lane, keptSeconds: Limits.mailKeptSeconds,
            now: now, in: tx)
        guard isQueued else { throw AppError(.unavailable, .mailQueueFull) }
    }

    /// Enqueues the request for a link to a new password, whether or not the address has an account.
    @discardableResult
    func enqueueReset(
        for email: EmailAddress, language: String, from network: String, now: Instant, in tx: Transaction
    ) throws -> Bool {
        try enqueueCounted(
            .reset(email: email.text, language: language), kind: AccountMail.resetKind, to: email.text, from: network,
            countedBy: resets, keptSeconds: Limits.passwordResetSeconds, now: now, in: tx
        )
    }

    private func enqueueCounted(
        _ mail: QueuedMail, kind: String, to recipient: String, from network: String, countedBy throttle: MailThrottle,
        keptSeconds: Int64, now: Instant, in tx: Transaction
    ) throws -> Bool {
        guard try isAllowed({ try throttle.count(key(recipient), from: network, now: now, in: tx) }) else {
            return false
        }
        return try insert(
            mail, kind: kind, to: recipient, lane: .account, keptSeconds: keptSeconds, now: now, in: tx)
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

    /// Returns the counter key of an address.
    private func key(_ address: String) -> String { EmailAddress(address)?.key ?? address }

    /// - Returns: false when the queue is full.
    private func insert(
        _ mail: QueuedMail, kind: String, to recipient: String, lane: MailLane, keptSeconds: Int64, now: Instant,
        in tx: Transaction
    ) throws -> Bool {
        let job = NewJob(
            kind: kind, subject: fingerprint(of: recipient), payload: try seal(mail),
            expiresAt: now.adding(seconds: keptSeconds))
        return try jobs(lane).enqueue(job, now: now, in: tx)
    }

    /// Returns a keyed hash of an address. Administrators recognize mails to one recipient by it, without the address.
    func fingerprint(of address: String) -> String {
        let mark = secrets.mark(Array(key(address).utf8), purpose: "recipient of a mail")
        return Hexadecimal.encoded(mark.prefix(Limits.recipientFingerprintBytes))
    }

    func seal(_ mail: QueuedMail) throws -> [UInt8] { try secrets.seal(Array(JSONEncoder().encode(mail))) }

    func open(_ sealed: [UInt8]) throws -> QueuedMail {
        try JSONDecoder().decode(QueuedMail.self, from: Data(secrets.open(sealed)))
    }
}

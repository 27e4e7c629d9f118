import Kernel
import Logging
import Storage

/// Sends the queued mails. Any number of servers on one database may do so at once: each mail is leased to one of them.
/// A server that is killed after it sent a mail and before it removed the row sends the mail a second time.
package struct MailSender: Sendable {
    let database: Database
    /// `nil` where mail isn't set up.
    let queue: MailQueue?
    let resetLinks: PasswordResetLinks
    let clock: any WallClock
    let random: any RandomSource

    /// Sends due mails until the task is cancelled: whenever this process queued one, and every
    /// ``Limits/mailLookSeconds`` those of other processes. Each lane has its own task. A mail that is being sent is
    /// finished.
    package func sendMails() async {
        guard let queue else { return }
        await withTaskGroup { group in
            for lane in MailLane.allCases {
                group.addTask {
                    queue.signal(lane)
                    for await _ in queue.signals(lane) { await sendDueMails(lane) }
                }
            }
        }
    }

    /// Wakes the senders.
    package func wake() {
        for lane in MailLane.allCases { queue?.signal(lane) }
    }

    /// Sends the mails that are due, one after another, security notices first.
    package func sendDueMails() async {
        await sendDueMails(.security)
        await sendDueMails(.account)
    }

    private func sendDueMails(_ lane: MailLane) async {
        guard let queue else { return }
        do {
            while !Task.isCancelled {
                let now = clock.now
                guard try await database.read({ try MailStore.isAnyDue(lane, now: now, in: $0) }) else { return }
                switch try await database.write({ try MailStore.lease(lane, now: now, in: $0) }) {
                case .nothing: return
                case .contended: continue
                case .leased(let mail):
                    // A separate task, so that a server that stops finishes the mail it has begun.
                    await Task { await send(mail, queue) }.value
                }
            }
        } catch {
            queue.logger.error("The mail queue could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func send(_ mail: MailStore.Leased, _ queue: MailQueue) async {
        do {
            if let email = try await email(of: mail, queue) {
                try await queue.mailer.send(to: email.to, subject: email.subject, body: email.body)
            }
            try await database.write { tx in try MailStore.remove(mail, in: tx) }
        } catch MailFailure.unsafeHeader {
            queue.logger.error("A mail can't be sent: its address or subject is not safe")
            try? await database.write { tx in try MailStore.remove(mail, in: tx) }
        } catch {
            queue.logger.error("A mail was not sent; it is tried again", metadata: ["error": "\(error)"])
            let next = clock.now.adding(seconds: Self.pauseSeconds(afterTries: mail.attempts))
            try? await database.write { tx in try MailStore.postpone(mail, until: next, in: tx) }
        }
    }

    private static func pauseSeconds(afterTries tries: Int64) -> Int64 {
        let doublings = Int(min(max(0, tries - 1), 16))
        return min(Limits.mailRetrySeconds << doublings, Limits.mailRetrySecondsMaximum)
    }

    /// Returns the mail to send; `nil` for a password reset of an address without an account.
    private func email(of mail: MailStore.Leased, _ queue: MailQueue) async throws -> Email? {
        switch try queue.open(mail.sealed) {
        case .letter(let letter): return letter
        case .reset(let typed, let language):
            guard let email = EmailAddress(typed) else { return nil }
            let code = Token.make(random: random)
            let now = clock.now
            return try await database.write { tx in
                guard let account = try AccountStore.account(emailKey: email.key, in: tx) else { return nil }
                guard let recipient = MailRecipient(ownerOf: account) else { return nil }
                let content: AccountMail
                if recipient.isConfirmed {
                    content = .reset(url: try resetLinks.insert(code, of: account, now: now, in: tx))
                } else {
                    // An address that was never confirmed may be a stranger's: no code is stored for a mail to it.
                    content = .resetUnconfirmed
                }
                let letter = content.email(to: recipient, language: account.language ?? language)
                try MailStore.replace(mail, by: queue.seal(.letter(letter)), in: tx)
                return letter
            }
        }
    }
}

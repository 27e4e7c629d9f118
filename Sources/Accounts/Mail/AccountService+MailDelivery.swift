import Kernel
import Logging
import Storage

/// Sends the queued mails. Any number of servers on one database may do so at once: each mail is leased to one of them.
/// A server that is killed after it sent a mail and before it removed the row sends the mail a second time.
extension AccountService {
    /// Sends due mails until the task is cancelled: whenever this process queued one, and every
    /// ``Limits/mailLookSeconds`` those of other processes. Each lane has its own task. A mail that is being sent is
    /// finished.
    package func sendMails() async {
        guard let letters else { return }
        await withTaskGroup { group in
            for lane in MailLane.allCases {
                group.addTask { [self] in
                    letters.signal(lane)
                    for await _ in letters.signals(lane) { await sendDueMails(lane) }
                }
            }
        }
    }

    /// Wakes the senders.
    package func wakeMailSenders() {
        for lane in MailLane.allCases { letters?.signal(lane) }
    }

    /// Sends the mails that are due, one after another, security notices first.
    package func sendDueMails() async {
        await sendDueMails(.security)
        await sendDueMails(.account)
    }

    private func sendDueMails(_ lane: MailLane) async {
        guard let letters else { return }
        do {
            while !Task.isCancelled {
                let now = clock.now
                guard try await database.read({ try MailStore.isAnyDue(lane, now: now, in: $0) }) else { return }
                switch try await database.write({ try MailStore.lease(lane, now: now, in: $0) }) {
                case .nothing: return
                case .contended: continue
                case .leased(let mail):
                    // A separate task, so that a server that stops finishes the mail it has begun.
                    await Task { await send(mail, letters) }.value
                }
            }
        } catch {
            letters.logger.error("The mail queue could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func send(_ mail: MailStore.Leased, _ letters: MailQueue) async {
        do {
            if let letter = try await letter(of: mail, letters) {
                try await letters.mailer.send(to: letter.to, subject: letter.subject, body: letter.body)
            }
            try await database.write { tx in try MailStore.remove(mail, in: tx) }
        } catch MailFailure.unsafeHeader {
            letters.logger.error("A mail can't be sent: its address or subject is not safe")
            try? await database.write { tx in try MailStore.remove(mail, in: tx) }
        } catch {
            letters.logger.error("A mail was not sent; it is tried again", metadata: ["error": "\(error)"])
            let next = clock.now.adding(seconds: Self.pauseSeconds(afterTries: mail.attempts))
            try? await database.write { tx in try MailStore.postpone(mail, until: next, in: tx) }
        }
    }

    private static func pauseSeconds(afterTries tries: Int64) -> Int64 {
        let doublings = Int(min(max(0, tries - 1), 16))
        return min(Limits.mailRetrySeconds << doublings, Limits.mailRetrySecondsMaximum)
    }

    /// Returns the mail to send; `nil` for a password reset of an address without an account.
    private func letter(of mail: MailStore.Leased, _ letters: MailQueue) async throws -> Email? {
        switch try letters.open(mail.sealed) {
        case .letter(let letter): return letter
        case .reset(let typed, let language):
            guard let email = EmailAddress(typed) else { return nil }
            let code = Token.make(random: random)
            let now = clock.now
            return try await database.write { [self] tx in
                guard let account = try AccountStore.account(emailKey: email.key, in: tx) else { return nil }
                guard let recipient = MailRecipient(ownerOf: account) else { return nil }
                let content: AccountMail
                if recipient.isConfirmed {
                    try addReset(code, of: account, now: now, in: tx)
                    content = .reset(url: resetURL(code))
                } else {
                    // An address that was never confirmed may be a stranger's: no code is stored for a mail to it.
                    content = .resetUnconfirmed
                }
                let letter = content.letter(to: recipient, language: account.language ?? language)
                try MailStore.replace(mail, by: letters.seal(.letter(letter)), in: tx)
                return letter
            }
        }
    }
}

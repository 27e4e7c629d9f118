package import Jobs
import Kernel
import Logging
import Storage

/// Sends the queued mails. Any number of servers on one database may do so at once: each mail is leased to one of them.
/// A server that is killed after it sent a mail and before it removed the job sends the mail a second time.
package struct MailSender: Sendable {
    let database: Database
    /// `nil` where mail isn't set up.
    let queue: MailQueue?
    let resetLinks: PasswordResetLinks
    let log: MailLog
    let siteURL: String
    let clock: any WallClock
    let random: any RandomSource

    /// The queues of all lanes; none where mail isn't set up.
    package var queues: [JobQueue] { queue.map { queue in MailLane.allCases.map(queue.jobs) } ?? [] }

    /// Sends due mails until the task is cancelled. Each lane has its own worker, so no mail delays one of the other
    /// lane. A mail that is being sent is finished.
    package func sendMails() async {
        guard let queue else { return }
        await withTaskGroup { group in
            for lane in MailLane.allCases {
                group.addTask { await worker(lane, queue).run() }
            }
        }
    }

    /// Sends the mails that are due, one after another, security notices first.
    package func sendDueMails() async {
        guard let queue else { return }
        await moveEarlierMails()
        for lane in [MailLane.security, .account] { await worker(lane, queue).performDueJobs() }
    }

    /// Moves the mails that servers of earlier versions queued. For a periodic job: such servers may run during a
    /// rolling update.
    package func moveEarlierMails() async {
        guard let queue else { return }
        let now = clock.now
        do {
            for lane in MailLane.allCases {
                let jobs = queue.jobs(lane)
                guard try await database.read({ try EarlierMailStore.isAnyDue(lane, now: now, in: $0) }) else {
                    continue
                }
                while try await database.write({ try EarlierMailStore.move(lane, to: jobs, now: now, in: $0) }) > 0 {}
            }
        } catch {
            queue.logger.error("The mails of an earlier version could not be moved", metadata: ["error": "\(error)"])
        }
    }

    private func worker(_ lane: MailLane, _ queue: MailQueue) -> JobWorker {
        JobWorker(
            queue: queue.jobs(lane), database: database, clock: clock,
            perform: { job in
                try await send(job, lane, queue)
                return .done
            })
    }

    private func send(_ job: LeasedJob, _ lane: MailLane, _ queue: MailQueue) async throws {
        guard let email = try await email(of: job, lane, queue) else { return }
        let mail = OutgoingMail(email, id: "\(job.id)", date: clock.now, siteURL: siteURL)
        do {
            let reply = try await queue.mailer.send(mail)
            await record(email, job, lane, reply: reply)
        } catch let error as CancellationError {
            throw error
        } catch {
            let failure = MailFailure(error)
            await record(email, job, lane, failure: failure)
            if [.credentialsRefused, .credentialsUnsupported].contains(failure.message) {
                // Until an administrator corrects the settings, no mail is sent.
                queue.logger.error("The mail server refused the user name or the password: check HOMEWARD_SMTP_URL")
            }
            throw error is MailFailure ? JobFailure(failure.reason, isFinal: failure.isFinal) : error
        }
    }

    private func record(
        _ email: Email, _ job: LeasedJob, _ lane: MailLane, reply: MailReply? = nil, failure: MailFailure? = nil
    ) async {
        await log.record(
            email, id: job.id, kind: job.kind, lane: lane, attempt: job.attempt, reply: reply, failure: failure)
    }

    /// Returns the mail to send; `nil` for a password reset of an address without an account.
    private func email(of job: LeasedJob, _ lane: MailLane, _ queue: MailQueue) async throws -> Email? {
        switch try queue.open(job.payload) {
        case .email(let email): return email
        case .reset(let typed, let language):
            guard let address = EmailAddress(typed) else { return nil }
            let code = Token.make(random: random)
            let now = clock.now
            return try await database.write { tx in
                guard let account = try AccountStore.account(emailKey: address.key, in: tx) else { return nil }
                guard let recipient = MailRecipient(ownerOf: account) else { return nil }
                let content: AccountMail
                if recipient.isConfirmed {
                    content = .reset(url: try resetLinks.insert(code, of: account, now: now, in: tx))
                } else {
                    // An address that was never confirmed may be a stranger's: no code is stored for a mail to it.
                    content = .resetUnconfirmed
                }
                let email = content.email(to: recipient, language: account.language ?? language)
                try queue.jobs(lane).replacePayload(of: job, by: queue.seal(.email(email)), in: tx)
                return email
            }
        }
    }
}

import Jobs
import Kernel
import Logging
import Storage

/// Records the results of mails. A mail is sent even if its result can't be recorded.
struct MailLog: Sendable {
    let database: Database
    let clock: any WallClock
    let logger: Logger

    /// Records the result of an attempt. Nothing is recorded about an account that was deleted since.
    /// - Parameter failure: `nil` for a mail that was accepted.
    func record(
        _ email: Email, id: ID<NewJob>, kind: String, lane: MailLane, attempt: Int, reply: MailReply?,
        failure: MailFailure?
    ) async {
        let result: MailLogEntry.Result =
            switch failure?.isFinal {
            case nil: .sent
            case false?: .retried
            case true?: .failed
            }
        let entry = MailLogEntry(
            id: id, updatedAt: clock.now, recipient: email.to, kind: kind, lane: lane, result: result,
            message: failure?.message, reply: failure?.reply ?? reply, attempts: attempt)
        do {
            try await database.write { tx in
                let (account, isDeleted) = try MailLogStore.account(of: email, in: tx)
                guard !isDeleted else { return }
                try MailLogStore.record(entry, account: account, in: tx)
            }
        } catch {
            logger.warning("The result of a mail could not be recorded", metadata: ["error": "\(error)"])
        }
    }

    /// Deletes entries that are older than ``Limits/mailLogDays``, and those above ``Limits/mailLogRows``. For a
    /// periodic job.
    static func prune(_ database: Database, now: Instant) async throws {
        let secondsPerDay: Int64 = 24 * 60 * 60
        let before = now.adding(seconds: -Limits.mailLogDays * secondsPerDay)
        while try await database.write({ tx in
            try MailLogStore.prune(before: before, keeping: Limits.mailLogRows, in: tx)
        }) > 0 {}
    }
}

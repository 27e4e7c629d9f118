import Jobs
import Kernel

/// Sends test mails. For administrators only; the caller checks that.
package struct MailTestService: Sendable {
    let mailer: any Mailer
    let log: MailLog
    let siteURL: String
    let clock: any WallClock
    let random: any RandomSource

    /// Sends a test mail at once, without the queue.
    /// - Parameter language: of the mail.
    /// - Returns: why the mail wasn't accepted; `nil` for a mail that was.
    /// - Throws: ``AppError`` `invalid` at `email` for a malformed address.
    package func send(to typed: String, language: String) async throws -> MailFailure? {
        var check = FieldErrors<AccountMessage>()
        let address = check.email(typed)
        try check.finish()
        guard let address else { throw AppError(.invalid, .emailMalformed) }
        let content = AccountMail.test(siteURL: siteURL)
        let email = content.email(to: MailRecipient(unconfirmed: address, of: nil), language: language)
        let now = clock.now
        let id = ID<NewJob>(at: now, random: random)
        var reply: MailReply?
        var failure: MailFailure?
        do {
            reply = try await mailer.send(OutgoingMail(email, id: "\(id)", date: now, siteURL: siteURL))
        } catch let error as CancellationError {
            throw error
        } catch {
            failure = MailFailure(error)
        }
        // It isn't repeated.
        await log.record(
            email, id: id, kind: content.kind, lane: content.lane, attempt: 1, reply: reply, failure: failure)
        return failure
    }
}

extension MailFailure {
    /// The failure that an error of a mailer stands for: a command that can't be started throws another error.
    init(_ error: any Error) { self = error as? MailFailure ?? .refused }
}

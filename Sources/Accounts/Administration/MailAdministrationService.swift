package import Kernel
import Storage

/// The log of mails, and test mails, for administrators.
package struct MailAdministrationService: Sendable {
    let database: Database
    let log: MailLogReader
    /// `nil` where mail isn't set up.
    let tests: MailTestService?
    let audit: AuditLog
    let clock: any WallClock
    private static let throttle = Throttle(
        scope: "test-mail", limit: Limits.testMails, windowSeconds: Limits.mailThrottleSeconds)

    /// Whether mail is set up.
    package var sendsMail: Bool { tests != nil }

    /// Returns a page of the log, the latest attempt first.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `invalid` for a malformed cursor.
    package func list(for actor: Actor, after cursor: String?, limit: Int) async throws -> ListPage<MailLogEntry> {
        try await database.read { tx in _ = try AdministratorPolicy.require(actor, in: tx) }
        return try await log.page(after: cursor, limit: limit)
    }

    /// Sends a test mail at once.
    /// - Returns: why the mail wasn't accepted; `nil` for a mail that was.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `conflict` where mail isn't set up;
    ///   `invalid` with `fields.email`; `throttled` after ``Limits/testMails``.
    package func sendTest(to email: String?, language: String, by actor: Actor) async throws -> MailFailure? {
        let now = clock.now
        try await database.write { tx in
            let administrator = try AdministratorPolicy.require(actor, in: tx)
            guard tests != nil else { throw AppError(.conflict, .mailNotSetUp) }
            var check = FieldErrors<AccountMessage>()
            _ = check.email(email)
            try check.finish()
            try Self.throttle.fail(actor.person.description, now: now, in: tx)
            try audit.record(.sendTestMail, by: administrator, now: now, in: tx)
        }
        return try await tests?.send(to: email ?? "", language: language)
    }
}

import Jobs
import Kernel
import Storage
import TestSupport
import Testing

@testable import Accounts

/// Mails that servers of earlier versions queued in the table `mail_queue`.
@Suite("Mails of earlier versions")
struct EarlierMailTests {
    /// Changes the queued jobs to what an earlier version would have written.
    private func writeAsEarlierVersion(_ fixture: AccountsFixture) async throws {
        try await fixture.database.write { tx in
            try tx.execute(
                """
                INSERT INTO mail_queue (id, lane, sealed, attempts, due_at, created_at, expires_at)
                SELECT id, REPLACE(lane, 'mail-', ''), payload, 0, due_at, queued_at, expires_at FROM job
                """
            )
            try tx.execute("DELETE FROM job")
        }
    }

    @Test("A mail that an earlier version queues during a rolling update is sent", arguments: Engine.allCases)
    func rollingUpdate(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            try await fixture.join()
            try await writeAsEarlierVersion(fixture)
            await fixture.service.mailSender.moveEarlierMails()
            #expect(try await fixture.database.count("mail_queue") == 0)
            await fixture.service.mailSender.sendDueMails()
            let code = try #require(fixture.mails.code(to: "mia@example.org"))
            #expect(try await fixture.service.emailVerifications.verify(code: code).emailVerifiedAt != nil)
        }
    }

    @Test("A mail that an earlier version is sending is moved only after its lease", arguments: Engine.allCases)
    func leased(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            try await fixture.join()
            try await writeAsEarlierVersion(fixture)
            let end = fixture.clock.now.adding(seconds: Limits.mailLeaseSeconds)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE mail_queue SET attempts = 1, due_at = \(end)")
            }
            await fixture.service.mailSender.sendDueMails()
            #expect(fixture.mails.all.isEmpty)
            fixture.clock.advance(seconds: Limits.mailLeaseSeconds)
            await fixture.service.mailSender.sendDueMails()
            #expect(fixture.mails.all.count == 1)
        }
    }

    @Test("More mails than one transaction moves are moved, each once", arguments: Engine.allCases)
    func many(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            for number in 0..<(Limits.movedMailsPerStep / 2 + 5) {
                try await fixture.service.passwordResets.request(
                    email: "u\(number)@example.org", clientAddress: "192.0.2.1")
                try await fixture.service.passwordResets.request(
                    email: "v\(number)@example.org", clientAddress: "192.0.2.2")
            }
            try await writeAsEarlierVersion(fixture)
            let neighbour = fixture.neighbour(mailer: MailRecorder())
            await withTaskGroup { group in
                group.addTask { await fixture.service.mailSender.moveEarlierMails() }
                group.addTask { await neighbour.mailSender.moveEarlierMails() }
            }
            #expect(try await fixture.database.count("mail_queue") == 0)
            #expect(try await fixture.database.count("job") == Limits.movedMailsPerStep + 10)
        }
    }
}

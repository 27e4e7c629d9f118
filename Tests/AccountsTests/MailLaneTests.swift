import Jobs
import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Accounts

/// A mail command that hangs on ordinary mails until it is released.
private final class HangingMailer: Mailer {
    private let state = Mutex<(isReleased: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))
    private let sending: AsyncStream<String>.Continuation
    /// The subject of each mail, once the command gets it.
    let subjects: AsyncStream<String>

    init() { (subjects, sending) = AsyncStream.makeStream() }

    func send(_ mail: OutgoingMail) async throws -> MailReply? {
        sending.yield(mail.email.subject)
        guard mail.email.subject == "Confirm your email address" else { return nil }
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.waiting.append(continuation) }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
        return nil
    }

    func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

@Suite("Lanes of the mail queue")
struct MailLaneTests {
    @Test(
        "A security notice is sent while an ordinary mail hangs and others wait behind it", .timeLimit(.minutes(2)),
        arguments: Engine.allCases)
    func hangingMail(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            for number in 0..<20 { try await fixture.join("u\(number)@example.org") }
            let mailer = HangingMailer()
            var subjects = mailer.subjects.makeAsyncIterator()
            let server = fixture.neighbour(mailer: mailer)
            let sending = Task { await server.mailSender.sendMails() }
            #expect(await subjects.next() == "Confirm your email address")
            try await PasskeyFixture(fixture).register(SoftAuthenticator(), for: mia)
            try #require(server.mailSender.queue).jobs(.security).wake()
            #expect(await subjects.next() == "A new passkey")
            mailer.release()
            sending.cancel()
            await sending.value
        }
    }

    @Test("No change is made without its security notice", arguments: Engine.allCases)
    func fullLane(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            let later = fixture.clock.now.adding(seconds: Limits.mailKeptSeconds)
            try await fixture.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO job (id, lane, kind, subject, payload, due_at, queued_at, expires_at)
                    VALUES ('x', 'mail-security', 'mail', '', \([UInt8(1)]), \(later), \(later), \(later))
                    """
                )
                var count = 1
                while count < Limits.mailQueueSecurity {
                    try tx.execute(
                        """
                        INSERT INTO job (id, lane, kind, subject, payload, due_at, queued_at, expires_at)
                        SELECT id || \(" \(count)"), lane, kind, subject, payload, due_at, queued_at, expires_at
                        FROM job
                        """
                    )
                    count *= 2
                }
            }
            try await fixture.countMails()
            try await expectRefusal(.unavailable) {
                _ = try await fixture.service.profiles.update(
                    ProfileChanges(email: .set("new@example.org")), password: "correct horse", by: mia.change)
            }
            #expect(try await fixture.service.reader.account(mia.actor).pendingEmail == nil)
            try await expectRefusal(.unavailable) {
                try await PasskeyFixture(fixture).register(SoftAuthenticator(), for: mia)
            }
            try await fixture.database.write { tx in try tx.execute("DELETE FROM job") }
        }
    }
}

extension AccountsFixture {
    /// Counts the queued mails, as the workers of a running server do every few seconds.
    func countMails() async throws {
        let queue = try #require(service.mailSender.queue)
        let now = clock.now
        try await database.read { tx in
            for lane in MailLane.allCases { try queue.jobs(lane).count(now: now, in: tx) }
        }
    }
}

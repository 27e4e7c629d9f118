import Jobs
import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Accounts

/// A mailer with a result that the test sets.
private final class ScriptedMailer: Mailer {
    private let result = Mutex<Result<MailReply?, MailFailure>>(.success(MailReply(code: 250, status: "2.0.0")))
    private let sent = Mutex<[OutgoingMail]>([])

    var all: [OutgoingMail] { sent.withLock(\.self) }

    func fail(_ failure: MailFailure) { result.withLock { $0 = .failure(failure) } }
    func succeed() { result.withLock { $0 = .success(MailReply(code: 250)) } }

    func send(_ mail: OutgoingMail) async throws -> MailReply? {
        sent.withLock { $0.append(mail) }
        return try result.withLock(\.self).get()
    }
}

@Suite("Log of mails")
struct MailLogTests {
    /// A server with mail on which Mia registered, before her mail is sent.
    private func withMailer(
        _ engine: Engine, _ test: (AccountsFixture, AccountServices, ScriptedMailer, SignedIn) async throws -> Void
    ) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mailer = ScriptedMailer()
            let service = fixture.neighbour(mailer: mailer)
            let mia = try await fixture.join()
            try await test(fixture, service, mailer, mia)
        }
    }

    private func entries(_ service: AccountServices) async throws -> [MailLogEntry] {
        try await service.mailLog.page(limit: 10).items
    }

    private func results(_ service: AccountServices) async throws -> [MailLogEntry.Result] {
        try await entries(service).map(\.result)
    }

    private func recipients(_ service: AccountServices) async throws -> [String] {
        try await entries(service).map(\.recipient)
    }

    @Test("One row per mail has the result of its latest attempt", arguments: Engine.allCases)
    func latestResult(engine: Engine) async throws {
        try await withMailer(engine) { fixture, service, mailer, _ in
            mailer.fail(MailFailure(.refusedForNow, reply: MailReply(code: 451, status: "4.7.1")))
            await service.mailSender.sendDueMails()
            var entry = try #require(try await entries(service).first)
            #expect(entry.recipient == "mia@example.org" && entry.kind == "verification" && entry.lane == .account)
            #expect(entry.result == .retried && entry.message == .refusedForNow && entry.attempts == 1)
            #expect(entry.reply == MailReply(code: 451, status: "4.7.1") && entry.updatedAt == fixture.clock.now)

            fixture.clock.advance(seconds: Limits.mailRetrySeconds * 2)
            mailer.succeed()
            await service.mailSender.sendDueMails()
            #expect(try await entries(service).count == 1)
            entry = try #require(try await entries(service).first)
            #expect(entry.result == .sent && entry.message == nil && entry.attempts == 2)
            #expect(entry.reply == MailReply(code: 250) && entry.updatedAt == fixture.clock.now)
            #expect(Set(mailer.all.map(\.id)) == ["\(entry.id)"], "both attempts have one Message-ID")
        }
    }

    @Test("A refused recipient is final, also in the queue", arguments: Engine.allCases)
    func final(engine: Engine) async throws {
        try await withMailer(engine) { fixture, service, mailer, _ in
            mailer.fail(MailFailure(.recipientRefused, reply: MailReply(code: 550)))
            await service.mailSender.sendDueMails()
            #expect(try await results(service) == [.failed])
            let jobs = DeadJobService(
                database: fixture.database, queues: service.mailSender.queues, clock: fixture.clock)
            let dead = try await jobs.list(lane: "mail-account")
            #expect(dead.map(\.lastError) == ["The mail server refused the recipient’s address. (550)"])
            #expect(dead.map(\.attempts) == [1])
        }
    }

    @Test("A mail that expires between two attempts has failed", arguments: Engine.allCases)
    func expired(engine: Engine) async throws {
        try await withMailer(engine) { fixture, service, mailer, _ async throws in
            mailer.fail(MailFailure(.credentialsRefused, reply: MailReply(code: 535)))
            await service.mailSender.sendDueMails()
            #expect(try await results(service) == [.retried])
            fixture.clock.advance(seconds: Limits.mailKeptSeconds)
            await service.mailSender.sendDueMails()
            #expect(mailer.all.count == 1)
            #expect(try await results(service) == [.failed])
        }
    }

    @Test("A person's rows are deleted with the account, also those of an earlier address", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withMailer(engine) { fixture, service, mailer, mia in
            _ = try await fixture.service.profiles.update(
                ProfileChanges(email: .set("new@example.org")), password: "correct horse", by: mia.change)
            try await fixture.join("ben@example.org")
            await service.mailSender.sendDueMails()
            #expect(try await Set(recipients(service)) == ["mia@example.org", "new@example.org", "ben@example.org"])
            let eve = try await fixture.join("eve@example.org")
            try await fixture.service.deletions.delete(mia.actor, password: "correct horse")
            try await fixture.service.deletions.delete(eve.actor, password: "correct horse")
            #expect(try await recipients(service) == ["ben@example.org"])
            // The mail to a deleted account is sent, and not recorded.
            await service.mailSender.sendDueMails()
            #expect(mailer.all.contains { $0.email.to == "eve@example.org" })
            #expect(try await recipients(service) == ["ben@example.org"])
        }
    }

    @Test("Pages follow each other from the newest, and old rows are pruned", arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withMailer(engine) { fixture, service, _, _ in
            for number in 0..<5 {
                try await fixture.join("u\(number)@example.org")
                await service.mailSender.sendDueMails()
                fixture.clock.advance(seconds: 24 * 60 * 60)
            }
            var found: [String] = []
            var cursor: String?
            repeat {
                let page = try await service.mailLog.page(after: cursor, limit: 2)
                found += page.items.map(\.recipient)
                cursor = page.next
            } while cursor != nil
            #expect(found.count == 6)
            #expect(found.first == "u4@example.org" && Set(found).count == 6)
            await #expect(throws: AppError.self) { try await service.mailLog.page(after: "x", limit: 2) }

            let count = try await fixture.database.write { tx in
                try MailLogStore.prune(before: fixture.clock.now.adding(seconds: -1_000_000_000), keeping: 3, in: tx)
            }
            #expect(count == 3)
            #expect(try await recipients(service) == Array(found.prefix(3)))
            fixture.clock.advance(seconds: (Limits.mailLogDays - 1) * 24 * 60 * 60)
            try await service.housekeeping.run()
            #expect(try await recipients(service) == ["u4@example.org"])
        }
    }

    @Test("A test mail is sent at once, and its failure is returned and recorded", arguments: Engine.allCases)
    func testMail(engine: Engine) async throws {
        try await withMailer(engine) { _, service, mailer, _ in
            let tests = try #require(service.mailTests)
            #expect(try await tests.send(to: "admin@example.org", language: "de") == nil)
            #expect(mailer.all.map(\.email.to) == ["admin@example.org"])
            #expect(mailer.all.first?.email.language == "de")
            let failure = MailFailure(.credentialsRefused, reply: MailReply(code: 535, status: "5.7.8"))
            mailer.fail(failure)
            #expect(try await tests.send(to: "admin@example.org", language: "en") == failure)
            let kinds = try await entries(service).map(\.kind)
            #expect(kinds == ["test", "test"])
            #expect(try await Set(results(service)) == [.sent, .failed])
            let error = try await refusal { _ = try await tests.send(to: "admin", language: "en") }
            #expect(error?.code == .invalid && error?.fields.keys.sorted() == ["email"])
        }
    }

    @Test("Without mail there is a log and no test")
    func noMail() async throws {
        try await withFixture(.sqlite) { fixture async throws in
            #expect(fixture.service.mailTests == nil)
            #expect(try await fixture.service.mailLog.page(limit: 10).items.isEmpty)
        }
    }
}

import Foundation
import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Accounts

/// A mail command that can fail.
private final class FlakyMailer: Mailer {
    private struct Broken: Error {}
    private let state = Mutex((isBroken: true, tries: 0, mails: [Email]()))

    var tries: Int { state.withLock(\.tries) }
    var mails: [Email] { state.withLock(\.mails) }
    func repair() { state.withLock { $0.isBroken = false } }

    func send(_ mail: OutgoingMail) async throws -> MailReply? {
        try state.withLock { state in
            state.tries += 1
            if state.isBroken { throw Broken() }
            state.mails.append(mail.email)
        }
        return nil
    }
}

@Suite("Mail queue")
struct MailQueueTests {
    private func waiting(_ fixture: AccountsFixture, lane: MailLane? = nil) async throws -> Int {
        try await fixture.database.read { tx in
            try tx.rows("SELECT lane FROM job WHERE dead_at IS NULL").filter { row in
                guard let lane else { return true }
                return try row.get("lane", as: String.self) == "mail-\(lane.rawValue)"
            }.count
        }
    }

    private func change(_ fixture: AccountsFixture, _ person: SignedIn, to email: String) async throws {
        _ = try await fixture.service.profiles.update(
            ProfileChanges(email: .set(email)), password: "correct horse", by: person.change)
    }

    @Test("The names in stored payloads don't change")
    func payloadNames() throws {
        let email = #"{"letter":{"_0":{"body":"Hello","subject":"Welcome","to":"mia@example.org"}}}"#
        let reset = #"{"reset":{"email":"mia@example.org","language":"en"}}"#
        let mails: [(QueuedMail, String)] = [
            (.email(Email(to: "mia@example.org", subject: "Welcome", body: "Hello")), email),
            (.reset(email: "mia@example.org", language: "en"), reset),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for (mail, stored) in mails {
            #expect(String(decoding: try encoder.encode(mail), as: UTF8.self) == stored)
            #expect(try JSONDecoder().decode(QueuedMail.self, from: Data(stored.utf8)) == mail)
        }
    }

    @Test("A queued mail survives the end of its process, and its content is encrypted", arguments: Engine.allCases)
    func survives(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            try await fixture.join()
            #expect(fixture.mails.all.isEmpty)
            let sealed = try await fixture.database.read { tx -> [UInt8] in
                try tx.row("SELECT payload FROM job")?.get("payload") ?? []
            }
            for text in ["email-verifications", "mia@example.org", "Mia"] {
                #expect(Data(sealed).range(of: Data(text.utf8)) == nil)
            }
            let other = MailRecorder()
            await fixture.neighbour(mailer: other).mailSender.sendDueMails()
            #expect(other.all.map(\.to) == ["mia@example.org"])
            let code = try #require(other.code(to: "mia@example.org"))
            #expect(try await fixture.service.emailVerifications.verify(code: code).emailVerifiedAt != nil)
            #expect(try await waiting(fixture) == 0)
        }
    }

    @Test("A change that fails queues no mail", arguments: Engine.allCases)
    func rolledBack(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            try await fixture.join()
            await fixture.service.mailSender.sendDueMails()
            try await expectRefusal(.conflict) { try await fixture.join() }
            #expect(try await waiting(fixture) == 0)
        }
    }

    @Test("Servers that share a database send each mail once", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            for number in 0..<20 { try await fixture.join("u\(number)@example.org") }
            let second = MailRecorder()
            let neighbour = fixture.neighbour(mailer: second)
            await withTaskGroup { group in
                group.addTask { await fixture.service.mailSender.sendDueMails() }
                group.addTask { await neighbour.mailSender.sendDueMails() }
            }
            let recipients = (fixture.mails.all + second.all).map(\.to).sorted()
            #expect(recipients == (0..<20).map { "u\($0)@example.org" }.sorted())
            #expect(try await waiting(fixture) == 0)
        }
    }

    @Test(
        "A mail that can't be sent is retried with growing intervals, and finally dropped", arguments: Engine.allCases
    )
    func retries(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            try await fixture.join()
            let mailer = FlakyMailer()
            let service = fixture.neighbour(mailer: mailer)
            await service.mailSender.sendDueMails()
            await service.mailSender.sendDueMails()
            #expect(mailer.tries == 1)
            fixture.clock.advance(seconds: Limits.mailRetrySeconds)
            await service.mailSender.sendDueMails()
            #expect(mailer.tries == 2)
            fixture.clock.advance(seconds: Limits.mailRetrySeconds)
            await service.mailSender.sendDueMails()
            #expect(mailer.tries == 2)
            fixture.clock.advance(seconds: Limits.mailRetrySeconds)
            mailer.repair()
            await service.mailSender.sendDueMails()
            #expect(mailer.mails.map(\.to) == ["mia@example.org"])

            try await fixture.join("ben@example.org")
            fixture.clock.advance(seconds: Limits.mailKeptSeconds)
            await service.mailSender.sendDueMails()
            try await fixture.join("eve@example.org")
            await service.mailSender.sendDueMails()
            #expect(mailer.mails.map(\.to) == ["mia@example.org", "eve@example.org"])
            #expect(try await waiting(fixture) == 0)
        }
    }

    @Test("Another server sends the mail of a server that ends while it sends", arguments: Engine.allCases)
    func lease(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            try await fixture.join()
            // The state that a killed server leaves behind.
            let end = fixture.clock.now.adding(seconds: Limits.mailLeaseSeconds)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE job SET attempts = 1, due_at = \(end)")
            }
            await fixture.service.mailSender.sendDueMails()
            #expect(fixture.mails.all.isEmpty)
            fixture.clock.advance(seconds: Limits.mailLeaseSeconds)
            await fixture.service.mailSender.sendDueMails()
            #expect(fixture.mails.all.count == 1)
        }
    }

    @Test(
        "An address gets 3 password resets and 3 other mails an hour; security notices are still sent",
        arguments: Engine.allCases
    )
    func perRecipient(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            for _ in 0..<4 { try await fixture.service.passwordResets.request(email: "MIA@example.org") }
            #expect(try await waiting(fixture) == Limits.mailsPerRecipient)
            let mia = try await fixture.join()
            for _ in 1..<Limits.mailsPerRecipient {
                #expect(try await fixture.service.emailVerifications.request(mia.actor))
            }
            #expect(try await waiting(fixture) == 2 * Limits.mailsPerRecipient)
            let error = try await refusal { try await fixture.service.emailVerifications.request(mia.actor) }
            #expect(error?.code == .throttled)
            #expect(error?.message == AccountMessage.recipientMailsThrottled.text)
            #expect(error?.retryAfterSeconds == Int(Limits.mailThrottleSeconds))
            #expect(try await waiting(fixture) == 2 * Limits.mailsPerRecipient)
            try await change(fixture, mia, to: "new@example.org")
            #expect(try await waiting(fixture, lane: .security) == 1)
            await fixture.service.mailSender.sendDueMails()
            let mine = fixture.mails.all.filter { $0.to == "mia@example.org" }.map(\.subject)
            #expect(mine.contains("A new email address was entered"))
            // Other addresses aren't throttled, and the count ends after an hour.
            #expect(fixture.mails.all.contains { $0.to == "new@example.org" })
            fixture.clock.advance(seconds: Limits.mailThrottleSeconds)
            try await fixture.service.passwordResets.request(email: "new@example.org")
            #expect(try await waiting(fixture) == 1)
        }
    }

    @Test(
        "An address that isn't confirmed gets 3 security notices an hour, a confirmed one all",
        arguments: Engine.allCases
    )
    func noticesPerRecipient(engine: Engine) async throws {
        for isConfirmed in [false, true] {
            try await withFixture(engine, hasMail: true) { fixture in
                let mia = try await (isConfirmed ? fixture.joinConfirmed() : fixture.join())
                for number in 0...Limits.mailsPerRecipient {
                    try await change(fixture, mia, to: "new\(number)@example.org")
                }
                let expected = Limits.mailsPerRecipient + (isConfirmed ? 1 : 0)
                #expect(try await waiting(fixture, lane: .security) == expected)
            }
        }
    }

    @Test("A link that isn't sent again leaves the previous one valid", arguments: Engine.allCases)
    func droppedLink(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.join()
            for _ in 1..<Limits.mailsPerRecipient {
                await fixture.service.mailSender.sendDueMails()
                try await fixture.service.emailVerifications.request(mia.actor)
            }
            await fixture.service.mailSender.sendDueMails()
            let last = try #require(fixture.mails.code(to: "mia@example.org"))
            try await expectRefusal(.throttled) { try await fixture.service.emailVerifications.request(mia.actor) }
            #expect(try await fixture.service.emailVerifications.verify(code: last).emailVerifiedAt != nil)
            // A confirmed address needs no link.
            #expect(try await !fixture.service.emailVerifications.request(mia.actor))
            #expect(try await waiting(fixture) == 0)
        }
    }

    @Test(
        "A network can cause 100 password resets and 100 other mails an hour; another network isn't affected",
        arguments: Engine.allCases)
    func perNetwork(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            for number in 0..<(Limits.mailsPerNetwork + 5) {
                try await fixture.service.passwordResets.request(
                    email: "u\(number)@example.org", clientAddress: "2001:db8::\(number)")
            }
            #expect(try await waiting(fixture) == Limits.mailsPerNetwork)
            var last: SignedIn?
            for number in 0...Limits.mailsPerNetwork {
                last = try await fixture.service.registrations.register(
                    Registration(email: "u\(number)@example.org", password: "correct horse", name: "Mia"),
                    device: .at("2001:db8::ffff"))
            }
            #expect(try await waiting(fixture) == 2 * Limits.mailsPerNetwork)
            let mia = try #require(last)
            func actor(at address: String) -> Actor {
                Actor(person: mia.account.id, session: mia.session.id, role: .adult, clientAddress: address)
            }
            let error = try await refusal {
                try await fixture.service.emailVerifications.request(actor(at: "2001:db8::1"))
            }
            #expect(error?.code == .throttled)
            #expect(error?.message == AccountMessage.networkMailsThrottled.text)
            #expect(try await waiting(fixture) == 2 * Limits.mailsPerNetwork)
            try await fixture.service.emailVerifications.request(actor(at: "192.0.2.7"))
            try await fixture.service.passwordResets.request(email: "mia@example.org", clientAddress: "192.0.2.7")
            #expect(try await waiting(fixture) == 2 * Limits.mailsPerNetwork + 2)
        }
    }

    @Test("A full queue drops no security notice, and sends it first", arguments: Engine.allCases)
    func lanes(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await change(fixture, mia, to: "new@example.org")
            await fixture.service.mailSender.sendDueMails()
            let now = fixture.clock.now
            try await fixture.database.write { tx in
                for number in 0..<Limits.mailQueue {
                    try tx.execute(
                        """
                        INSERT INTO job (id, lane, kind, subject, payload, due_at, queued_at, expires_at)
                        VALUES (\("waiting \(number)"), 'mail-account', 'mail', '', \([UInt8(1)]), \(now), \(now),
                            \(now.adding(seconds: 3_600)))
                        """
                    )
                }
            }
            try await fixture.countMails()
            try await fixture.service.passwordResets.request(email: "mia@example.org")
            #expect(try await waiting(fixture) == Limits.mailQueue)
            // A change that needs a mail isn't made without it, and no link is reported as sent when it isn't.
            try await expectRefusal(.unavailable) { try await fixture.service.emailVerifications.request(mia.actor) }
            try await expectRefusal(.unavailable) { try await change(fixture, mia, to: "other@example.org") }
            #expect(try await waiting(fixture, lane: .security) == 0)
            #expect(try await fixture.service.reader.account(mia.actor).pendingEmail == "new@example.org")
            _ = try await fixture.service.emailVerifications.verify(
                code: try #require(fixture.mails.code(to: "new@example.org")))
            #expect(try await waiting(fixture, lane: .security) == 1)
            try await fixture.database.write { tx in
                try tx.execute("DELETE FROM job WHERE id > 'waiting 1' AND lane = 'mail-account'")
            }
            await fixture.service.mailSender.sendDueMails()
            #expect(fixture.mails.all.last?.subject == "Your email address was changed")
        }
    }

    @Test(
        "Notices of a new email, a passkey and an identity are stored with the change, in their own lane",
        arguments: Engine.allCases)
    func securityNotices(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            func expectNotices(_ subjects: [String]) async throws {
                #expect(try await waiting(fixture, lane: .security) == subjects.count)
                let before = fixture.mails.all.count
                await fixture.service.mailSender.sendDueMails()
                #expect(fixture.mails.all.dropFirst(before).prefix(subjects.count).map(\.subject) == subjects)
            }
            try await change(fixture, mia, to: "new@example.org")
            #expect(try await waiting(fixture, lane: .account) == 1)
            try await expectNotices(["A new email address was entered"])
            _ = try await fixture.service.emailVerifications.verify(
                code: try #require(fixture.mails.code(to: "new@example.org")))
            try await expectNotices(["Your email address was changed"])
            try await PasskeyFixture(fixture).register(SoftAuthenticator(), for: mia)
            try await expectNotices(["A new passkey"])
            let site = try ProviderFixture(fixture)
            #expect(try await site.comeIn(for: .link(mia.actor, password: "correct horse")).isLinked)
            try await expectNotices(["Another way to sign in"])
        }
    }

    @Test(
        "A request for a link writes the same rows whether or not the address has an account",
        arguments: Engine.allCases)
    func alike(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            try await fixture.joinConfirmed()
            var traces: [[String: Int]] = []
            for email in ["mia@example.org", "eve@example.org"] {
                let before = try await tables(fixture)
                try await fixture.service.passwordResets.request(email: email)
                let after = try await tables(fixture)
                traces.append(after.merging(before, uniquingKeysWith: -))
            }
            #expect(traces[0] == ["job": 1, "password_reset": 0, "outbox": 0])
            #expect(traces[0] == traces[1])
            await fixture.service.mailSender.sendDueMails()
            #expect(fixture.mails.all.map(\.subject) == ["Confirm your email address", "Choose a new password"])
            #expect(try await waiting(fixture) == 0)
        }
    }

    private func tables(_ fixture: AccountsFixture) async throws -> [String: Int] {
        let names: [StaticString] = ["job", "password_reset", "outbox"]
        return try await fixture.database.read { tx in
            try names.reduce(into: [:]) { counts, name in
                let rows = try tx.row("SELECT COUNT(*) AS rows_there FROM \(raw: name)")?.get(
                    "rows_there", as: Int.self)
                counts["\(name)"] = rows
            }
        }
    }
}

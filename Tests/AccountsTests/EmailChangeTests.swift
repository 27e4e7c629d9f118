import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Accounts

/// An app that records which emails were confirmed, and whether a new password ended the sessions of children.
private final class ConfirmationRecorder: TestDataHandler {
    private let recorded = Mutex<[String?]>([])
    private let ends = Mutex<[Bool]>([])
    var emails: [String?] { recorded.withLock { $0 } }
    var endsOfChildSessions: [Bool] { ends.withLock { $0 } }

    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }
    func erase(_ person: PersonID, in tx: Transaction) throws {}
    func emailConfirmed(_ account: Account, now: Instant, in tx: Transaction) throws {
        recorded.withLock { $0.append(account.email) }
    }
    func revokeGrants(of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction) throws {
        ends.withLock { $0.append(endsChildSessions) }
    }
}

@Suite("Changes of the email address")
struct EmailChangeTests {
    private static let new = ProfileChanges(email: .set("new@example.org"))

    /// The part after the last `/` of the undo link in the newest mail to `address`.
    private func undoCode(_ fixture: AccountsFixture, to address: String = "mia@example.org") -> String {
        let mail = fixture.mails.all.last { $0.to == address && $0.body.contains("/email-undos/") }
        let line = mail?.body.split(separator: "\n").first { $0.contains("/email-undos/") }
        return line?.split(separator: "/").last.map(String.init) ?? ""
    }

    private func change(_ fixture: AccountsFixture, _ person: SignedIn, _ email: String) async throws {
        _ = try await fixture.service.profiles.update(
            ProfileChanges(email: .set(email)), password: "correct horse", by: person.change)
        await fixture.service.mailSender.sendQueuedMails()
    }

    private func confirm(_ fixture: AccountsFixture, _ email: String) async throws -> Account {
        let account = try await fixture.service.emailVerifications.verify(
            code: try #require(fixture.mails.code(to: email)))
        await fixture.service.mailSender.sendQueuedMails()
        return account
    }

    @Test("Without a proof, the change is refused at the password and nothing is stored", arguments: Engine.allCases)
    func withoutProof(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            for wrong in [nil, "", "wrong"] {
                let error = try await refusal {
                    _ = try await fixture.service.profiles.update(
                        ProfileChanges(email: .set("new@example.org"), name: .set("Eve")), password: wrong,
                        by: mia.change)
                }
                #expect(error?.code == .invalid)
                #expect(error?.fields.keys.sorted() == ["password"])
            }
            let both = try await refusal {
                _ = try await fixture.service.profiles.update(
                    ProfileChanges(email: .set("new@example.org"), name: .set("")), by: mia.change)
            }
            #expect(both?.fields.keys.sorted() == ["name", "password"])
            #expect(try await fixture.service.reader.account(mia.actor) == mia.account)
            let same = ProfileChanges(email: .set("mia@example.org"), name: .set("Mia M."))
            #expect(try await fixture.service.profiles.update(same, by: mia.change).name == "Mia M.")
        }
    }

    @Test("Without mail, the new address takes effect at once", arguments: Engine.allCases)
    func withoutMail(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let changed = try await fixture.service.profiles.update(Self.new, password: "correct horse", by: mia.change)
            #expect(changed.email == "new@example.org")
            #expect(changed.pendingEmail == nil)
            _ = try await fixture.signIn("new@example.org")
        }
    }

    @Test(
        "With mail, the new address is pending until its link is opened, which works once",
        arguments: Engine.allCases)
    func waits(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            let before = fixture.mails.all.count
            let changed = try await fixture.service.profiles.update(
                ProfileChanges(email: .set("new@example.org"), name: .set("Mia M.")), password: "correct horse",
                by: mia.change)
            await fixture.service.mailSender.sendQueuedMails()
            #expect(changed.email == "mia@example.org")
            #expect(changed.emailVerifiedAt != nil)
            #expect(changed.pendingEmail == "new@example.org")
            #expect(changed.name == "Mia M.")
            #expect(
                fixture.mails.all.dropFirst(before).map(\.subject) == [
                    "A new email address was entered", "Confirm your new email address",
                ])
            // The unconfirmed address gives no access to the account.
            try await fixture.service.passwordResets.request(email: "new@example.org")
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.count == before + 2)
            try await expectRefusal(.unauthenticated) { _ = try await fixture.signIn("new@example.org") }
            let code = try #require(fixture.mails.code(to: "new@example.org"))
            let confirmed = try await fixture.service.emailVerifications.verify(code: code)
            #expect(confirmed.email == "new@example.org")
            #expect(confirmed.pendingEmail == nil)
            #expect(confirmed.emailVerifiedAt == fixture.clock.now)
            try await expectRefusal(.notFound) { _ = try await fixture.service.emailVerifications.verify(code: code) }
            _ = try await fixture.signIn("new@example.org")
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.last?.to == "mia@example.org")
            #expect(fixture.mails.all.last?.subject == "Your email address was changed")
        }
    }

    @Test(
        "A code is void after a newer one, a cancellation, another address, a new password and a day",
        arguments: Engine.allCases)
    func voidCodes(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            func code(_ email: String = "new@example.org") -> String { fixture.mails.code(to: email) ?? "" }
            func expectVoid(_ code: String) async throws {
                try await expectRefusal(.notFound) {
                    _ = try await fixture.service.emailVerifications.verify(code: code)
                }
            }
            try await change(fixture, mia, "new@example.org")
            let first = code()
            try await fixture.service.emailVerifications.request(mia.actor)
            await fixture.service.mailSender.sendQueuedMails()
            #expect(code() != first)
            try await expectVoid(first)
            let second = code()
            try await change(fixture, mia, "other@example.org")
            try await expectVoid(second)
            try await fixture.service.emailChanges.cancel(by: mia.change)
            try await expectVoid(code("other@example.org"))
            try await expectRefusal(.notFound) { try await fixture.service.emailChanges.cancel(by: mia.change) }
            #expect(try await fixture.service.reader.account(mia.actor).pendingEmail == nil)
            try await change(fixture, mia, "third@example.org")
            fixture.clock.advance(seconds: Limits.emailChangeSeconds)
            try await expectVoid(code("third@example.org"))
            try await fixture.service.housekeeping.run()
            #expect(try await fixture.service.reader.account(mia.actor).pendingEmail == nil)
            try await change(fixture, mia, "fourth@example.org")
            try await fixture.service.passwords.change(current: "correct horse", new: "battery staple", by: mia.actor)
            try await expectVoid(code("fourth@example.org"))
            #expect(try await fixture.service.reader.account(mia.actor).email == "mia@example.org")
        }
    }

    @Test("Of two concurrent confirmations by the same link, one succeeds", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await change(fixture, mia, "new@example.org")
            let code = try #require(fixture.mails.code(to: "new@example.org"))
            let wins = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 {
                    group.addTask { (try? await fixture.service.emailVerifications.verify(code: code)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(wins == 1)
        }
    }

    @Test("If two accounts request one address, the first to confirm gets it", arguments: Engine.allCases)
    func taken(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            let ben = try await fixture.joinConfirmed("ben@example.org")
            try await change(fixture, ben, "new@example.org")
            let bens = try #require(fixture.mails.code(to: "new@example.org"))
            try await change(fixture, mia, "new@example.org")
            _ = try await confirm(fixture, "new@example.org")
            try await expectRefusal(.conflict) { _ = try await fixture.service.emailVerifications.verify(code: bens) }
            #expect(try await fixture.service.reader.account(ben.actor).email == "ben@example.org")
        }
    }

    @Test("An address that got too many mails causes a 429, and no change is stored", arguments: Engine.allCases)
    func tooManyMails(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            let ben = try await fixture.joinConfirmed("ben@example.org")
            try await change(fixture, ben, "new@example.org")
            for _ in 1..<Limits.mailsPerRecipient { try await fixture.service.emailVerifications.request(ben.actor) }
            await fixture.service.mailSender.sendQueuedMails()
            let before = fixture.mails.all.count
            let error = try await refusal { try await change(fixture, mia, "new@example.org") }
            #expect(error?.code == .throttled)
            #expect(error?.retryAfterSeconds == Int(Limits.mailThrottleSeconds))
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.count == before)
            #expect(try await fixture.service.reader.account(mia.actor).pendingEmail == nil)
            fixture.clock.advance(seconds: Limits.mailThrottleSeconds)
            try await change(fixture, mia, "new@example.org")
            #expect(try await fixture.service.reader.account(mia.actor).pendingEmail == "new@example.org")
        }
    }

    @Test("Entering another person's address doesn't use up their confirmation mails", arguments: Engine.allCases)
    func strangersMails(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let eve = try await fixture.joinConfirmed("eve@example.org")
            try await change(fixture, eve, "mia@example.org")
            for _ in 1..<Limits.mailsPerRecipient { try await fixture.service.emailVerifications.request(eve.actor) }
            try await expectRefusal(.throttled) { try await fixture.service.emailVerifications.request(eve.actor) }
            await fixture.service.mailSender.sendQueuedMails()
            func confirmations() -> Int {
                fixture.mails.all.count { $0.to == "mia@example.org" && $0.subject == "Confirm your email address" }
            }
            let before = confirmations()
            try await fixture.join()
            await fixture.service.mailSender.sendQueuedMails()
            #expect(confirmations() == before + 1)
        }
    }

    @Test("A link that isn't sent again after too many mails leaves the previous one valid", arguments: Engine.allCases)
    func resentTooOften(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await change(fixture, mia, "new@example.org")
            for _ in 1..<Limits.mailsPerRecipient {
                try await fixture.service.emailVerifications.request(mia.actor)
                await fixture.service.mailSender.sendQueuedMails()
            }
            try await expectRefusal(.throttled) { try await fixture.service.emailVerifications.request(mia.actor) }
            #expect(count("new@example.org", in: fixture.mails.all.map(\.to)) == Limits.mailsPerRecipient)
            #expect(try await confirm(fixture, "new@example.org").email == "new@example.org")
        }
    }

    @Test(
        "Apps are notified of an address that is confirmed by a link or restored by an undo",
        arguments: Engine.allCases)
    func notifiedApps(engine: Engine) async throws {
        let app = ConfirmationRecorder()
        try await withFixture(engine, hasMail: true, dataHandlers: [app]) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await change(fixture, mia, "new@example.org")
            #expect(app.emails == ["mia@example.org"])
            _ = try await confirm(fixture, "new@example.org")
            #expect(app.emails == ["mia@example.org", "new@example.org"])
            _ = try await fixture.service.emailChanges.undo(code: undoCode(fixture))
            #expect(app.emails == ["mia@example.org", "new@example.org", "mia@example.org"])
            // The owner reports that another person used the account.
            #expect(app.endsOfChildSessions == [true])
        }
    }

    // MARK: Undo

    @Test(
        "The old address can undo the change for seven days, whatever happened in between", arguments: Engine.allCases,
        [false, true])
    func undo(engine: Engine, fromSecondMail: Bool) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            let site = PasskeyFixture(fixture)
            try await change(fixture, mia, "thief@example.org")
            let first = undoCode(fixture)
            _ = try await confirm(fixture, "thief@example.org")
            let second = undoCode(fixture)
            #expect(first != second)
            let thief = try await fixture.signIn("thief@example.org")
            try await site.register(SoftAuthenticator(), for: thief)
            try await fixture.service.passwords.change(current: "correct horse", new: "thief's horse", by: thief.actor)
            fixture.clock.advance(seconds: Limits.emailUndoSeconds - 1)
            let code = fromSecondMail ? second : first
            #expect(try await fixture.service.emailChanges.isUndoCodeValid(code))
            let reset = try await fixture.service.emailChanges.undo(code: code)
            for session in [mia, thief] { #expect(try await !fixture.isValid(session)) }
            try await expectRefusal(.unauthenticated) {
                _ = try await fixture.signIn("thief@example.org", "thief's horse")
            }
            try await expectRefusal(.unauthenticated) {
                _ = try await fixture.signIn("mia@example.org", "thief's horse")
            }
            try await fixture.service.passwordResets.reset(code: reset, password: "mia's horse")
            let back = try await fixture.signIn("mia@example.org", "mia's horse")
            #expect(back.account.id == mia.account.id)
            #expect(back.account.emailVerifiedAt != nil)
            #expect(try await site.passkeys.registered.list(back.actor).isEmpty)
            try await expectRefusal(.notFound) { _ = try await fixture.service.emailChanges.undo(code: code) }
        }
    }

    @Test("An undo is void after seven days", arguments: Engine.allCases)
    func undoExpires(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await change(fixture, mia, "new@example.org")
            _ = try await confirm(fixture, "new@example.org")
            let code = undoCode(fixture)
            fixture.clock.advance(seconds: Limits.emailUndoSeconds)
            #expect(try await !fixture.service.emailChanges.isUndoCodeValid(code))
            try await expectRefusal(.notFound) { _ = try await fixture.service.emailChanges.undo(code: code) }
            #expect(try await fixture.service.reader.account(mia.actor).email == "new@example.org")
        }
    }

    @Test("The undo link of a thief's address can't override the owner's", arguments: Engine.allCases)
    func chain(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await change(fixture, mia, "thief@example.org")
            _ = try await confirm(fixture, "thief@example.org")
            let owners = undoCode(fixture)
            fixture.clock.advance(seconds: 1)
            try await change(fixture, mia, "second@example.org")
            _ = try await confirm(fixture, "second@example.org")
            let thiefs = undoCode(fixture, to: "thief@example.org")
            _ = try await fixture.service.emailChanges.undo(code: thiefs)
            _ = try await fixture.service.emailChanges.undo(code: owners)
            #expect(try await !fixture.service.emailChanges.isUndoCodeValid(thiefs))
            let accounts = try await fixture.service.administrators.accounts(after: nil)
            #expect(accounts.map(\.email) == ["mia@example.org"])
        }
    }

    @Test("No other account can take an address that an undo may restore", arguments: Engine.allCases)
    func held(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            let ben = try await fixture.join("ben@example.org")
            try await change(fixture, mia, "new@example.org")
            _ = try await confirm(fixture, "new@example.org")
            try await expectRefusal(.conflict) { try await fixture.join("MIA@example.org") }
            try await expectRefusal(.conflict) {
                _ = try await fixture.service.administrators.create(
                    email: "mia@example.org", name: "Eve", password: "correct horse")
            }
            try await expectRefusal(.conflict) { try await change(fixture, ben, "mia@example.org") }
            let site = try ProviderFixture(fixture)
            let outcome = try await site.comeIn(ProviderPerson(email: "mia@example.org"))
            #expect(outcome.signedIn == nil)
            #expect(outcome.offer != nil)
            fixture.clock.advance(seconds: Limits.emailUndoSeconds)
            try await fixture.join("mia@example.org")
        }
    }

    @Test(
        "An address that was never confirmed gets no undo link and no reset link",
        arguments: Engine.allCases)
    func unconfirmed(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.join()
            await fixture.service.mailSender.sendQueuedMails()
            try await fixture.service.passwordResets.request(email: "mia@example.org")
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.last?.subject == "No link for a new password")
            #expect(fixture.mails.all.last?.body.contains("/password-resets/") == false)
            #expect(
                try await fixture.database.read { try $0.rows("SELECT account_id FROM password_reset").count } == 0)
            try await change(fixture, mia, "new@example.org")
            let told = fixture.mails.all.last { $0.to == "mia@example.org" }
            #expect(told?.subject == "A new email address was entered")
            #expect(told?.body.contains("/email-undos/") == false)
            // A link from the administrator still works.
            #expect(
                try await fixture.service.administrators.resetLink(email: "mia@example.org").contains(
                    "/password-resets/"))
            _ = try await confirm(fixture, "new@example.org")
            try await fixture.service.passwordResets.request(email: "new@example.org")
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.last?.subject == "Choose a new password")
        }
    }

    @Test("Codes are stored only as hashes", arguments: Engine.allCases)
    func hashes(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await change(fixture, mia, "new@example.org")
            let codes = [try #require(fixture.mails.code(to: "new@example.org")), undoCode(fixture)]
            let stored: [[UInt8]] = try await fixture.database.read { tx in
                try tx.rows("SELECT code_hash FROM email_change UNION ALL SELECT code_hash FROM email_undo").map {
                    try $0.get("code_hash")
                }
            }
            #expect(Set(stored) == Set(codes.map(Token.hash)))
        }
    }
}

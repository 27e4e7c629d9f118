import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Registration")
struct RegistrationTests {
    @Test("Registration creates an account and signs its owner in", arguments: Engine.allCases)
    func register(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.service.registrations.register(
                Registration(email: " Mia@Example.org ", password: "correct horse", name: "  Mia "), device: .phone
            )
            #expect(mia.account.email == "Mia@Example.org")
            #expect(mia.account.name == "Mia")
            #expect(mia.account.role == .adult)
            #expect(mia.account.mapsApp == nil)
            #expect(mia.token.utf8.count == 43)
            let found = try await fixture.service.authenticator.authenticate(token: mia.token, kind: .cookie)
            #expect(found?.account == mia.account)
            #expect(found?.session == mia.session)
            #expect(try await fixture.service.reader.account(mia.actor) == mia.account)
        }
    }

    struct BadInput: Sendable, CustomTestStringConvertible {
        let input: Registration
        let fields: Set<String>
        var testDescription: String { "\(fields.sorted())" }
    }

    @Test(
        "Errors are reported at each field, and nothing is stored",
        arguments: [
            BadInput(input: Registration(email: nil, password: nil, name: nil), fields: ["email", "password", "name"]),
            BadInput(
                input: Registration(email: "mia", password: "short", name: String(repeating: "x", count: 51)),
                fields: ["email", "password", "name"]
            ),
            BadInput(
                input: Registration(app: "games", email: "a@b.org", password: "12345678", name: "M"), fields: ["app"]
            ),
            BadInput(
                input: Registration(app: "family", email: "a@b.org", password: "12345678", name: "M"),
                fields: ["dateOfBirth"]
            ),
            BadInput(
                input: Registration(app: "carrepsa", email: "a@b.org", password: "12345678", name: "M"),
                fields: ["phone"]
            ),
            BadInput(
                input: Registration(
                    email: "a@b.org", password: "12345678", name: "M", dateOfBirth: "2030-01-01", phone: "1"),
                fields: ["dateOfBirth", "phone"]
            ),
            BadInput(input: Registration(email: "a@b.org", password: "12345678", name: "a\u{7}b"), fields: ["name"]),
        ])
    func badInput(_ example: BadInput) async throws {
        try await withFixture(.sqlite) { fixture in
            let error = try await refusal {
                _ = try await fixture.service.registrations.register(example.input, device: .phone)
            }
            #expect(error?.code == .invalid)
            #expect(Set((error?.fields ?? [:]).keys) == example.fields)
            #expect(try await fixture.service.administrators.accounts(after: nil).isEmpty)
            #expect(fixture.hasher.hashes == 0)
        }
    }

    @Test("Registration requires the fields of the app")
    func requiredByApp() async throws {
        try await withFixture(.sqlite) { fixture in
            let parent = try await fixture.service.registrations.register(
                Registration(
                    app: "family", email: "a@b.org", password: "12345678", name: "M", dateOfBirth: "1980-05-06"
                ), device: .phone
            )
            #expect(parent.account.dateOfBirth == "1980-05-06")
            #expect(AppName.carrepsa.missing(in: parent.account) == ["phone"])
            #expect(AppName.family.missing(in: parent.account).isEmpty)
            let error = try await refusal {
                _ = try await fixture.service.profiles.complete(
                    for: .carrepsa, dateOfBirth: nil, phone: nil, by: parent.change)
            }
            #expect(error?.fields.keys.sorted() == ["phone"])
            let carrier = try await fixture.service.profiles.complete(
                for:
                    .carrepsa, dateOfBirth: nil, phone: "+49 151 23456789", by: parent.change
            )
            #expect(carrier.phone == "+4915123456789")
            #expect(carrier.dateOfBirth == "1980-05-06")
        }
    }

    @Test("An email is taken in any case, and concurrent requests create one account", arguments: Engine.allCases)
    func takenEmail(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let outcomes = await withTaskGroup(of: AppError.Code?.self) { group in
                for number in 0..<8 {
                    let email = number.isMultiple(of: 2) ? "mia@example.org" : "MIA@EXAMPLE.ORG"
                    group.addTask {
                        do {
                            try await fixture.join(email)
                            return nil
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code?]()) { $0.append($1) }
            }
            #expect(count(nil, in: outcomes) == 1)
            #expect(count(.conflict, in: outcomes) == 7)
            let error = try await refusal { try await fixture.join("mIa@example.org") }
            #expect(error?.code == .conflict)
            #expect(error?.fields["email"] != nil)
            #expect(try await fixture.service.administrators.accounts(after: nil).count == 1)
        }
    }

    @Test("Passwords and tokens are stored only as hashes", arguments: Engine.allCases)
    func onlyHashes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let (password, token) = try await fixture.database.read { tx in
                let password: String? = try tx.row("SELECT password FROM account")?.get("password")
                let token: [UInt8]? = try tx.row("SELECT token_hash FROM session")?.get("token_hash")
                return (password, token)
            }
            #expect(password?.hasPrefix("$scrypt$ln=") == true)
            #expect(password?.contains("correct horse") == false)
            #expect(token?.count == 32)
            #expect(token != Array(mia.token.utf8))
        }
    }

    @Test("The link in the mail verifies the email, once", arguments: Engine.allCases)
    func verification(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.join()
            await fixture.service.mailSender.sendQueuedMails()
            let code = try #require(fixture.mails.code(to: "mia@example.org"))
            #expect(try await fixture.service.reader.account(mia.actor).emailVerifiedAt == nil)
            let verified = try await fixture.service.emailVerifications.verify(code: code)
            #expect(verified.emailVerifiedAt == fixture.clock.now)
            #expect(try await fixture.service.reader.account(mia.actor).emailVerifiedAt == fixture.clock.now)
            let error = try await refusal { _ = try await fixture.service.emailVerifications.verify(code: code) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("A verification link expires after a week, and is void for another email")
    func staleVerification() async throws {
        try await withFixture(.sqlite, hasMail: true) { fixture in
            let mia = try await fixture.join()
            await fixture.service.mailSender.sendQueuedMails()
            let first = try #require(fixture.mails.code(to: "mia@example.org"))
            fixture.clock.advance(seconds: Limits.verificationSeconds)
            try await expectRefusal(.notFound) { _ = try await fixture.service.emailVerifications.verify(code: first) }
            try await fixture.service.emailVerifications.request(mia.actor)
            await fixture.service.mailSender.sendQueuedMails()
            let second = try #require(fixture.mails.code(to: "mia@example.org"))
            _ = try await fixture.service.profiles.update(
                ProfileChanges(email: .set("new@example.org")), password: "correct horse", by: mia.change)
            await fixture.service.mailSender.sendQueuedMails()
            let third = try #require(fixture.mails.code(to: "new@example.org"))
            _ = try await fixture.service.emailVerifications.verify(code: third)
            try await expectRefusal(.notFound) { _ = try await fixture.service.emailVerifications.verify(code: second) }
        }
    }
}

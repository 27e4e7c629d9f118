import Accounts
import Kernel
import TestSupport
import Testing

@Suite("Accounts on the command line")
struct OperatorTests {
    @Test("The administrator creates an account that can sign in", arguments: Engine.allCases)
    func create(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let account = try await fixture.service.administrators.create(
                email: "Mia@example.org", name: "Mia", password: "correct horse")
            #expect(try await fixture.signIn().account.id == account.id)
            let taken = try await refusal {
                _ = try await fixture.service.administrators.create(
                    email: "mia@example.org", name: "M", password: "correct horse")
            }
            #expect(taken?.code == .conflict)
            let bad = try await refusal {
                _ = try await fixture.service.administrators.create(email: "x", name: "", password: "short")
            }
            #expect(bad?.fields.keys.sorted() == ["email", "name", "password"])
        }
    }

    @Test("The administrator grants operator rights, and a running server applies them", arguments: Engine.allCases)
    func makeOperator(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            #expect(try await fixture.isValid(mia))
            #expect(try await fixture.neighbour().administrators.setOperator(email: "MIA@example.org", true).isOperator)
            fixture.clock.advance(milliseconds: Limits.sessionCacheMilliseconds)
            let found = try await fixture.service.authenticator.authenticate(token: mia.token, kind: .cookie)
            #expect(found?.account.isOperator == true)
            #expect(try await !fixture.service.administrators.setOperator(email: "mia@example.org", false).isOperator)
            let unknown = try await refusal {
                _ = try await fixture.service.administrators.setOperator(email: "no@example.org", true)
            }
            #expect(unknown?.code == .notFound)
        }
    }

    @Test("A reset link is created only for an existing account")
    func resetLink() async throws {
        try await withFixture(.sqlite) { fixture in
            for email in ["no@example.org", "nonsense"] {
                let error = try await refusal { _ = try await fixture.service.administrators.resetLink(email: email) }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test("All accounts are listed page by page", arguments: Engine.allCases)
    func list(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for number in 0..<5 {
                try await fixture.join("p\(number)@example.org")
                fixture.clock.advance(seconds: 1)
            }
            var emails: [String?] = []
            var after: PersonID?
            while true {
                let page = try await fixture.service.administrators.accounts(after: after, limit: 2)
                guard let last = page.last else { break }
                emails += page.map(\.email)
                after = last.id
            }
            let expected = (0..<5).map { "p\($0)@example.org" }
            #expect(emails == expected)
        }
    }

    @Test("Where mail is set up, rights can be granted only to a confirmed email or an id", arguments: Engine.allCases)
    func confirmedEmail(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.join()
            let error = try await refusal {
                _ = try await fixture.service.administrators.setOperator(email: "mia@example.org", true)
            }
            #expect(error?.message == AccountMessage.emailNotConfirmed.text)
            #expect(try await fixture.service.administrators.setOperator(email: "\(mia.account.id)", true).isOperator)
            // Rights can always be revoked.
            #expect(try await !fixture.service.administrators.setOperator(email: "mia@example.org", false).isOperator)
            await fixture.service.mailSender.sendDueMails()
            _ = try await fixture.service.emailVerifications.verify(
                code: try #require(fixture.mails.code(to: "mia@example.org")))
            #expect(try await fixture.service.administrators.setOperator(email: "mia@example.org", true).isOperator)
        }
    }
}

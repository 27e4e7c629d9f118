import Accounts
import Kernel
import TestSupport
import Testing

@Suite("What the command line does with accounts")
struct OperatorTests {
    @Test("makes one that can sign in", arguments: Engine.allCases)
    func create(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let account = try await house.service.create(
                email: "Mia@example.org", name: "Mia", password: "correct horse")
            #expect(try await house.signIn().account.id == account.id)
            let taken = try await refusal {
                _ = try await house.service.create(email: "mia@example.org", name: "M", password: "correct horse")
            }
            #expect(taken?.code == .conflict)
            let bad = try await refusal { _ = try await house.service.create(email: "x", name: "", password: "short") }
            #expect(bad?.fields.keys.sorted() == ["email", "name", "password"])
        }
    }

    @Test("makes somebody an operator, which a running server notices", arguments: Engine.allCases)
    func makeOperator(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let mia = try await house.join()
            #expect(try await house.isGood(mia))
            #expect(try await house.neighbour().setOperator(email: "MIA@example.org", true).isOperator)
            house.clock.advance(milliseconds: Limits.sessionCacheMilliseconds)
            let found = try await house.service.authenticate(token: mia.token, kind: .cookie)
            #expect(found?.account.isOperator == true)
            #expect(try await !house.service.setOperator(email: "mia@example.org", false).isOperator)
            let unknown = try await refusal { _ = try await house.service.setOperator(email: "no@example.org", true) }
            #expect(unknown?.code == .notFound)
        }
    }

    @Test("gives a reset link only where there is an account")
    func resetLink() async throws {
        try await withHouse(.sqlite) { house in
            for email in ["no@example.org", "nonsense"] {
                let error = try await refusal { _ = try await house.service.resetLink(email: email) }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test("lists all, page by page", arguments: Engine.allCases)
    func list(engine: Engine) async throws {
        try await withHouse(engine) { house in
            for number in 0..<5 {
                try await house.join("p\(number)@example.org")
                house.clock.advance(seconds: 1)
            }
            var emails: [String?] = []
            var after: PersonID?
            while true {
                let page = try await house.service.accounts(after: after, limit: 2)
                guard let last = page.last else { break }
                emails += page.map(\.email)
                after = last.id
            }
            let expected = (0..<5).map { "p\($0)@example.org" }
            #expect(emails == expected)
        }
    }

    @Test("where mail is set up, rights go to a confirmed email or to an id alone", arguments: Engine.allCases)
    func confirmedEmail(engine: Engine) async throws {
        try await withHouse(engine, hasMail: true) { house in
            let mia = try await house.join()
            let error = try await refusal { _ = try await house.service.setOperator(email: "mia@example.org", true) }
            #expect(error?.message == AccountMessage.emailNotConfirmed.rawValue)
            #expect(try await house.service.setOperator(email: "\(mia.account.id)", true).isOperator)
            // Taking them away is always possible.
            #expect(try await !house.service.setOperator(email: "mia@example.org", false).isOperator)
            await house.service.sendDueMails()
            _ = try await house.service.verifyEmail(code: try #require(house.letters.code(to: "mia@example.org")))
            #expect(try await house.service.setOperator(email: "mia@example.org", true).isOperator)
        }
    }
}

import Accounts
import Kernel
import TestSupport
import Testing

@Suite("Mails about access tokens")
struct AccessTokenMailTests {
    private static func create(_ name: String, days: Int, _ fixture: AccountsFixture, by actor: Actor) async throws {
        let request = AccessTokenRequest(name: name, scopes: ["tracking:read"], days: days)
        _ = try await fixture.service.accessTokens.create(request, password: "correct horse", by: actor)
    }

    @Test("The person is mailed about a new token, and once before it expires", arguments: Engine.allCases)
    func reminder(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await Self.create("Short", days: 7, fixture, by: mia.actor)
            try await Self.create("Long", days: 90, fixture, by: mia.actor)
            func subjects() async throws -> [String] {
                try await fixture.service.housekeeping.run()
                await fixture.service.mailSender.sendQueuedMails()
                return fixture.mails.all.map(\.subject)
            }
            #expect(try await subjects().suffix(2) == ["A new access token", "A new access token"])
            // A token with a short life has no reminder.
            fixture.clock.advance(seconds: 24 * 60 * 60)
            #expect(try await subjects().last == "A new access token")
            fixture.clock.advance(seconds: 81 * 24 * 60 * 60)
            #expect(try await subjects().last == "A new access token")
            fixture.clock.advance(seconds: 2 * 24 * 60 * 60)
            #expect(try await subjects().last == "An access token expires soon")
            #expect(fixture.mails.all.last?.body.contains("“Long”") == true)
            let count = fixture.mails.all.count
            fixture.clock.advance(seconds: 24 * 60 * 60)
            #expect(try await subjects().count == count)
        }
    }
}

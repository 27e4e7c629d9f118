import Kernel
import TestSupport
import Testing

@testable import Accounts

@Suite("Names in mails")
struct MailRecipientTests {
    private static let advertisement = "You won: https://evil.example"

    /// One mail of each kind, with the text that a person can enter.
    private static let mails: [AccountMail] =
        [
            .verification(url: "https://home.example/1"), .reset(url: "https://home.example/2"), .resetUnconfirmed,
            .emailChange(url: "https://home.example/3"), .emailChangeRequested(undoURL: "https://home.example/4"),
            .emailChangeRequested(undoURL: nil), .emailChanged(undoURL: "https://home.example/5"),
            .emailChanged(undoURL: nil), .passwordChanged, .passkeyAdded(device: advertisement),
            .accessTokenCreated(name: advertisement), .accessTokenExpires(name: advertisement),
            .linked(provider: "Google"),
            .family(.left, siteURL: "https://home.example"), .family(.removed, siteURL: "https://home.example"),
            .family(.childDeleted, siteURL: "https://home.example"), .invitation(url: "https://home.example/6"),
            .imported(isComplete: true, siteURL: "https://home.example"),
            .imported(isComplete: false, siteURL: "https://home.example"), .test(siteURL: "https://home.example"),
        ] + AdministrationNotice.allCases.map(AccountMail.administration)
        + DeliveryNotice.allCases.map { .delivery($0, url: "https://home.example/7") }

    /// Returns a number for the kind of a mail. A new kind must be added to ``mails``.
    private static func kind(_ mail: AccountMail) -> Int {
        switch mail {
        case .verification: 0
        case .reset: 1
        case .resetUnconfirmed: 2
        case .emailChange: 3
        case .emailChangeRequested: 4
        case .emailChanged: 5
        case .passkeyAdded: 6
        case .linked: 7
        case .family: 8
        case .passwordChanged: 9
        case .invitation: 10
        case .administration: 11
        case .test: 12
        case .accessTokenCreated: 13
        case .accessTokenExpires: 14
        case .imported: 15
        case .delivery: 16
        }
    }

    private static func account(verifiedAt: Instant?) -> Account {
        let now = TestClock().now
        return Account(
            id: PersonID(at: now, random: SeededRandom()), email: "mia@example.org", name: advertisement, phone: nil,
            dateOfBirth: nil, theme: Themes.standard, avatarPictureID: nil, mapsApp: nil, role: .adult,
            language: nil, isOperator: false, emailVerifiedAt: verifiedAt, version: 1, createdAt: now)
    }

    @Test("No mail to an address that isn't confirmed contains a person's text", arguments: Language.allCases)
    func everyKind(language: Language) throws {
        #expect(Set(Self.mails.map(Self.kind)) == Set(0...16))
        let address = try #require(EmailAddress("mia@example.org"))
        let strangers = [
            MailRecipient(unconfirmed: address, of: nil),
            try #require(MailRecipient(ownerOf: Self.account(verifiedAt: nil))),
        ]
        let owner = try #require(MailRecipient(ownerOf: Self.account(verifiedAt: TestClock().now)))
        for mail in Self.mails {
            for recipient in strangers {
                let email = mail.email(to: recipient, language: language.rawValue)
                #expect(email.to == "mia@example.org")
                for text in [email.subject, email.body] { #expect(!text.contains("evil"), "\(text)") }
            }
            #expect(mail.email(to: owner, language: language.rawValue).body.contains(Self.advertisement))
        }
    }

    @Test("After the greeting, a mail begins with a capital letter, except in German")
    func firstLetter() throws {
        #expect(Set(Self.mails.map(Self.kind)) == Set(0...16))
        let owner = try #require(MailRecipient(ownerOf: Self.account(verifiedAt: TestClock().now)))
        for mail in Self.mails {
            for language in Language.allCases {
                let body = mail.email(to: owner, language: language.rawValue).body
                let lines = body.split(separator: "\n")
                let first = try #require(lines.dropFirst().first?.first)
                #expect(first.isUppercase == (language != .german), "\(body)")
            }
        }
    }

    @Test("Mails to recipients offer a refusal only where it is possible")
    func refusals() {
        let t = Translator.english
        let offering = DeliveryNotice.allCases.filter { notice in
            EmailText(notice, url: "https://home.example/7", t).body.contains("refuse")
        }
        #expect(offering == [.accepted, .pickedUp])
    }

    @Test("A person's name is in no mail before the address is confirmed", arguments: Engine.allCases)
    func everyPath(engine: Engine) async throws {
        try await withFixture(engine, hasMail: true) { fixture in
            let mia = try await fixture.join(name: Self.advertisement)
            try await fixture.service.emailVerifications.request(mia.actor)
            try await fixture.service.passwordResets.request(email: "mia@example.org")
            let site = PasskeyFixture(fixture)
            let registration = try SoftAuthenticator().registration(try await site.asked(to: mia))
            _ = try await site.passkeys.registrations.register(
                registration, name: Self.advertisement, isForLock: false, by: mia.actor)
            #expect(
                try await ProviderFixture(fixture).comeIn(for: .link(mia.actor, password: "correct horse")).isLinked)
            _ = try await fixture.service.profiles.update(
                ProfileChanges(email: .set("new@example.org")), password: "correct horse", by: mia.change)
            fixture.clock.advance(seconds: 1)
            try await fixture.service.emailVerifications.request(mia.actor)
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.count == 8)
            // The address has used up the notices of this hour.
            fixture.clock.advance(seconds: Limits.mailThrottleSeconds)
            _ = try await fixture.service.emailVerifications.verify(
                code: try #require(fixture.mails.code(to: "new@example.org")))
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.last?.subject == "Your email address was changed")
            for mail in fixture.mails.all {
                #expect(!mail.subject.contains("evil") && !mail.body.contains("evil"), "\(mail)")
            }
            try await fixture.service.passwordResets.request(email: "new@example.org")
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.last?.body.hasPrefix("Hello \(Self.advertisement),\n") == true)
        }
    }
}

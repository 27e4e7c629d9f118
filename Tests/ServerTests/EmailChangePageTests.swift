import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import TestSupport
import Testing

/// The change of an email address in a browser without scripts.
@Suite("Changes of the email address: pages")
struct EmailChangePageTests {
    /// The code of the link in the newest mail with a subject.
    private static func code(
        _ subject: String, _ site: AccountsTestServer, _ sent: SentMails
    ) async throws -> String {
        await site.accounts.mailSender.sendQueuedMails()
        let body = try #require(await sent.mails.last { $0.subject == subject }?.body)
        let line = try #require(body.split(separator: "\n").last { $0.hasPrefix("https://") })
        return String(line.split(separator: "/").last ?? "")
    }

    /// Registers a person with a confirmed address who then enters another one, and returns the browser's cookie.
    private static func changeEmail(_ site: AccountsTestServer, _ sent: SentMails) async throws -> String {
        let cookie = try await site.signUpInBrowser()
        let confirmation = try await Self.code("Confirm your email address", site, sent)
        #expect(try await site.call(.post, "/email-verifications/\(confirmation)").status == .noContent)
        let form = "view=email&return=/account&email=new%40example.org&password=correct+horse"
        let changed = try await site.submit("/account?_method=patch", form, cookie: cookie)
        #expect(changed.status == .seeOther, "\(changed.html)")
        let settings = try await site.get("/account", .browser(cookie)).html
        #expect(settings.contains(#"id="waiting-email""#) && settings.contains("new@example.org"))
        return cookie
    }

    @Test("The link to a pending address is sent again up to the limit, and the change stays pending")
    func resent() async throws {
        let sent = SentMails()
        try await withAccountsSite(mailer: sent) { site in
            let cookie = try await Self.changeEmail(site, sent)
            let popup = try await site.get("/account/fields/email", .browser(cookie)).html
            #expect(popup.contains("new@example.org") && popup.contains("isn’t confirmed yet"))
            // Anyone can request resets; they don't use up the mails of the address's owner.
            for _ in 0...Limits.mailsPerRecipient {
                let reset = try await site.call(.post, "/password-resets", #"{"email":"new@example.org"}"#)
                #expect(reset.status == .accepted)
            }
            for _ in 1..<Limits.mailsPerRecipient {
                let again = try await site.submit("/account/verification", "return=/account", cookie: cookie)
                #expect(again.status == .seeOther && again.headers[.location] == "/account")
                #expect(try Reply(again).toast() == "A link is on its way")
            }
            let refused = try await site.submit("/account/verification", "return=/account", cookie: cookie)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.html.contains(AccountMessage.recipientMailsThrottled.text))
            #expect(try await site.get("/account", .browser(cookie)).html.contains(#"id="waiting-email""#))
        }
    }

    @Test("A change that is cancelled in the settings keeps the current address, and its link no longer works")
    func cancelled() async throws {
        let sent = SentMails()
        try await withAccountsSite(mailer: sent) { site in
            let cookie = try await Self.changeEmail(site, sent)
            let link = "/email-verifications/\(try await Self.code("Confirm your new email address", site, sent))"
            let cancelled = try await site.submit(
                "/account/pending-email?_method=delete", "return=/account&idempotencyKey=", cookie: cookie)
            #expect(cancelled.status == .seeOther && cancelled.headers[.location] == "/account")
            #expect(try await !site.get("/account", .browser(cookie)).html.contains("waiting-email"))
            #expect(try await site.get(link, .browser(cookie)).status == .ok)
            let gone = try await site.submit(link, "", cookie: cookie)
            #expect(gone.status == .notFound)
            #expect(gone.html.contains("This link no longer works</h1>"))
            let settings = try await site.get("/account", .browser(cookie)).html
            #expect(settings.contains("mia@example.org") && !settings.contains("new@example.org"))
        }
    }

    @Test("Without mail, the form changes the address at once, only with the password")
    func withoutMail() async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            let page = try await site.get("/account/fields/email?return=/account", .browser(cookie)).html
            #expect(page.contains(#"name="view" value="email""#) && page.contains(#"name="return" value="/account""#))
            let form = "view=email&return=/account&email=new%40example.org"
            let bare = try await site.submit("/account?_method=patch", form, cookie: cookie)
            #expect(bare.status == .unprocessableContent)
            #expect(bare.html.contains(AccountMessage.passwordMissing.text))
            #expect(bare.html.contains(#"value="new@example.org""#))
            let done = try await site.submit(
                "/account?_method=patch", "\(form)&password=correct+horse", cookie: cookie)
            #expect(done.status == .seeOther && done.headers[.location] == "/account")
            let settings = try await site.get("/account", .browser(cookie)).html
            #expect(settings.contains("new@example.org") && !settings.contains("mia@example.org"))
        }
    }

    @Test("An unlocked browser without the password changes no email and downloads nothing")
    func unlockedBrowser() async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            let changed = try await site.submit(
                "/account?_method=patch", "name=Mia&email=thief%40example.org&password=", cookie: cookie)
            #expect(changed.status == .unprocessableContent)
            #expect(changed.html.contains(AccountMessage.passwordMissing.text))
            let settings = try await site.get("/account", .browser(cookie)).html
            #expect(settings.contains("mia@example.org") && !settings.contains("thief@example.org"))
            let proof = "/account/proofs/export"
            #expect(settings.contains(#"href="\#(proof)""#))
            #expect(try await site.get(proof, .browser(cookie)).html.contains(#"type="password""#))
            let guessed = try await site.submit(proof, "password=guess", cookie: cookie)
            #expect(guessed.status == .unprocessableContent)
            #expect(guessed.html.contains(AccountMessage.passwordWrong.text))
            #expect(try await site.get("/account/export", .browser(cookie)).headers[.location] == proof)
        }
    }
}

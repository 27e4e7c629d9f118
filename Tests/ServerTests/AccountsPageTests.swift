import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import TestSupport
import Testing

@Suite("Account pages")
struct AccountsPageTests {
    @Test("Every page renders in every language, signed in and out", arguments: Language.allCases.map(\.rawValue))
    func pages(language: String) async throws {
        try await withAccountsSite(mailer: SentMails()) { site in
            for path in ["/", "/sign-in", "/register", "/register?app=family", "/forgotten-password?sent=true"] {
                var headers = HTTPFields.page
                headers[.acceptLanguage] = language
                let page = try await site.get(path, headers)
                #expect(page.status == .ok, "\(path)")
                page.expectRenders(path)
            }
            let cookie = try await site.signUpInBrowser()
            let paths = [
                "/", "/account", "/account/edit", "/account/choices/maps", "/account/choices/theme",
                "/account/choices/language", "/account/password", "/account/delete", "/account/sessions", "/pictures",
            ]
            for path in paths {
                var headers = HTTPFields.browser(cookie)
                headers[.acceptLanguage] = language
                let page = try await site.get(path, headers)
                #expect(page.status == .ok, "\(path)")
                page.expectRenders(path)
            }
            #expect(try await site.get("/account/choices/nonsense", .browser(cookie)).status == .notFound)
            #expect(try await site.get("/account").headers[.location] == "/sign-in?return=/account")
        }
    }

    @Test("The deletion page lists its consequences and asks for the password")
    func deletion() async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            let page = try await site.get("/account/delete", .browser(cookie)).html
            let consequences = page.matches(of: #/<li>([^<]+)<\/li>/#).map { String($0.output.1) }
            #expect(consequences.count == 4)
            for (consequence, part) in zip(consequences, ["Your items", "only parent", "photos", "Carrepsa"]) {
                #expect(consequence.contains(part), "\(consequence)")
            }
            #expect(page.contains(">Download everything</a>"))
            let refused = try await site.submit("/account?_method=delete", "password=", cookie: cookie)
            #expect(refused.status == .unprocessableContent)
            #expect(refused.html.contains(AccountMessage.passwordMissing.text))
            #expect(try await site.get("/account", .browser(cookie)).status == .ok)
        }
    }

    @Test("T-5-2-1: Choosing a language changes the next page")
    func language() async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            let settings = try await site.get("/account", .browser(cookie)).html
            #expect(settings.contains("href=\"/account/choices/language\"") && settings.contains("href=\"/pictures\""))
            #expect(try await site.get("/pictures", .browser(cookie)).html.contains("href=\"/account\" data-back>"))
            let choices = try await site.get("/account/choices/language", .browser(cookie)).html
            #expect(choices.contains("Numbers, dates and times are written in it as well."))
            #expect(choices.contains("name=\"language\" value=\"de\""))
            let chosen = try await site.submit("/account?_method=patch", "language=de", cookie: cookie)
            #expect(chosen.status == .seeOther && chosen.headers[.location] == "/account")
            #expect(try await site.get("/account", .browser(cookie)).html.contains("<html lang=\"de\""))
        }
    }
}

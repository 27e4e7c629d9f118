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
}

import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import TestSupport
import Testing
import WebCore

@Suite("Account routes")
struct AccountRoutesTests {
    @Test("Pages use the account's light or dark appearance")
    func appearance() async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            let before = try await site.get("/account", .browser(cookie))
            #expect(before.html.contains("content=\"light dark\"") && !before.html.contains("data-scheme"))
            let chosen = try await site.submit("/account?_method=patch", "appearance=dark", cookie: cookie)
            #expect(chosen.status == .seeOther)
            let after = try await site.get("/account", .browser(cookie))
            #expect(after.html.contains("data-scheme=\"dark\""))
            #expect(after.html.contains("<meta name=\"color-scheme\" content=\"dark\">"))
            let token = try await site.join("ben@example.org")
            let wrong = try await site.call(.patch, "/account", #"{"appearance":"sepia"}"#, token: token)
            #expect(try wrong.errorFields() == ["appearance"])
            let light = try await site.call(.patch, "/account", #"{"appearance":"light"}"#, token: token)
            #expect(try light.object()["appearance"] as? String == "light")
            let cleared = try await site.call(.patch, "/account", #"{"appearance":null}"#, token: token)
            #expect(try cleared.object()["appearance"] as? String == "system")
        }
    }

    @Test("PATCH changes only the given fields, checks If-Match, and works as a form")
    func patch() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            let answer = try await site.call(
                .patch, "/account", #"{"name":"Mia M.","mapsApp":"google","theme":"ocean","phone":"+49 151 234567"}"#,
                token: token
            )
            #expect(answer.status == .ok)
            let account = try answer.object()
            #expect(account["name"] as? String == "Mia M.")
            #expect(account["mapsApp"] as? String == "google")
            #expect(account["phone"] as? String == "+49151234567")
            #expect(account["version"] as? Int == 2)
            let cleared = try await site.call(.patch, "/account", #"{"phone":null,"mapsApp":null}"#, token: token)
            #expect(try cleared.object()["phone"] is NSNull)
            var stale = HTTPFields.program(token)
            stale[.ifMatch] = "\"1\""
            let conflict = try await site.send(.patch, "/account", stale, body: #"{"name":"X"}"#)
            #expect(conflict.status == .conflict)
            let bad = try await site.call(
                .patch, "/account", #"{"name":null,"theme":"neon","mapsApp":"bing","avatarPictureId":"x"}"#,
                token: token
            )
            #expect(bad.status == .unprocessableContent)
            #expect(try bad.errorFields() == ["avatarPictureId", "mapsApp", "name", "theme"])
            let broken = try await site.call(.patch, "/account", #"{"name":null,"theme":"neon"}"#, token: token)
            #expect(try broken.errorFields() == ["name", "theme"])

            let cookie = try await site.signUpInBrowser("ben@example.org")
            let chosen = try await site.submit("/account?_method=patch", "mapsApp=apple", cookie: cookie)
            #expect(chosen.headers[.location] == "/account")
            #expect(try await site.get("/account", .browser(cookie)).html.contains("Apple Maps"))
            let refused = try await site.submit(
                "/account?_method=patch", "name=&email=ben%40example.org&phone=&dateOfBirth=", cookie: cookie
            )
            #expect(refused.status == .unprocessableContent)
            #expect(refused.html.contains(AccountMessage.nameMissing.text))
        }
    }

    @Test("Sessions are listed with the current one marked; own sessions can be revoked, others can't")
    func devices() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            site.clock.advance(seconds: 1)
            let cookie =
                try await site.submit("/session", "email=mia%40example.org&password=correct+horse").sessionCookie ?? ""
            let list = try await site.call(.get, "/account/sessions", token: token).object()
            let items = try #require(list["items"] as? [[String: Any]])
            #expect(list["next"] is NSNull)
            #expect(items.count == 2)
            #expect(items[0].keys.sorted() == ["createdAt", "current", "id", "lastUsedAt", "name"])
            #expect(items[0]["current"] as? Bool == true)
            #expect(items[1]["current"] as? Bool == false)
            #expect(items[1]["name"] as? String == "Chrome on Android")
            // The page is in the reader's language. JSON keeps the stored name.
            var headers = HTTPFields.browser(cookie)
            headers[.acceptLanguage] = "de"
            #expect(try await site.get("/account/sessions", headers).html.contains("Chrome auf Android"))
            headers[.accept] = "application/json"
            #expect(try await site.get("/account/sessions", headers).html.contains("\"Chrome on Android\""))
            let stranger = try await site.join("ben@example.org")
            let id = try #require(items[1]["id"] as? String)
            #expect(try await site.call(.delete, "/account/sessions/\(id)", token: stranger).status == .notFound)
            #expect(try await site.call(.delete, "/account/sessions/\(id)", token: token).status == .noContent)
            #expect(try await site.call(.delete, "/account/sessions/\(id)", token: token).status == .notFound)
            #expect(try await site.get("/account", .browser(cookie)).status == .seeOther)
            #expect(
                try await site.call(.get, "/account/sessions?limit=201", token: token).status == .unprocessableContent)
            #expect(try await site.call(.delete, "/account/sessions/nonsense", token: token).status == .notFound)
        }
    }

    @Test("A password change keeps this session and ends the others")
    func password() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            let other =
                try await site.call(
                    .post, "/session", #"{"email":"mia@example.org","password":"correct horse"}"#
                ).object()["token"] as? String ?? ""
            let wrong = try await site.call(
                .put, "/account/password", #"{"current":"wrong","password":"battery staple"}"#, token: token
            )
            #expect(wrong.status == .unprocessableContent)
            #expect(try wrong.errorFields() == ["current"])
            let answer = try await site.call(
                .put, "/account/password", #"{"current":"correct horse","password":"battery staple"}"#, token: token
            )
            #expect(answer.status == .noContent)
            #expect(try await site.isSignedIn(token))
            #expect(try await !site.isSignedIn(other))
        }
    }

    @Test("A password reset gets 202 for any address, and its link works once")
    func reset() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            for email in ["mia@example.org", "unknown@example.org"] {
                let answer = try await site.call(.post, "/password-resets", #"{"email":"\#(email)"}"#)
                #expect(answer.status == .accepted)
                #expect(answer.html.isEmpty)
            }
            let link = try await site.accounts.administrators.resetLink(email: "mia@example.org")
            let path = String(link.dropFirst("https://home.example".count))
            let page = try await site.get(path)
            #expect(page.status == .ok)
            page.expectRenders(path)
            let short = try await site.submit("\(path)?_method=put", "password=short")
            #expect(short.status == .unprocessableContent)
            let done = try await site.submit("\(path)?_method=put", "password=battery+staple")
            #expect(done.headers[.location] == "/sign-in")
            #expect(try await !site.isSignedIn(token))
            #expect(try await site.get(path).status == .notFound)
            let again = try await site.call(.put, path, #"{"password":"third password"}"#)
            #expect(again.status == .notFound)
            let signedIn = try await site.call(
                .post, "/session", #"{"email":"mia@example.org","password":"battery staple"}"#
            )
            #expect(signedIn.status == .created)
        }
    }

    @Test("Deletion needs the password, and ends the session and frees the email")
    func delete() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            #expect(try await site.call(.delete, "/account", token: token).status == .badRequest)
            #expect(try await site.call(.delete, "/account", "{}", token: token).status == .unprocessableContent)
            let wrong = try await site.call(.delete, "/account", #"{"password":"wrong"}"#, token: token)
            #expect(try wrong.errorFields() == ["password"])
            let done = try await site.call(.delete, "/account", #"{"password":"correct horse"}"#, token: token)
            #expect(done.status == .noContent)
            #expect(try await !site.isSignedIn(token))
            let cookie = try await site.signUpInBrowser()
            let page = try await site.submit("/account?_method=delete", "password=correct+horse", cookie: cookie)
            #expect(page.headers[.location] == "/")
            #expect(page.headers[values: .setCookie].joined().contains("__Host-homeward=;"))
        }
    }

    @Test("The export is a zip file")
    func export() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            let bare = try await site.call(.get, "/account/export", token: token)
            #expect(bare.status == .unprocessableContent)
            #expect(try bare.errorFields() == ["password"])
            let proof = try await site.call(
                .post, "/account/proofs/export", #"{"password":"correct horse"}"#, token: token)
            #expect(proof.status == .created)
            let answer = try await site.call(.get, "/account/export", token: token)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/zip")
            #expect(answer.headers[.contentDisposition]?.contains("homeward-2026-03-01.zip") == true)
            #expect(Array(answer.body.readableBytesView.prefix(4)) == [0x50, 0x4b, 3, 4])
        }
    }

    @Test("Ending a browser's session makes it delete its cached photos")
    func forgets() async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            let page = try await site.get("/account", .browser(cookie))
            #expect(page.headers[.clearSiteData] == nil)
            let out = try await site.submit("/session?_method=delete", "", cookie: cookie)
            #expect(out.headers[.clearSiteData] == "\"cache\"")
            let again = try await site.submit(
                "/session", "email=mia%40example.org&password=correct+horse"
            ).sessionCookie
            let gone = try await site.submit("/account?_method=delete", "password=correct+horse", cookie: again)
            #expect(gone.headers[.clearSiteData] == "\"cache\"")
        }
    }
}

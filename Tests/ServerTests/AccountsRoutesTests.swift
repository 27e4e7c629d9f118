import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Synchronization
import TestSupport
import Testing

@Suite("Accounts over HTTP")
struct AccountsRoutesTests {
    @Test("a program registers, gets a token and no cookie", arguments: Engine.allCases)
    func registerByJSON(engine: Engine) async throws {
        try await withAccountsSite(engine) { site in
            let answer = try await site.call(
                .post, "/accounts", #"{"email":"Mia@Example.org","password":"correct horse","name":"Mia"}"#
            )
            #expect(answer.status == .created)
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.headers[.cacheControl] == "private, no-store")
            let token = try #require(answer.object()["token"] as? String)
            let account = try #require(answer.object()["account"] as? [String: Any])
            let keys = [
                "avatarPictureId", "dateOfBirth", "email", "emailVerifiedAt", "id", "language", "mapsApp", "name",
                "phone", "role", "theme", "version",
            ]
            #expect(account.keys.sorted() == keys)
            #expect(account["email"] as? String == "Mia@Example.org")
            #expect(account["role"] as? String == "adult")
            #expect(account["phone"] is NSNull)
            #expect(account["mapsApp"] is NSNull)
            let own = try await site.call(.get, "/account", token: token)
            #expect(own.status == .ok)
            #expect(own.headers[.eTag] == "\"1\"")
            #expect(try own.object()["id"] as? String == account["id"] as? String)
            let taken = try await site.call(
                .post, "/accounts", #"{"email":"MIA@example.org","password":"correct horse","name":"M"}"#
            )
            #expect(taken.status == .conflict)
            #expect(try taken.errorFields() == ["email"])
        }
    }

    struct BadBody: Sendable, CustomTestStringConvertible {
        let path: String
        let body: String
        let status: HTTPResponse.Status
        let fields: [String]
        var testDescription: String { "\(path) \(body.prefix(60))" }
    }

    @Test(
        "bad bodies get a clear error each",
        arguments: [
            BadBody(
                path: "/accounts", body: "{}", status: .unprocessableContent, fields: ["email", "name", "password"]),
            BadBody(
                path: "/accounts", body: #"{"email":1,"password":"correct horse","name":"M"}"#,
                status: .unprocessableContent,
                fields: ["email"]
            ),
            BadBody(
                path: "/accounts", body: #"{"app":"family","email":"a@b.org","password":"correct horse","name":"M"}"#,
                status: .unprocessableContent, fields: ["dateOfBirth"]
            ),
            BadBody(path: "/accounts", body: "[]", status: .unprocessableContent, fields: []),
            BadBody(path: "/accounts", body: "{", status: .badRequest, fields: []),
            BadBody(path: "/accounts", body: "", status: .badRequest, fields: []),
            BadBody(path: "/session", body: "{}", status: .unprocessableContent, fields: ["email", "password"]),
            BadBody(
                path: "/session", body: #"{"email":"x","password":"y"}"#, status: .unprocessableContent,
                fields: ["email"]),
            BadBody(path: "/session", body: #"{"email":"a@b.org","password":"y"}"#, status: .unauthorized, fields: []),
            BadBody(path: "/password-resets", body: #"{"email":""}"#, status: .unprocessableContent, fields: ["email"]),
        ])
    func badBodies(_ example: BadBody) async throws {
        try await withAccountsSite { site in
            let answer = try await site.call(.post, example.path, example.body)
            #expect(answer.status == example.status)
            #expect(try answer.errorFields() == example.fields)
            #expect(try answer.error()["requestId"] is String)
            #expect(try await site.accounts.accounts(after: nil).isEmpty)
        }
    }

    @Test("a program signs in and out; the 11th failure is 429 with Retry-After")
    func signInByJSON() async throws {
        try await withAccountsSite { site in
            _ = try await site.join()
            let right = #"{"email":"MIA@example.org","password":"correct horse"}"#
            let answer = try await site.call(.post, "/session", right)
            #expect(answer.status == .created)
            #expect(answer.headers[.setCookie] == nil)
            let token = try answer.object()["token"] as? String ?? ""
            #expect(try await site.isSignedIn(token))
            #expect(try await site.call(.delete, "/session", token: token).status == .noContent)
            #expect(try await !site.isSignedIn(token))
            #expect(try await site.call(.delete, "/session", token: token).status == .unauthorized)
            for _ in 0..<10 {
                let wrong = try await site.call(.post, "/session", #"{"email":"mia@example.org","password":"wrong"}"#)
                #expect(wrong.status == .unauthorized)
                #expect(try wrong.error()["code"] as? String == "unauthenticated")
            }
            let late = try await site.call(.post, "/session", right)
            #expect(late.status == .tooManyRequests)
            #expect(late.headers[.retryAfter] == "900")
            #expect(try late.error()["code"] as? String == "throttled")
        }
    }

    @Test("a browser gets a cookie that only this host's https sees, and never the token")
    func signInByForm() async throws {
        try await withAccountsSite { site in
            _ = try await site.join()
            let answer = try await site.submit("/session", "email=mia%40example.org&password=correct+horse")
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/tracking/items")
            let cookie = try #require(answer.headers[values: .setCookie].first { $0.hasPrefix("__Host-homeward=") })
            for attribute in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"] {
                #expect(cookie.contains(attribute))
            }
            #expect(answer.html.isEmpty)
            let page = try await site.get("/account", .browser(answer.sessionCookie ?? ""))
            #expect(page.status == .ok)
            #expect(page.html.contains("mia@example.org"))
            let out = try await site.submit("/session?_method=delete", "", cookie: answer.sessionCookie)
            #expect(out.status == .seeOther)
            #expect(out.headers[values: .setCookie].joined().contains("__Host-homeward=;"))
            #expect(try await site.get("/account", .browser(answer.sessionCookie ?? "")).status == .seeOther)
        }
    }

    @Test("signing in again in the same browser makes a new session and ends the old one")
    func fixation() async throws {
        try await withAccountsSite { site in
            let first = try await site.joinInBrowser()
            let form = "email=mia%40example.org&password=correct+horse"
            let second = try await site.submit("/session", form, cookie: first).sessionCookie ?? ""
            #expect(second != first)
            #expect(try await site.get("/account", .browser(first)).status == .seeOther)
            #expect(try await site.get("/account", .browser(second)).status == .ok)
            // A planted cookie is not taken over.
            let planted = "__Host-homeward=" + String(repeating: "A", count: 43)
            let third = try await site.submit("/session", form, cookie: planted).sessionCookie
            #expect(third != nil)
            #expect(third != planted)
            #expect(try await site.get("/account", .browser(planted)).status == .seeOther)
        }
    }

    @Test(
        "after sign-in only paths of our own are gone to",
        arguments: [
            ("/tracking/items/x?a=b", "/tracking/items/x?a=b"), ("https://evil.example/", "/tracking/items"),
            ("//evil.example", "/tracking/items"), ("/\\evil.example", "/tracking/items"), ("", "/tracking/items"),
        ])
    func destination(asked: String, gone: String) async throws {
        try await withAccountsSite { site in
            _ = try await site.join()
            let encoded = asked.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let form = "email=mia%40example.org&password=correct+horse&return=\(encoded)"
            #expect(try await site.submit("/session", form).headers[.location] == gone)
        }
    }

    @Test("a wrong form comes back with what was typed, but never the password")
    func formComesBack() async throws {
        try await withAccountsSite { site in
            let answer = try await site.submit(
                "/accounts", "name=%3CMia%3E&email=mia&password=short12&return=%2Ftracking%2Fitems%2F1"
            )
            #expect(answer.status == .unprocessableContent)
            #expect(answer.html.contains(#"value="&lt;Mia&gt;""#))
            #expect(answer.html.contains(#"value="mia""#))
            #expect(answer.html.contains(#"name="return" value="/tracking/items/1""#))
            #expect(!answer.html.contains("short12"))
            #expect(answer.html.contains(#"aria-describedby="email-error" aria-invalid="true""#))
            #expect(answer.html.contains(AccountMessage.emailMalformed.rawValue))
            #expect(answer.html.contains(AccountMessage.passwordTooShort.rawValue))
            let wrong = try await site.submit("/session", "email=mia%40example.org&password=wrongwrong")
            #expect(wrong.status == .unauthorized)
            #expect(wrong.html.contains(AccountMessage.credentialsWrong.rawValue))
            #expect(wrong.html.contains(#"value="mia@example.org""#))
            #expect(!wrong.html.contains("wrongwrong"))
        }
    }

    @Test("German readers get German sentences")
    func german() async throws {
        try await withAccountsSite { site in
            var headers = HTTPFields.page
            headers[.acceptLanguage] = "de-DE,de;q=0.9"
            headers[.contentType] = "application/x-www-form-urlencoded"
            let page = try await site.get("/sign-in", headers)
            #expect(page.html.contains("Anmelden"))
            let wrong = try await site.send(.post, "/session", headers, body: "email=a%40b.org&password=x")
            #expect(wrong.html.contains("E-Mail oder Passwort ist falsch."))
        }
    }

    @Test("every page stands, in both languages, signed in and out", arguments: ["en", "de"])
    func pages(language: String) async throws {
        try await withAccountsSite(mailer: NoMail()) { site in
            for path in ["/", "/sign-in", "/register", "/register?app=family", "/forgotten-password?sent=true"] {
                var headers = HTTPFields.page
                headers[.acceptLanguage] = language
                let page = try await site.get(path, headers)
                #expect(page.status == .ok, "\(path)")
                expectWhole(page, path)
            }
            let cookie = try await site.joinInBrowser()
            let paths = [
                "/", "/account", "/account/edit", "/account/choices/maps", "/account/choices/theme",
                "/account/choices/language", "/account/password", "/account/delete", "/account/sessions", "/pictures",
            ]
            for path in paths {
                var headers = HTTPFields.browser(cookie)
                headers[.acceptLanguage] = language
                let page = try await site.get(path, headers)
                #expect(page.status == .ok, "\(path)")
                expectWhole(page, path)
            }
            #expect(try await site.get("/account/choices/nonsense", .browser(cookie)).status == .notFound)
            #expect(try await site.get("/account").headers[.location] == "/sign-in?return=/account")
        }
    }

    private func expectWhole(_ page: TestResponse, _ path: String) {
        #expect(page.html.contains("</html>"), "\(path)")
        #expect(page.html.contains("<h1"), "\(path)")
        for blank in [#"href="""#, #"action="""#, #"for="""#, #"name="""#, "#\"", "<span class=\"row-title\"></span>"] {
            #expect(!page.html.contains(blank), "\(path) has \(blank)")
        }
        #expect(!page.html.contains("{{"), "\(path)")
    }

    @Test("PATCH changes what it names; If-Match guards; a form does the same")
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
            #expect(try bad.errorFields() == ["avatarPictureId", "mapsApp"])
            let broken = try await site.call(.patch, "/account", #"{"name":null,"theme":"neon"}"#, token: token)
            #expect(try broken.errorFields() == ["name", "theme"])

            let cookie = try await site.joinInBrowser("ben@example.org")
            let chosen = try await site.submit("/account?_method=patch", "mapsApp=apple", cookie: cookie)
            #expect(chosen.headers[.location] == "/account")
            #expect(try await site.get("/account", .browser(cookie)).html.contains("Apple Maps"))
            let refused = try await site.submit(
                "/account?_method=patch", "name=&email=ben%40example.org&phone=&dateOfBirth=", cookie: cookie
            )
            #expect(refused.status == .unprocessableContent)
            #expect(refused.html.contains(AccountMessage.nameMissing.rawValue))
        }
    }

    @Test("devices are listed with the one that asks marked, and can be revoked; other people's can't")
    func devices() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
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

    @Test("a password change keeps this device and ends the others")
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

    @Test("a forgotten password: 202 for anybody, a link once")
    func reset() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            for email in ["mia@example.org", "nobody@example.org"] {
                let answer = try await site.call(.post, "/password-resets", #"{"email":"\#(email)"}"#)
                #expect(answer.status == .accepted)
                #expect(answer.html.isEmpty)
            }
            let link = try await site.accounts.resetLink(email: "mia@example.org")
            let path = String(link.dropFirst("https://home.example".count))
            let page = try await site.get(path)
            #expect(page.status == .ok)
            expectWhole(page, path)
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

    @Test("deleting takes the password; then token, cookie and email are free")
    func delete() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            #expect(try await site.call(.delete, "/account", token: token).status == .unprocessableContent)
            let wrong = try await site.call(.delete, "/account", #"{"password":"wrong"}"#, token: token)
            #expect(try wrong.errorFields() == ["password"])
            let done = try await site.call(.delete, "/account", #"{"password":"correct horse"}"#, token: token)
            #expect(done.status == .noContent)
            #expect(try await !site.isSignedIn(token))
            let cookie = try await site.joinInBrowser()
            let page = try await site.submit("/account?_method=delete", "password=correct+horse", cookie: cookie)
            #expect(page.headers[.location] == "/")
            #expect(page.headers[values: .setCookie].joined().contains("__Host-homeward=;"))
        }
    }

    @Test("the export is a zip for saving")
    func export() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            let answer = try await site.call(.get, "/account/export", token: token)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/zip")
            #expect(answer.headers[.contentDisposition]?.contains("homeward-2026-03-01.zip") == true)
            #expect(Array(answer.body.readableBytesView.prefix(4)) == [0x50, 0x4b, 3, 4])
        }
    }

    @Test("the library lists, and refuses what is no picture")
    func pictures() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            for uri in ["/pictures", "/pictures?builtin=true"] {
                let list = try await site.call(.get, uri, token: token).object()
                #expect((list["items"] as? [Any])?.isEmpty == true)
                #expect(list["next"] is NSNull)
            }
            var headers = HTTPFields.program(token)
            headers[.contentType] = "multipart/form-data; boundary=x"
            let file =
                "--x\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.jpg\"\r\n\r\nhello\r\n--x--\r\n"
            let refused = try await site.send(.post, "/pictures", headers, body: file)
            #expect(refused.status == .unprocessableContent)
            #expect(try refused.errorFields() == ["picture"])
            let none = try await site.send(.post, "/pictures", headers, body: "--x--\r\n")
            #expect(none.status == .unprocessableContent)
            #expect(try none.errorFields() == ["picture"])
            let id = ID<AccountsSite>(at: site.clock.now, random: SeededRandom(seed: 4))
            #expect(try await site.call(.get, "/pictures/\(id)?size=small", token: token).status == .notFound)
            #expect(
                try await site.call(.get, "/pictures/\(id)?size=huge", token: token).status == .unprocessableContent)
            #expect(try await site.call(.delete, "/pictures/\(id)", token: token).status == .notFound)
            #expect(try await site.call(.get, "/pictures").status == .unauthorized)
        }
    }
}

private struct NoMail: Mailer {
    func send(to: String, subject: String, body: String) async throws {}
}

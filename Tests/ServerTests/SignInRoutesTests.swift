import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import TestSupport
import Testing
import WebCore

@Suite("Sign-up, sign-in and sign-out over HTTP")
struct SignInRoutesTests {
    @Test("A program signs up and gets a token and no cookie", arguments: Engine.allCases)
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
                "appearance", "avatarPictureId", "dateOfBirth", "email", "emailVerifiedAt", "id", "language", "mapsApp",
                "name", "pendingEmail", "phone", "role", "theme", "version",
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
        "Each kind of invalid body gets its own error",
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
            #expect(try await site.accounts.administrators.accounts(after: nil).isEmpty)
        }
    }

    @Test("A program signs in and out; the 11th failure gets 429 with Retry-After")
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

    @Test("A browser gets a cookie for this host over HTTPS only, and never the token")
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

    @Test("Signing in again in the same browser creates a new session and ends the old one")
    func fixation() async throws {
        try await withAccountsSite { site in
            let first = try await site.signUpInBrowser()
            let form = "email=mia%40example.org&password=correct+horse"
            let second = try await site.submit("/session", form, cookie: first).sessionCookie ?? ""
            #expect(second != first)
            #expect(try await site.get("/account", .browser(first)).status == .seeOther)
            #expect(try await site.get("/account", .browser(second)).status == .ok)
            // A planted cookie isn't adopted.
            let planted = "__Host-homeward=" + String(repeating: "A", count: 43)
            let third = try await site.submit("/session", form, cookie: planted).sessionCookie
            #expect(third != nil)
            #expect(third != planted)
            #expect(try await site.get("/account", .browser(planted)).status == .seeOther)
        }
    }

    @Test(
        "After sign-in, only paths of this server are followed",
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

    @Test("An invalid form returns with the entered values, except the password")
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
            #expect(answer.html.contains(AccountMessage.emailMalformed.text))
            #expect(answer.html.contains(AccountMessage.passwordTooShort.text))
            let wrong = try await site.submit("/session", "email=mia%40example.org&password=wrongwrong")
            #expect(wrong.status == .unauthorized)
            #expect(wrong.html.contains(AccountMessage.credentialsWrong.text))
            #expect(wrong.html.contains(#"value="mia@example.org""#))
            #expect(!wrong.html.contains("wrongwrong"))
            for typed in ["email=mia&password=wrongwrong", "email=&password=", "email=mia%40example.org&password="] {
                let blameless = try await site.submit("/session", typed)
                #expect(blameless.status == .unprocessableContent)
                #expect(blameless.html.contains(AccountMessage.credentialsWrong.text))
                #expect(!blameless.html.contains("aria-invalid"))
            }
        }
    }

    @Test("German readers get German messages")
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

    @Test("Requests with taken emails get an error 10 times, then 429 with Retry-After")
    func takenEmails() async throws {
        try await withAccountsSite { site in
            _ = try await site.join()
            let body = #"{"email":"mia@example.org","password":"another horse","name":"Eve"}"#
            for _ in 0..<10 { #expect(try await site.call(.post, "/accounts", body).status == .conflict) }
            let late = try await site.call(.post, "/accounts", body)
            #expect(late.status == .tooManyRequests)
            #expect(late.headers[.retryAfter] == "900")
            let page = try await site.submit("/accounts", "name=Eve&email=mia%40example.org&password=another+horse")
            #expect(page.status == .tooManyRequests)
            #expect(page.html.contains(AccountMessage.throttled.text))
            _ = try await site.join("free@example.org")
        }
    }

    @Test("A form sent by a script gets pages as in a browser, and the redirect in a header")
    func byScript() async throws {
        try await withAccountsSite { site in
            _ = try await site.join()
            var headers = HTTPFields.page
            headers[.contentType] = "application/x-www-form-urlencoded"
            headers[.hxRequest] = "true"
            headers[.hxBoosted] = "true"
            let wrong = try await site.send(.post, "/session", headers, body: "email=mia%40example.org&password=wrong")
            #expect(wrong.status == .unauthorized)
            wrong.expectRenders("/session")
            let right = try await site.send(
                .post, "/session", headers, body: "email=mia%40example.org&password=correct+horse"
            )
            #expect(right.status == .ok)
            #expect(right.headers[.location] == nil)
            #expect(right.headers[.hxRedirect] == "/tracking/items")
            #expect(right.html.isEmpty)
            let page = try await site.get("/account", .browser(right.sessionCookie ?? ""))
            #expect(page.status == .ok)
            let signInFirst = try await site.send(.patch, "/account", headers, body: "name=Eve")
            #expect(signInFirst.headers[.hxRedirect] == "/sign-in")
        }
    }
}

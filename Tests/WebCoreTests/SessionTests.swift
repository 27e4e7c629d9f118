import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Testing

@testable import WebCore

@Suite("Sessions of requests")
struct SessionTests {
    private static let routes: @Sendable (Routes) -> Void = { routes in
        routes.signedIn.get("/me") { _, context in
            try Responses.of(
                context, template: "me", page: { ["name": context.account.name] },
                json: { ["kind": context.session.kind.rawValue] })
        }
        routes.signedIn.post("/me") { _, context in Responses.noContent(context) }
        routes.everyone.get("/ours") { _, context in try Responses.json(context, ["who": context.account.name]) }
        routes.everyone.delete("/me") { _, context in Responses.noContent(context) }
        routes.open.get("/half-open") { _, context in
            try context.requireAdult()
            return try Responses.json(context, ["isChild": context.isChild])
        }
        routes.open.get("/open") { _, context in
            try Responses.json(context, ["who": context.identity?.account.name ?? "none"])
        }
    }
    private static let files = ["templates/me.mustache": "<p>{{name}}</p>"]

    @Test("Without a session, a browser is redirected to sign in and back, a program gets 401, htmx a redirect header")
    func notSignedIn() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            let page = try await site.get("/me?a=1&b=2", .browser)
            #expect(page.status == .seeOther)
            #expect(page.headers[.location] == "/sign-in?return=/me%3Fa%3D1%26b%3D2")
            let post = try await site.send(.post, "/me", .form, "")
            #expect(post.headers[.location] == "/sign-in")
            let json = try await site.get("/me", .json)
            #expect(json.status == .unauthorized)
            #expect(json.text.contains("\"code\":\"unauthenticated\""))
            let fragment = try await site.get("/me", HTTPFields.browser.adding(.hxRequest, "true"))
            #expect(fragment.status == .ok)
            #expect(fragment.headers[.hxRedirect] == "/sign-in")
            #expect(fragment.text.isEmpty)
        }
    }

    @Test("A session comes by bearer or by cookie, never by both")
    func credentials() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            site.sessions.signIn("b", kind: .bearer)
            site.sessions.signIn("c", kind: .cookie)
            func status(_ authorization: String?, _ cookie: String?) async throws -> Int {
                var headers = HTTPFields.json
                headers[.authorization] = authorization
                headers[.cookie] = cookie
                return try await site.get("/me", headers).status.code
            }
            #expect(try await status("Bearer b", nil) == 200)
            #expect(try await status("bearer b", nil) == 200)
            #expect(try await status(nil, "homeward-session=c") == 200)
            #expect(try await status(nil, "x=y; homeward-session=c; z=1") == 200)
            // A token is valid in its own header only, and a cookie doesn't replace an invalid bearer token.
            #expect(try await status("Bearer c", nil) == 401)
            #expect(try await status(nil, "homeward-session=b") == 401)
            #expect(try await status("Bearer nonsense", "homeward-session=c") == 401)
            #expect(try await status(nil, "xhomeward-session=c") == 401)
            #expect(try await status("Basic dTpw", "homeward-session=c") == 200)
        }
    }

    @Test("A session that can't be loaded gets 503 and isn't signed out")
    func broken() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            site.sessions.breakDown()
            let headers = HTTPFields.browser.adding(.cookie, "homeward-session=c")
            #expect(try await site.get("/me", headers).status == .serviceUnavailable)
            #expect(try await site.get("/open", headers).status == .serviceUnavailable)
            #expect(try await site.get("/me", .browser).status == .seeOther)
        }
    }

    @Test("A page renews the browser's cookie; JSON doesn't")
    func renewal() async throws {
        try await withSite(url: "https://home.example", files: Self.files, routes: Self.routes) { site async throws in
            site.sessions.signIn("c", kind: .cookie)
            let cookie = "__Host-homeward=c"
            let page = try await site.get("/me", HTTPFields.browser.adding(.cookie, cookie))
            let set = try #require(page.headers[.setCookie])
            let expected = "__Host-homeward=c; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax; Secure"
            #expect(Set(set.split(separator: "; ")) == Set(expected.split(separator: "; ")))
            #expect(try await site.get("/me", HTTPFields.json.adding(.cookie, cookie)).headers[.setCookie] == nil)
        }
    }

    @Test(
        "A child gets 403 by default, with a link to the family; an adult has access")
    func children() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            site.sessions.signIn("child", kind: .bearer, role: .child)
            site.sessions.signIn("kid", kind: .cookie, language: "de", role: .child)
            site.sessions.signIn("parent", kind: .bearer)
            let child = HTTPFields.json.adding(.authorization, "Bearer child")
            let refused = try await site.get("/me", child)
            #expect(refused.status == .forbidden)
            #expect(refused.text.contains(#""code":"forbidden""#))
            let tries: [(method: HTTPRequest.Method, uri: String, status: Int)] = [
                (.post, "/me", 403), (.head, "/me", 403), (.delete, "/me", 204), (.get, "/ours", 200),
                (.get, "/half-open", 403), (.get, "/open", 200), (.get, "/nowhere", 404), (.put, "/me", 405),
            ]
            for (method, uri, status) in tries {
                #expect(try await site.send(method, uri, child).status.code == status, "\(method) \(uri)")
                let parent = HTTPFields.json.adding(.authorization, "Bearer parent")
                let other = try await site.send(method, uri, parent).status.code
                #expect(other == (status == 403 ? (method == .post ? 204 : 200) : status), "\(method) \(uri)")
            }
            let cookie = HTTPFields.browser.adding(.cookie, "homeward-session=kid")
            let page = try await site.get("/me", cookie)
            #expect(page.status == .forbidden)
            #expect(page.text.contains(#"href="/family""#))
            #expect(page.text.contains("Frag deine Eltern"))
            let signedOut = try await site.get("/half-open", .json)
            #expect(signedOut.status == .ok)
            let accesses = Set(site.web.routes.map { "\($0.path) \($0.access)" })
            #expect(accesses.isSuperset(of: ["/me signedIn", "/me signedInOrChild", "/ours signedInOrChild"]))
        }
    }

    @Test("An open route loads the session")
    func openRoute() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            site.sessions.signIn("b", kind: .bearer)
            #expect(try await site.get("/open").text == #"{"who":"none"}"#)
            #expect(try await site.get("/open", [.authorization: "Bearer b"]).text == #"{"who":"Mia"}"#)
        }
    }
}

import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import Storage
import TestSupport
import Testing
import WebCore

@Suite("Locked sessions")
struct LockedSessionTests {
    /// All routes that serve a locked session, besides those that load no session. Check twice before you add one.
    private static let served: Set<String> = [
        "GET /lock", "PUT /lock/passcode", "DELETE /lock/passcode", "POST /lock/unlocking", "DELETE /lock/unlocking",
        "DELETE /session", "GET /sign-in", "POST /session", "GET /sign-in/apple", "GET /sign-in/apple/callback",
        "GET /sign-in/google", "GET /sign-in/google/callback", "GET /sign-in/facebook",
        "GET /sign-in/facebook/callback", "GET /sign-in/oidc", "GET /sign-in/oidc/callback",
        "POST /lock/passkeys/challenge", "POST /lock/passkeys/unlocking", "POST /sign-in/passkey/challenge",
        "POST /sign-in/passkey", "GET /family/sign-in", "POST /family/sign-in", "GET /family/scan",
        "GET /family/tablet/pairing", "POST /family/tablet/pairing",
        "GET /forgotten-password", "POST /password-resets", "GET /password-resets/{code}",
        "PUT /password-resets/{code}", "GET /email-verifications/{code}", "POST /email-verifications/{code}",
        "GET /email-undos/{code}", "POST /email-undos/{code}",
    ]

    /// All other routes.
    private func closed(_ server: ServerHarness) -> [RouteEntry] {
        server.server.web.routes.filter { !$0.isServedWhileLocked }
    }

    /// A path with values for its parameters.
    private func path(_ entry: RouteEntry, _ fixture: ChildrenFixture) -> String {
        entry.path.split(separator: "/").reduce("") { path, step in
            guard step.hasPrefix("{") else { return "\(path)/\(step)" }
            return "\(path)/" + (path.hasSuffix("/children") ? "\(fixture.child)" : "\(fixture.sibling)")
        }
    }

    private func lock(_ fixture: ChildrenFixture) async throws -> LockedPair {
        let body = #"{"passcode":"271828","repeat":"271828"}"#
        let set = try await fixture.asParent(.put, "/lock/passcode", body)
        #expect(set.status == .noContent, "\(set.html)")
        let locked = try await fixture.asParent(.delete, "/lock/unlocking")
        #expect(locked.status == .noContent)
        let accounts = fixture.server.services.accounts
        let device = DeviceInfo(name: "Chrome on Android", kind: .cookie, clientAddress: "192.0.2.7")
        let signedIn = try await accounts.signIns.signIn(
            email: "mia@example.org", password: "correct horse", device: device)
        let actor = Actor(person: signedIn.account.id, session: signedIn.session.id, role: .adult)
        try await accounts.sessionLocks.lock(actor)
        return LockedPair(bearer: fixture.parent, cookie: "homeward-session=\(signedIn.token); homeward-open=1")
    }

    private struct LockedPair {
        let bearer: String
        let cookie: String
    }

    @Test("Exactly the lock screen and the routes for signing in and out are served")
    func list() async throws {
        try await withServer { server async throws in
            let served = server.server.web.routes.filter { $0.isServedWhileLocked && $0.access != .device }
            #expect(Set(served.map { "\($0.method.rawValue) \($0.path)" }) == Self.served)
            #expect(closed(server).count > 120)
        }
    }

    @Test(
        "T-5-5-2: Every other route gives programs 423 and browsers the lock, and changes nothing",
        arguments: Engine.allCases)
    func everyRoute(engine: Engine) async throws {
        try await withChildren(engine) { fixture async throws in
            let before = try await everything(fixture)
            let pair = try await lock(fixture)
            for entry in closed(fixture.server) {
                let path = path(entry, fixture)
                let name = "\(entry.method) \(path)"
                let json = try await fixture.server.send(entry.method, path, "{}", token: pair.bearer)
                #expect(json.status.code == 423, "\(name)")
                #expect(try json.error()["code"] as? String == "locked", "\(name)")
                #expect(json.headers[values: .setCookie].isEmpty, "\(name)")
                let cookieJSON = try await browse(
                    fixture, entry.method, path, .program(nil).cookie(pair.cookie), body: "{}")
                #expect(cookieJSON.status.code == 423, "\(name)")
                let page = try await browse(fixture, entry.method, path, .browser(pair.cookie))
                #expect(page.status == .seeOther, "\(name)")
                #expect(page.headers[.location]?.hasPrefix("/lock") == true, "\(name)")
                #expect(page.html.isEmpty, "\(name)")
                var script = HTTPFields.browser(pair.cookie)
                script[.hxRequest] = "true"
                script[.hxCurrentURL] = "http://127.0.0.1/tracking/items?after=x"
                let fragment = try await browse(fixture, entry.method, path, script)
                #expect(fragment.status.code == 423, "\(name)")
                #expect(fragment.headers[.hxRedirect]?.hasPrefix("/lock") == true, "\(name)")
                #expect(!fragment.html.contains("Mia") && !fragment.html.contains("Tom"), "\(name)")
                let accepting: HTTPFields = [.accept: "image/avif,image/webp,*/*", .cookie: pair.cookie]
                let image = try await browse(
                    fixture, entry.method, path, accepting.adding("Sec-Fetch-Mode", "no-cors"))
                #expect(image.status.code == 423, "\(name)")
            }
            let unlocking = try await fixture.asParent(.post, "/lock/unlocking", #"{"passcode":"271828"}"#)
            #expect(unlocking.status == .noContent)
            #expect(try await everything(fixture) == before)
        }
    }

    @Test("A locked session can sign in again, as a program and as a browser")
    func waysIn() async throws {
        try await withChildren { fixture async throws in
            let pair = try await lock(fixture)
            let served = fixture.server.server.web.routes.filter { $0.isServedWhileLocked && $0.access != .device }
            for entry in served where entry.method != .delete {
                let path = path(entry, fixture)
                let answer = try await fixture.server.send(entry.method, path, "{}", token: pair.bearer)
                #expect(answer.status.code != 423, "\(entry.method) \(path)")
                let page = try await browse(fixture, entry.method, path, .browser(pair.cookie))
                let place = page.headers[.location] ?? ""
                #expect(page.status.code != 423 && !place.hasPrefix("/lock"), "\(entry.method) \(path)")
                #expect(!page.html.contains("Mia") && !page.html.contains("mia@example.org"), "\(entry.method) \(path)")
            }
        }
    }

    @Test("The lock screen shows no personal data, and returns to the requested page")
    func page() async throws {
        try await withChildren { fixture async throws in
            let pair = try await lock(fixture)
            let sent = try await browse(fixture, .get, "/tracking/items?after=a%26b", .browser(pair.cookie))
            let place = try #require(sent.headers[.location])
            #expect(place == "/lock?return=/tracking/items%3Fafter%3Da%2526b")
            let page = try await browse(fixture, .get, place, .browser(pair.cookie))
            #expect(page.status == .ok)
            page.expectRenders("/lock")
            #expect(page.html.contains(#"value="/tracking/items?after=a%26b""#))
            for secret in ["Mia", "mia@example.org", "Tom", "data-live-stream"] {
                #expect(!page.html.contains(secret), "\(secret)")
            }
            let wrong = try await submit(fixture, "passcode=135790&return=/tracking/items", pair.cookie)
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.html.contains("That is not the passcode."))
            #expect(!wrong.html.contains("\"135790\""))
            let elsewhere = try await submit(fixture, "passcode=271828&return=//evil.example", pair.cookie)
            #expect(elsewhere.status == .seeOther)
            #expect(elsewhere.headers[.location] == "/tracking/items")
            #expect(elsewhere.headers[values: .setCookie].contains { $0.hasPrefix("homeward-open=1") })
        }
    }

    @Test("The fifth wrong passcode shows the wait, as page and as JSON, also after a restart")
    func wait() async throws {
        try await withChildren { fixture async throws in
            let pair = try await lock(fixture)
            for _ in 1...4 {
                let wrong = try await fixture.asParent(.post, "/lock/unlocking", #"{"passcode":"000000"}"#)
                #expect(wrong.status == .unprocessableContent)
                #expect(try wrong.errorFields() == ["passcode"])
            }
            let fifth = try await fixture.asParent(.post, "/lock/unlocking", #"{"passcode":"000000"}"#)
            #expect(fifth.status == .tooManyRequests)
            #expect(fifth.headers[.retryAfter] == "600")
            fixture.server.clock.advance(seconds: 61)
            let right = try await submit(fixture, "passcode=271828", pair.cookie)
            #expect(right.status == .tooManyRequests)
            #expect(right.headers[.retryAfter] == "539")
            #expect(right.html.contains(#"data-wait="539""#))
            #expect(right.html.contains("8:59"))
            #expect(right.html.contains("disabled"))
            let newTab = try await browse(fixture, .get, "/lock", .browser(pair.cookie))
            #expect(newTab.html.contains(#"data-wait="539""#))
            let status = try await fixture.asParent(.get, "/lock").object()
            #expect(status["locked"] as? Bool == true)
            #expect(status["passcodeSet"] as? Bool == true)
            #expect(status["passkeySet"] as? Bool == false)
            #expect(status["retryAfterSeconds"] as? Int == 539)
            // Signing in and out stays possible: a new sign-in by password has no wait, and may set another passcode.
            let anew = try await submit(
                fixture, "email=mia@example.org&password=correct+horse", pair.cookie, to: "/session")
            #expect(anew.status == .seeOther)
            let fresh = try #require(cookie(anew))
            let reset = try await browse(
                fixture, .put, "/lock/passcode", .program(nil).cookie("\(fresh); homeward-open=1"),
                body: #"{"passcode":"314159","repeat":"314159"}"#)
            #expect(reset.status == .noContent, "\(reset.html)")
            #expect(try await fixture.asParent(.get, "/lock").object()["retryAfterSeconds"] as? Int == 0)
        }
    }

    @Test("A page load by a restarted browser locks; images and programs don't")
    func launch() async throws {
        try await withChildren { fixture async throws in
            let cookie = try await joined(fixture)
            let open = "\(cookie); homeward-open=1"
            // Without a passcode, launches aren't detected.
            #expect(try await browse(fixture, .get, "/tracking/items", .browser(cookie)).status == .ok)
            let set = try await browse(
                fixture, .put, "/lock/passcode", .program(nil).cookie(cookie),
                body: #"{"passcode":"271828","repeat":"271828"}"#)
            #expect(set.status == .noContent)
            #expect(set.headers[values: .setCookie].contains { $0.hasPrefix("homeward-open=1") })
            #expect(try await browse(fixture, .get, "/account", .program(nil).cookie(cookie)).status == .ok)
            #expect(try await browse(fixture, .get, "/tracking/items", .browser(open)).status == .ok)
            let launch = try await browse(fixture, .get, "/tracking/items", .browser(cookie))
            #expect(launch.headers[.location] == "/lock?return=/tracking/items")
            #expect(try await browse(fixture, .get, "/tracking/items", .browser(open)).status == .seeOther)
        }
    }

    @Test("Minutes without a request lock a browser; asking for the lock's state doesn't count")
    func idle() async throws {
        try await withChildren { fixture async throws in
            let cookie = try await guarded(fixture)
            fixture.server.clock.advance(seconds: 299)
            let question = try await browse(fixture, .get, "/lock", .program(nil).cookie(cookie))
            #expect(try question.object()["locked"] as? Bool == false)
            fixture.server.clock.advance(seconds: 1)
            let late = try await browse(fixture, .get, "/account", .program(nil).cookie(cookie))
            #expect(late.status.code == 423)
        }
    }

    @Test("What a page requests by itself doesn't postpone the lock, on any route")
    func requestsOfPages() async throws {
        try await withChildren { fixture async throws in
            let cookie = try await guarded(fixture)
            let program = HTTPFields.program(nil).cookie(cookie)
            let prefetch = HTTPFields.browser(cookie)
            let requests: [HTTPFields] = [
                program, HTTPFields.browser(cookie).adding("HX-Request", "true"),
                prefetch.adding("Sec-Fetch-Mode", "cors").adding("Sec-Fetch-Site", "same-origin"),
                prefetch.adding("Sec-Purpose", "prefetch").adding("Sec-Fetch-Mode", "navigate"),
            ]
            fixture.server.clock.advance(seconds: 200)
            for entry in closed(fixture.server) where entry.method == .get && entry.path != "/events" {
                for headers in requests { _ = try await browse(fixture, .get, path(entry, fixture), headers) }
            }
            let here = #"{"latitude":48.1,"longitude":11.5,"accuracy":9}"#
            #expect(try await browse(fixture, .put, "/tracking/position", program, body: here).status == .noContent)
            let queued = #"{"name":"Umbrella"}"#
            #expect(try await browse(fixture, .post, "/tracking/items", program, body: queued).status == .created)
            fixture.server.clock.advance(seconds: 100)
            #expect(try await browse(fixture, .get, "/account", program).status.code == 423)
        }
    }

    @Test("Loading a page, sending a form, and a report of a tap postpone the lock")
    func actsOfThePerson() async throws {
        try await withChildren { fixture async throws in
            let cookie = try await guarded(fixture)
            let navigation = HTTPFields.browser(cookie).adding("Sec-Fetch-Mode", "navigate")
                .adding("Sec-Fetch-Site", "same-origin")
            let form = HTTPFields.browser(cookie).adding("HX-Request", "true").adding("HX-Boosted", "true")
                .adding("Content-Type", "application/x-www-form-urlencoded")
            let report = HTTPFields.program(nil).cookie(cookie).adding("Homeward-Activity", "1")
            for (method, uri, headers, body) in [
                (HTTPRequest.Method.get, "/tracking/items", navigation, nil),
                (.post, "/tracking/items", form, "name=Keys"), (.get, "/account", report, nil),
            ] {
                fixture.server.clock.advance(seconds: 299)
                _ = try await browse(fixture, method, uri, headers, body: body)
            }
            fixture.server.clock.advance(seconds: 299)
            let state = try await browse(fixture, .get, "/lock", .program(nil).cookie(cookie))
            #expect(try state.object()["locked"] as? Bool == false)
        }
    }

    @Test("A tab that no page of ours opened gets nothing but the check of its mark, on any route")
    func newTab() async throws {
        try await withChildren { fixture async throws in
            let cookie = try await guarded(fixture)
            let load = HTTPFields.browser(cookie).adding("Sec-Fetch-Mode", "navigate")
            for entry in closed(fixture.server) where entry.method == .get {
                let path = path(entry, fixture)
                for site in ["none", "cross-site", "same-site"] {
                    let gate = try await browse(fixture, .get, path, load.adding("Sec-Fetch-Site", site))
                    #expect(gate.status == .ok, "\(path)")
                    #expect(gate.html.contains("data-tab-gate") && !gate.html.contains("Ada"), "\(path)")
                }
            }
            let ours = load.adding("Sec-Fetch-Site", "same-origin")
            let own = try await browse(fixture, .get, "/account", ours)
            #expect(own.html.contains("Ada") && !own.html.contains("data-tab-gate"))
            // Chromium gives the window of a notification the service worker as its referrer.
            let worker = fixture.server.services.settings.site.url + "/service-worker.js"
            let notified = try await browse(fixture, .get, "/account", ours.adding("Referer", worker))
            #expect(notified.html.contains("data-tab-gate") && !notified.html.contains("Ada"))
        }
    }

    @Test("Setting, replacing, locking and turning off have the documented statuses")
    func statuses() async throws {
        try await withChildren { fixture async throws in
            let ask = { (method: HTTPRequest.Method, path: String, body: String) in
                try await fixture.asParent(method, path, body)
            }
            #expect(try await ask(.delete, "/lock/unlocking", "").status == .conflict)
            #expect(try await ask(.delete, "/lock/passcode", "{}").status == .notFound)
            #expect(try await ask(.post, "/lock/unlocking", #"{"passcode":"123456"}"#).status == .conflict)
            for body in [
                "{}", #"{"passcode":"123456"}"#, #"{"passcode":123456,"repeat":123456}"#,
                #"{"passcode":"12345","repeat":"12345"}"#, #"{"passcode":"123456","repeat":"654321"}"#,
            ] {
                #expect(try await ask(.put, "/lock/passcode", body).status == .unprocessableContent, "\(body)")
            }
            let good = #"{"passcode":"123456","repeat":"123456"}"#
            #expect(try await ask(.put, "/lock/passcode", good).status == .noContent)
            #expect(try await ask(.put, "/lock/passcode", good).errorFields() == ["current"])
            #expect(try await ask(.delete, "/lock/passcode", "{}").errorFields() == ["current"])
            #expect(try await ask(.delete, "/lock/passcode", #"{"current":"000000"}"#).errorFields() == ["current"])
            #expect(try await ask(.delete, "/lock/passcode", #"{"current":"123456"}"#).status == .noContent)
            #expect(try await ask(.delete, "/lock/passcode", #"{"current":"123456"}"#).status == .notFound)
        }
    }

    @Test("Locking closes the session's live stream, which opens again after unlocking")
    func stream() async throws {
        try await withChildren(.sqlite, .live) { fixture async throws in
            let pair = try await lock(fixture)
            let head = try await fixture.server.send(.head, "/events", token: pair.bearer)
            #expect(head.status.code == 423)
            _ = try await fixture.asParent(.post, "/lock/unlocking", #"{"passcode":"271828"}"#)
            #expect(try await fixture.server.send(.head, "/events", token: pair.bearer).status == .ok)
        }
    }

    // MARK: Requests

    /// The parent's view of everything that could have been changed.
    private func everything(_ fixture: ChildrenFixture) async throws -> [String] {
        var texts: [String] = []
        for uri in ["/account", "/family/children", "/family/chores", "/family/parents", "/tracking/items"] {
            texts.append(try await fixture.asParent(.get, uri).html)
        }
        return texts
    }

    private func joined(_ fixture: ChildrenFixture) async throws -> String {
        let answer = try await submit(
            fixture, "name=Ada&email=ada@example.org&password=correct+horse", nil, to: "/accounts")
        return try #require(cookie(answer))
    }

    /// A new browser session of an account with a passcode.
    private func guarded(_ fixture: ChildrenFixture) async throws -> String {
        let cookie = try await joined(fixture) + "; homeward-open=1"
        let set = try await browse(
            fixture, .put, "/lock/passcode", .program(nil).cookie(cookie),
            body: #"{"passcode":"271828","repeat":"271828"}"#)
        #expect(set.status == .noContent)
        return cookie
    }

    private func cookie(_ answer: TestResponse) -> String? {
        let found = answer.headers[values: .setCookie].first { $0.hasPrefix("homeward-session=") }
        return found?.split(separator: ";").first.map(String.init)
    }

    private func browse(
        _ fixture: ChildrenFixture, _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields,
        body: String? = nil
    ) async throws -> TestResponse {
        try await fixture.server.client.executeRequest(
            uri: uri, method: method, headers: headers, body: body.map { .init(string: $0) })
    }

    private func submit(
        _ fixture: ChildrenFixture, _ fields: String, _ cookie: String?, to uri: String = "/lock/unlocking"
    ) async throws -> TestResponse {
        var headers = HTTPFields.page
        headers[.contentType] = "application/x-www-form-urlencoded"
        if let cookie { headers[.cookie] = cookie }
        return try await browse(fixture, .post, uri, headers, body: fields)
    }
}

extension HTTPFields {
    fileprivate func cookie(_ value: String) -> HTTPFields {
        var fields = self
        fields[.cookie] = value
        return fields
    }

    fileprivate func adding(_ name: String, _ value: String) -> HTTPFields {
        var fields = self
        if let name = HTTPField.Name(name) { fields[name] = value }
        return fields
    }
}

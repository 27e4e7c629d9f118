import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import TestSupport
import Testing

/// The pages that set, replace and remove the passcode, as browsers without scripts use them.
@Suite("Pages of the passcode")
struct LockPageTests {
    private static let right = "271828"
    private static let another = "314159"

    private func save(
        _ site: AccountsTestServer, _ cookie: String, _ passcode: String, repeated: String? = nil, more: String = ""
    ) async throws -> TestResponse {
        let fields = "passcode=\(passcode)&repeat=\(repeated ?? passcode)\(more)"
        return try await site.submit("/lock/passcode?_method=put", fields, cookie: cookie)
    }

    private func unlock(_ site: AccountsTestServer, _ cookie: String, _ passcode: String) async throws -> TestResponse {
        try await site.submit("/lock/unlocking", "passcode=\(passcode)", cookie: cookie)
    }

    private func lock(_ site: AccountsTestServer, _ cookie: String) async throws {
        let locked = try await site.submit("/lock/unlocking?_method=delete", "", cookie: cookie)
        #expect(locked.status == .seeOther && locked.headers[.location]?.hasPrefix("/lock") == true)
    }

    /// Follows a link of one of our pages.
    private func follow(_ site: AccountsTestServer, _ cookie: String, _ path: String) async throws -> TestResponse {
        var headers = HTTPFields.browser(cookie)
        headers[try #require(HTTPField.Name("Sec-Fetch-Site"))] = "same-origin"
        return try await site.get(path, headers)
    }

    /// Signs up in a browser and sets a passcode. Returns the cookies that the browser keeps, and all until
    /// it is closed.
    private func guarded(_ site: AccountsTestServer) async throws -> (kept: String, open: String) {
        let cookie = try await site.signUpInBrowser()
        let set = try await save(site, cookie, Self.right)
        #expect(set.status == .seeOther)
        let found = set.headers[values: .setCookie].first { $0.contains("homeward-open=1") }
        let mark = try #require(found).prefix { $0 != ";" }
        return (cookie, "\(cookie); \(mark)")
    }

    @Test("T-5-1-2: A passcode that isn't typed twice with six digits starts again, with empty fields")
    func entries() async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            #expect(try await site.get("/account/lock/passcode", .browser(cookie)).html.contains(">Set a passcode<"))
            for (passcode, repeated, message) in [
                (Self.right, "271829", LockMessage.repeatDiffers), ("12345", "12345", .passcodeMalformed),
                ("12a456", "12a456", .passcodeMalformed),
            ] {
                let refused = try await save(site, cookie, passcode, repeated: repeated)
                #expect(refused.status == .unprocessableContent)
                #expect(refused.html.contains(message.text), "\(passcode)")
                #expect(!refused.html.contains("value=\"\(passcode)") && !refused.html.contains("value=\"\(repeated)"))
                #expect(try await site.get("/account/lock/off", .browser(cookie)).headers[.location] == "/account/lock")
            }
            let set = try await save(site, cookie, Self.right)
            #expect(set.status == .seeOther)
            #expect(set.headers[.location]?.hasPrefix("/account/touch-id?return=") == true)
        }
    }

    @Test("T-5-2-2: A new passcode needs the current one, and replaces it")
    func change() async throws {
        try await withAccountsSite { site in
            let cookie = try await guarded(site).open
            let page = try await follow(site, cookie, "/account/lock/passcode").html
            #expect(page.contains(">Change passcode<") && page.contains(">Current passcode<"))
            for (current, repeated, message) in [
                ("", Self.another, LockMessage.currentMissing), ("000000", Self.another, .passcodeWrongFourLeft),
                (Self.right, "314160", .repeatDiffers),
            ] {
                let refused = try await save(
                    site, cookie, Self.another, repeated: repeated, more: "&current=\(current)")
                #expect(refused.status == .unprocessableContent)
                #expect(refused.html.contains(message.text), "\(current)")
            }
            let changed = try await save(site, cookie, Self.another, more: "&current=\(Self.right)")
            #expect(changed.status == .seeOther && changed.headers[.location] == "/account/lock")
            try await lock(site, cookie)
            let old = try await unlock(site, cookie, Self.right)
            #expect(old.status == .unprocessableContent && old.html.contains(LockMessage.passcodeWrongFourLeft.text))
            #expect(try await unlock(site, cookie, Self.another).status == .seeOther)
        }
    }

    @Test("T-5-3-1: Turning the passcode off needs the current one, and then no launch is locked")
    func off() async throws {
        try await withAccountsSite { site in
            let (kept, open) = try await guarded(site)
            #expect(try await follow(site, open, "/account/lock/off").html.contains(">Current passcode<"))
            let address = "/lock/passcode?_method=delete"
            let refused = try await site.submit(address, "current=000000", cookie: open)
            #expect(refused.status == .unprocessableContent)
            #expect(refused.html.contains(LockMessage.passcodeWrongFourLeft.text))
            let off = try await site.submit(address, "current=\(Self.right)", cookie: open)
            #expect(off.status == .seeOther && off.headers[.location] == "/account/lock")
            #expect(try await follow(site, open, "/account/lock/off").headers[.location] == "/account/lock")
            #expect(try await site.get("/account", .browser(kept)).status == .ok)
        }
    }

    @Test("A forgotten passcode is replaced after a new sign-in, which then leads to the requested page")
    func forgotten() async throws {
        try await withAccountsSite { site in
            let cookie = try await guarded(site).open
            try await lock(site, cookie)
            let locked = try await site.get("/lock?return=/tracking/items", .browser(cookie)).html
            let link = try #require(locked.firstMatch(of: #/href="\/sign-in\?return=([^"]+)"/#)?.output.1)
            site.clock.advance(seconds: 1)
            let signedIn = try await site.submit(
                "/session", "email=mia%40example.org&password=correct+horse&return=\(link)")
            let next = try #require(signedIn.headers[.location])
            #expect(next.hasPrefix("/account/lock/passcode?return="))
            let session = try #require(signedIn.sessionCookie)
            let mark = try #require(cookie.split(separator: "; ").last)
            let fresh = "\(session); \(mark)"
            let page = try await follow(site, fresh, next).html
            #expect(page.contains(">Change passcode<") && !page.contains(">Current passcode<"))
            site.clock.advance(seconds: 1)
            let changed = try await save(site, fresh, Self.another, more: "&return=/tracking/items")
            #expect(changed.status == .seeOther && changed.headers[.location] == "/tracking/items")
            let again = try await follow(site, fresh, "/account/lock/passcode").html
            #expect(again.contains(">Current passcode<"), "the sign-in is older than the passcode")
            try await lock(site, cookie)
            #expect(try await unlock(site, cookie, Self.another).status == .seeOther)
        }
    }
}

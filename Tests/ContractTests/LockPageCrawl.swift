import HTTPTypes
import HummingbirdTesting
import Pictures
import Testing

/// Visits the pages of the app lock: without a passcode, with one, and locked.
struct LockPageCrawl {
    let contract: ContractServer

    /// - Parameter visit: requests a page with a cookie.
    func walk(_ session: String, visit: (String, String?) async throws -> Void) async throws {
        // Without the second cookie every page load is a new launch.
        let cookie = "\(session); homeward-open=1"
        try await visit("/account/lock", cookie)
        try await visit("/account/lock/passcode", cookie)
        try await send("/lock/passcode?_method=put", "passcode=271828&repeat=271828", cookie)
        for page in ["/account/lock", "/account/lock/passcode", "/account/lock/off"] { try await visit(page, cookie) }
        // A response other than a page, opened by its address in an open browser.
        try await visit("/pictures/\(try #require(BuiltinAvatars.all.first).id)?size=small", cookie)
        try await send("/lock/unlocking?_method=delete", "", cookie)
        try await visit("/lock", cookie)
        try await send("/lock/unlocking", "passcode=271828", cookie)
        try await send("/lock/passcode?_method=delete", "current=271828", cookie)
    }

    private func send(_ path: String, _ form: String, _ cookie: String) async throws {
        let answer = try await contract.browse(path, .post, form: form, cookie: cookie)
        #expect(answer.status == .seeOther, "\(path)")
    }
}

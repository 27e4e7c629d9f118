import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Objects
import Storage
import TestSupport
import Testing
import WebCore

/// Accounts on a server, with requests as a browser or a program.
struct AccountsTestServer: Program {
    let accounts: AccountServices
    let objects: FolderObjectStore
    let database: Database
    let clock: TestClock
    let client: any TestClientProtocol

    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields = .page, body: String? = nil
    ) async throws -> TestResponse {
        try await client.executeRequest(
            uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
        )
    }

    func get(_ uri: String, _ headers: HTTPFields = .page) async throws -> TestResponse {
        try await send(.get, uri, headers)
    }

    /// Sends a form as a browser does.
    func submit(_ uri: String, _ fields: String, cookie: String? = nil) async throws -> TestResponse {
        var headers = HTTPFields.page
        headers[.contentType] = "application/x-www-form-urlencoded"
        if let cookie { headers[.cookie] = cookie }
        return try await send(.post, uri, headers, body: fields)
    }

    /// Registers an account in a browser and returns its cookie.
    func signUpInBrowser(_ email: String = "mia@example.org") async throws -> String {
        try await submit("/accounts", "name=Mia&email=\(email)&password=correct+horse").sessionCookie ?? ""
    }

    func isSignedIn(_ token: String) async throws -> Bool {
        try await call(.get, "/account", token: token).status == .ok
    }
}

extension HTTPFields {
    static let page: HTTPFields = [
        .accept: "text/html,application/xhtml+xml,*/*;q=0.8",
        .userAgent: "Mozilla/5.0 (Linux; Android 15; Pixel 7) Chrome/140.0 Mobile Safari/537.36",
    ]

    static func program(_ token: String?) -> HTTPFields {
        var fields: HTTPFields = [.accept: "application/json", .contentType: "application/json"]
        if let token { fields[.authorization] = "Bearer \(token)" }
        return fields
    }

    static func browser(_ cookie: String) -> HTTPFields {
        var fields = HTTPFields.page
        fields[.cookie] = cookie
        return fields
    }
}

extension TestResponse {
    var html: String { String(buffer: body) }

    func object() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any] ?? [:]
    }

    func error() throws -> [String: Any] { try object()["error"] as? [String: Any] ?? [:] }

    func errorFields() throws -> [String] { try (error()["fields"] as? [String: String] ?? [:]).keys.sorted() }

    /// Expects a rendered page without missing values.
    func expectRenders(_ path: String) {
        #expect(html.contains("</html>"), "\(path)")
        #expect(html.contains("<h1"), "\(path)")
        for blank in [#"href="""#, #"action="""#, #"for="""#, #"name="""#, "#\"", "<span class=\"row-title\"></span>"] {
            #expect(!html.contains(blank), "\(path) has \(blank)")
        }
        #expect(!html.contains("{{"), "\(path)")
    }

    /// The cookie that this response sets, as a browser sends it back; `nil` if it sets none or deletes it.
    var sessionCookie: String? {
        let cookie = headers[values: .setCookie].first {
            $0.hasPrefix("__Host-homeward=") || $0.hasPrefix("homeward-session=")
        }
        guard let cookie, !cookie.contains("Max-Age=0") else { return nil }
        return cookie.split(separator: ";").first.map(String.init)
    }
}

/// Calls `body` with the account pages on an empty store.
func withAccountsSite(
    _ engine: Engine = .sqlite, mailer: (any Mailer)? = nil,
    _ body: @escaping @Sendable (AccountsTestServer) async throws -> Void
) async throws {
    try await withHousehold(engine, mailer: mailer) { fixture in
        try await body(
            AccountsTestServer(
                accounts: fixture.accounts, objects: fixture.objects, database: fixture.database, clock: fixture.clock,
                client: fixture.client
            )
        )
    }
}

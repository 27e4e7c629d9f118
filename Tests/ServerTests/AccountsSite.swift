import Accounts
import AccountsWeb
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Objects
import Pictures
import Storage
import TestSupport
import WebCore

/// The pages of accounts, and a browser or program that looks at them.
struct AccountsSite: Sendable {
    let accounts: AccountService
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

    /// Sends JSON as a program does.
    func call(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, token: String? = nil
    ) async throws -> TestResponse {
        try await send(method, uri, .program(token), body: body)
    }

    /// Registers a program's account and answers its token.
    func join(_ email: String = "mia@example.org") async throws -> String {
        let answer = try await call(
            .post, "/accounts", #"{"email":"\#(email)","password":"correct horse","name":"Mia"}"#
        )
        return try answer.object()["token"] as? String ?? ""
    }

    /// Registers a browser's account and answers its cookie.
    func joinInBrowser(_ email: String = "mia@example.org") async throws -> String {
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

    /// The cookie that this answer sets, as a browser sends it back; `nil` when it sets none or takes it away.
    var sessionCookie: String? {
        let cookie = headers[values: .setCookie].first { $0.hasPrefix("__Host-homeward=") }
        guard let cookie, !cookie.contains("Max-Age=0") else { return nil }
        return cookie.split(separator: ";").first.map(String.init)
    }
}

private struct AccountSessions: SessionAuthority {
    let accounts: AccountService

    func identity(token: String, kind: Session.Kind) async throws -> Identity? {
        try await accounts.authenticate(token: token, kind: kind).map {
            Identity(session: $0.session, account: $0.account)
        }
    }
}

/// Gives `body` the pages of accounts on a fresh store, reached as https://home.example.
func withAccountsSite(
    _ engine: Engine = .sqlite, mailer: (any Mailer)? = nil,
    _ body: @escaping @Sendable (AccountsSite) async throws -> Void
) async throws {
    let folder = try TemporaryFolder()
    try await withDatabase(engine, migrations: PictureLibrary.migrations + AccountService.migrations) { database in
        let clock = TestClock()
        let random = SeededRandom()
        let pictures = PictureLibrary(
            database: database, objects: try FolderObjectStore(folder: folder.file("objects"), random: random),
            worker: PictureWorker(executable: folder.file("no-such-program")), clock: clock, random: random,
            logger: .silent
        )
        let accounts = AccountService(
            database: database, siteURL: "https://home.example", mailer: mailer,
            companions: [PicturesCompanion(library: pictures)], clock: clock, random: random, logger: .silent,
            hasher: ScryptHasher(random: random, costExponent: 1)
        )
        let web = try Web(
            site: Site(url: "https://home.example"), sessions: AccountSessions(accounts: accounts), database: database,
            modules: [AccountsPages(accounts: accounts, pictures: pictures)], clock: clock, random: random,
            logger: .silent
        )
        let application = Application(
            responder: web.responder(), configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent
        )
        try await application.test(.router) { client in
            try await body(AccountsSite(accounts: accounts, database: database, clock: clock, client: client))
        }
        await accounts.finishLetters()
    }
}

@testable import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Kernel
import Logging
import NIOCore
import Storage
import Synchronization
import TestSupport
import Testing

@testable import WebCore

/// A session authority with the sessions that a test defines.
final class FakeSessions: SessionAuthority {
    struct Unreachable: Error {}

    private let identities = Mutex<[String: Identity]>([:])
    private let isBroken = Mutex(false)
    /// The number of checks in which a session is still valid, if it ends elsewhere and stays cached here.
    let remainingLookups = Mutex<[ID<Session>: Int]>([:])
    /// The number of checks whether a session is still valid.
    let lookups = Mutex(0)

    func identity(token: String, kind: Session.Kind) async throws -> Identity? {
        if isBroken.withLock({ $0 }) { throw Unreachable() }
        return identities.withLock { $0[token] }.flatMap { $0.session.kind == kind ? $0 : nil }
    }

    func isValid(_ session: ID<Session>, of person: PersonID) async throws -> Bool {
        defer { lookups.withLock { $0 += 1 } }
        let isLeft = remainingLookups.withLock { remaining in
            defer { remaining[session]? -= 1 }
            return remaining[session] ?? 1 > 0
        }
        guard isLeft else { return false }
        return identities.withLock { $0.values.contains { $0.session.id == session && $0.account.id == person } }
    }

    func touch(_ identity: Identity, isLaunch: Bool, isActivity: Bool) async throws -> Identity {
        attended.withLock { $0.append(Attendance(isLaunch: isLaunch, isActivity: isActivity)) }
        return identity
    }

    struct Attendance: Sendable, Equatable {
        let isLaunch: Bool
        let isActivity: Bool
    }

    /// The recorded activity of sessions that lock automatically.
    let attended = Mutex<[Attendance]>([])

    /// The people whose cached data was dropped, in that order.
    let forgotten = Mutex<[PersonID]>([])

    func forget(_ person: PersonID) { forgotten.withLock { $0.append(person) } }

    func end(_ token: String) { identities.withLock { $0[token] = nil } }

    func breakDown() { isBroken.withLock { $0 = true } }

    @discardableResult
    func signIn(
        _ token: String, kind: Session.Kind, person: PersonID? = nil, language: String? = nil, role: Role = .adult
    ) -> Identity {
        let now = Instant(millisecondsSince1970: 1_767_225_600_000)
        let random = SeededRandom(seed: UInt64(token.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
        let person = person ?? PersonID(at: now, random: random)
        let account = Account(
            id: person, email: "mia@example.org", name: "Mia", phone: nil, dateOfBirth: nil, theme: "standard",
            avatarPictureID: nil, mapsApp: nil, role: role, language: language, isOperator: false,
            emailVerifiedAt: nil, version: 1, createdAt: now
        )
        let session = Session(
            id: ID(at: now, random: random), person: person, name: "Test", kind: kind, createdAt: now, lastUsedAt: now
        )
        let identity = Identity(session: session, account: account)
        identities.withLock { $0[token] = identity }
        return identity
    }
}

/// A small module with its own routes and templates.
struct TestModule: WebModule {
    let routes: @Sendable (Routes) -> Void
    var files: [String: String] = [:]
    var offlinePaths: [String] = []

    var embedded: EmbeddedFiles { EmbeddedFiles(plain: files.mapValues { Array($0.utf8) }) }
    func addRoutes(to routes: Routes) { self.routes(routes) }
}

struct WebTestServer {
    let web: Web
    let sessions: FakeSessions
    let database: Database
    let log: LogRecorder
    let client: any TestClientProtocol
}

/// Calls `body` with a site of these routes and templates on an empty store.
func withSite(
    _ setup: TestingSetup = .router, url: String = "http://localhost:8080", files: [String: String] = [:],
    offlinePaths: [String] = [], runsLive: Bool = false, server: HTTPServerBuilder = .http1(),
    routes: @escaping @Sendable (Routes) -> Void = { _ in },
    _ body: @escaping @Sendable (WebTestServer) async throws -> Void
) async throws {
    try await withDatabase(.sqlite) { database in
        let sessions = FakeSessions()
        let log = LogRecorder()
        let web = try Web(
            site: Site(url: url), sessions: sessions, digestKey: BodyDigestKey(secret: [1]), database: database,
            modules: [TestModule(routes: routes, files: files, offlinePaths: offlinePaths)], clock: TestClock(),
            random: SeededRandom(),
            logger: log.logger
        )
        let application = Application(
            responder: web.responder(), server: server, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            services: runsLive ? [web.live] : [], logger: log.logger
        )
        return try await application.test(setup) { client in
            try await body(WebTestServer(web: web, sessions: sessions, database: database, log: log, client: client))
        }
    }
}

extension WebTestServer {
    /// Calls `body` with a client that has a connection of its own and waits for responses without a time limit, so
    /// that a busy machine fails no test. `client` waits for 20 seconds at most. The site must be a live one.
    func withPatientClient<Value>(
        _ body: @escaping @Sendable (TestClient) async throws -> Value
    ) async throws -> Value {
        try await TestClient.withClient(
            host: "localhost", port: try #require(client.port), configuration: .init(timeout: .seconds(24 * 60 * 60)),
            operation: body)
    }

    func get(_ uri: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await client.executeRequest(uri: uri, method: .get, headers: headers, body: nil)
    }

    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields = [:], _ body: String? = nil
    ) async throws -> TestResponse {
        try await client.executeRequest(
            uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
        )
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
}

extension HTTPFields {
    static let json: HTTPFields = [.accept: "application/json", .contentType: "application/json"]
    static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    static let form: HTTPFields = [
        .accept: "text/html", .contentType: "application/x-www-form-urlencoded",
    ]

    func adding(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var copy = self
        copy[name] = value
        return copy
    }
}

/// A value that two tasks share.
final class Shared<Value: Sendable>: Sendable {
    private let box: Mutex<Value>

    init(_ value: Value) { box = Mutex(value) }

    var value: Value {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}

import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Pictures
import Quotas
import Storage
import TestSupport
import Testing
import Tracking

typealias TrackingMethod = HTTPRequest.Method

/// Tracking and accounts on an empty store, reached as https://home.example.
struct TrackingTestServer: Sendable {
    static let url = Household.url

    let accounts: AccountServices
    let tracking: TrackingServices
    let database: Database
    /// Counts the transactions of the server.
    let driver: CountingDriver
    let clock: TestClock
    let client: any TestClientProtocol

    /// A visitor who isn't signed in.
    var signedOut: TrackingTestClient { TrackingTestClient(site: self, token: nil, cookie: nil, actor: nil) }

    /// The current second of the server's clock, as phones send it.
    var seconds: Int64 { clock.now.millisecondsSince1970 / 1_000 }

    /// Creates a person with two devices: a program and a browser.
    func person(_ email: String) async throws -> TrackingTestClient {
        let password = "correct horse"
        let registration = Registration(
            app: nil, email: email, password: password, name: "Person", dateOfBirth: nil, phone: nil
        )
        let program = DeviceInfo(name: "curl", kind: .bearer, clientAddress: "192.0.2.1")
        let browser = DeviceInfo(name: "Chrome", kind: .cookie, clientAddress: "192.0.2.1")
        let first = try await accounts.registrations.register(registration, device: program, language: "en")
        let second = try await accounts.signIns.signIn(email: email, password: password, device: browser)
        let actor = Actor(person: first.account.id, session: first.session.id, role: first.account.role)
        return TrackingTestClient(
            site: self, token: first.token, cookie: "__Host-homeward=\(second.token)", actor: actor)
    }

    /// Adds a photo without files to a person's library, and returns its id.
    func photo(of person: TrackingTestClient, seed: UInt64 = 1) async throws -> String {
        let owner = try #require(person.actor?.person)
        let id = ID<Picture>(at: clock.now, random: SeededRandom(seed: seed))
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
                VALUES (\(id), \(owner), 1, 1, 'image/jpeg', \([UInt8](repeating: 0, count: 32)), 0)
                """
            )
        }
        return id.description
    }
}

/// Calls `body` with Tracking on an empty store.
func withTracking(
    _ engine: Engine = .sqlite, fixesPerAccount: Int = Limits.fixesPerAccount,
    _ body: @escaping @Sendable (TrackingTestServer) async throws -> Void
) async throws {
    try await withHousehold(engine, fixesPerAccount: fixesPerAccount) { fixture in
        try await body(
            TrackingTestServer(
                accounts: fixture.accounts, tracking: fixture.tracking, database: fixture.database,
                driver: fixture.driver, clock: fixture.clock,
                client: fixture.client
            )
        )
    }
}

/// A person with a program (bearer token) and a browser (cookie).
struct TrackingTestClient: Sendable {
    let site: TrackingTestServer
    let token: String?
    let cookie: String?
    let actor: Actor?

    // MARK: JSON requests

    func send(
        _ method: TrackingMethod, _ uri: String, body: String = "", type: String? = nil, headers: [String: String] = [:]
    ) async throws -> Reply {
        var fields: HTTPFields = [.accept: "application/json"]
        if let token { fields[.authorization] = "Bearer \(token)" }
        if let type { fields[.contentType] = type }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return try await Reply(site.execute(method, uri, fields, body))
    }

    func send(
        _ method: TrackingMethod, _ uri: String, json: [String: any Sendable], headers: [String: String] = [:]
    ) async throws -> Reply {
        let data = try JSONSerialization.data(withJSONObject: json)
        return try await send(
            method, uri, body: String(decoding: data, as: UTF8.self), type: "application/json", headers: headers
        )
    }

    /// Adds an item and returns its path.
    func item(_ name: String) async throws -> String {
        let reply = try await send(.post, "/tracking/items", json: ["name": name])
        return "/tracking/items/\(try #require(try reply.object().text("id")))"
    }

    /// Adds a source and returns the path (with its query) that it reports to.
    func source(_ kind: SourceKind, item: String? = nil) async throws -> String {
        var body: [String: any Sendable] = ["kind": kind.rawValue]
        if let item { body["itemId"] = String(item.suffix(36)) }
        let reply = try await send(.post, "/tracking/sources", json: body)
        return String(try #require(try reply.object().text("url")).dropFirst(TrackingTestServer.url.count))
    }

    // MARK: Browser requests

    func page(_ uri: String, headers: [String: String] = [:]) async throws -> Reply {
        var fields = browserFields
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return try await Reply(site.execute(.get, uri, fields, ""))
    }

    /// Requests a fragment, as a live update does.
    func fragment(_ uri: String) async throws -> Reply { try await page(uri, headers: ["HX-Request": "true"]) }

    /// Sends a form without scripts.
    func submit(_ uri: String, _ form: KeyValuePairs<String, String>, isFragment: Bool = false) async throws -> Reply {
        try await submit(uri, pairs: form.map { ($0.key, $0.value) }, isFragment: isFragment)
    }

    /// Sends a form with fields that a test computes.
    func submit(
        _ uri: String, pairs form: [(key: String, value: String)], isFragment: Bool = false
    ) async throws -> Reply {
        var fields = browserFields
        fields[.contentType] = "application/x-www-form-urlencoded"
        if isFragment { fields[try #require(HTTPField.Name("HX-Request"))] = "true" }
        let pairs = form.map { pair in "\(Self.escaped(pair.key))=\(Self.escaped(pair.value))" }
        return try await Reply(site.execute(.post, uri, fields, pairs.joined(separator: "&")))
    }

    /// Sends a form that may contain files; its boundary is `x`.
    func submit(_ uri: String, multipart body: String) async throws -> Reply {
        var fields = browserFields
        fields[.contentType] = "multipart/form-data; boundary=x"
        return try await Reply(site.execute(.post, uri, fields, body))
    }

    // MARK: Device requests

    func device(
        _ method: TrackingMethod, _ uri: String, body: String = "", type: String? = nil, authorization: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Reply {
        var fields = HTTPFields()
        if let type { fields[.contentType] = type }
        if let authorization { fields[.authorization] = authorization }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return try await Reply(site.execute(method, uri, fields, body))
    }

    private var browserFields: HTTPFields {
        var fields: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
        if let cookie { fields[.cookie] = cookie }
        return fields
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension TrackingTestServer {
    fileprivate func execute(
        _ method: TrackingMethod, _ uri: String, _ headers: HTTPFields, _ body: String
    ) async throws -> TestResponse {
        let buffer = body.isEmpty ? nil : ByteBuffer(string: body)
        return try await client.executeRequest(uri: uri, method: method, headers: headers, body: buffer)
    }
}

/// A response, with accessors for tests.
struct Reply: Sendable {
    let status: Int
    let text: String
    private let headers: HTTPFields

    init(_ response: TestResponse) {
        status = Int(response.status.code)
        text = String(buffer: response.body)
        headers = response.headers
    }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    func object() throws -> JSONObject {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return JSONObject(members: try #require(value as? [String: Any]))
    }

    /// The common format of errors.
    func error() throws -> JSONObject { try object().object("error") }
}

/// A JSON object whose members a test expects to be of certain types.
struct JSONObject {
    let members: [String: Any]

    var keys: [String] { members.keys.sorted() }
    func text(_ key: String) -> String? { members[key] as? String }
    func flag(_ key: String) -> Bool? { members[key] as? Bool }
    func number(_ key: String) -> Int? { members[key] as? Int }
    func decimal(_ key: String) -> Double? { members[key] as? Double }
    /// Whether the key is present with the value null.
    func isNull(_ key: String) -> Bool { members[key] is NSNull }

    func object(_ key: String) throws -> JSONObject {
        JSONObject(members: try #require(members[key] as? [String: Any]))
    }

    /// One member of each object of a list.
    func texts(_ list: String, _ key: String) throws -> [String?] { try self.list(list).map { $0.text(key) } }

    func list(_ key: String) throws -> [JSONObject] {
        try #require(members[key] as? [[String: Any]]).map { JSONObject(members: $0) }
    }
}

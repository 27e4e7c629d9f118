import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import TestSupport
import Testing
import WebCore

/// A family on the whole server: a parent who also uses the other apps, two children, and an unrelated family.
struct ChildrenFixture: Sendable {
    let server: ServerHarness
    let parent: String
    /// The child that sends the requests, and its brother.
    let child: PersonID
    let sibling: PersonID
    /// The child's token and cookie.
    let token: String
    let cookie: String
    /// The other family's parent and child.
    let neighbour: String
    let neighbourChild: PersonID

    init(_ server: ServerHarness) async throws {
        self.server = server
        parent = try await Self.join("mia@example.org", server)
        child = try await Self.child("Tom", of: parent, server)
        sibling = try await Self.child("Lea", of: parent, server)
        token = try await Self.signIn(child, .bearer, server)
        let secret = try await Self.signIn(child, .cookie, server)
        cookie = "homeward-session=\(secret)"
        neighbour = try await Self.join("eva@example.org", server)
        neighbourChild = try await Self.child("Nina", of: neighbour, server)
    }

    /// Registers a person for all apps and returns their token.
    static func join(_ email: String, _ server: ServerHarness) async throws -> String {
        let body = """
            {"app":"family","email":"\(email)","password":"correct horse","name":"Mia","dateOfBirth":"1990-02-28",
            "phone":"+49 151 5550100"}
            """
        let answer = try await server.send(.post, "/accounts", body)
        return try #require(try answer.object()["token"] as? String, "\(answer.html)")
    }

    static func child(_ name: String, of parent: String, _ server: ServerHarness) async throws -> PersonID {
        let body = #"{"name":"\#(name)","dateOfBirth":"2018-05-04"}"#
        let answer = try await server.send(.post, "/family/children", body, token: parent)
        let id = try answer.object()["id"] as? String
        return try #require(id.flatMap { PersonID($0) }, "\(answer.html)")
    }

    /// Signs a child in as a sign-in code does.
    static func signIn(
        _ person: PersonID, _ kind: Session.Kind, _ server: ServerHarness
    ) async throws -> String {
        try await open(person, kind, server.services.accounts, server.services.database, server.clock).token
    }

    static func open(
        _ person: PersonID, _ kind: Session.Kind, _ accounts: AccountServices, _ database: Database, _ clock: TestClock
    ) async throws -> SignedIn {
        let device = DeviceInfo(name: "Chrome on Android", kind: kind, clientAddress: "192.0.2.1")
        let now = clock.now
        let token = accounts.sessionCreator.newToken()
        let session = ID<Session>(at: now, random: SystemRandom())
        return try await database.write { tx in
            try accounts.sessionCreator.openSession(
                of: person, device: device, token: token, sessionID: session, now: now, in: tx)
        }
    }

    func asChild(_ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil) async throws -> TestResponse {
        try await server.send(method, uri, body, token: token)
    }

    func asParent(_ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil) async throws -> TestResponse {
        try await server.send(method, uri, body, token: parent)
    }

    /// Sends a request as a browser does: for a page, or with a form without scripts.
    func browse(
        _ method: HTTPRequest.Method, _ uri: String, isFragment: Bool = false
    ) async throws -> TestResponse {
        var headers = HTTPFields.browser(cookie)
        if isFragment { headers[.hxRequest] = "true" }
        guard method != .get else {
            return try await server.client.executeRequest(uri: uri, method: .get, headers: headers, body: nil)
        }
        headers[.contentType] = "application/x-www-form-urlencoded"
        let target = method == .post ? uri : "\(uri)?_method=\(method.rawValue.lowercased())"
        return try await server.client.executeRequest(
            uri: target, method: .post, headers: headers, body: ByteBuffer(string: "name=Mallory")
        )
    }

    /// Creates a resource and returns its id.
    func made(_ uri: String, _ body: String, by token: String? = nil) async throws -> String {
        var headers = HTTPFields.program(token ?? parent)
        headers[.idempotencyKey] = "\(uri) \(body)"
        let answer = try await server.client.executeRequest(
            uri: uri, method: .post, headers: headers, body: ByteBuffer(string: body))
        return try #require(try answer.object()["id"] as? String, "\(uri): \(answer.html)")
    }
}

/// Calls `body` with the family on a new server.
func withChildren(
    _ engine: Engine = .sqlite, _ setup: TestingSetup = .router,
    _ body: @escaping @Sendable (ChildrenFixture) async throws -> Void
) async throws {
    try await withServer(engine, setup, settings: ["HOMEWARD_WELCOME_AMOUNT": "100.00"]) { server in
        try await body(try await ChildrenFixture(server))
    }
}

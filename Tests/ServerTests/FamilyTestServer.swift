import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Ledger
import NIOCore
import Pictures
import Server
import Storage
import TestSupport
import Testing

/// The whole server with several families.
struct FamilyTestServer: Sendable {
    let server: ServerHarness

    var clock: TestClock { server.clock }

    /// A visitor who isn't signed in.
    var signedOut: FamilyTestClient { FamilyTestClient(site: self, name: "", id: "", token: nil, cookie: nil) }

    /// A built-in picture: the tests have no program that decodes others.
    var picture: String { BuiltinAvatars.all[0].id.description }
    var otherPicture: String { BuiltinAvatars.all[1].id.description }

    /// Creates a parent with a program and a browser.
    func parent(_ name: String, app: String = "family") async throws -> FamilyTestClient {
        let email = name.lowercased() + "@example.org"
        var body: [String: any Sendable] = [
            "app": app, "email": email, "password": "correct horse", "name": name,
        ]
        if app == "family" { body["dateOfBirth"] = "1990-05-01" }
        let joined = try await signedOut.send(.post, "/accounts", json: body).object()
        let browser = try await signedOut.submit("/session", ["email": email, "password": "correct horse"])
        let setting: String = try #require(browser.header("set-cookie"))
        let id: String = try #require(try joined.object("account").text("id"))
        return FamilyTestClient(
            site: self, name: name, id: id, token: joined.text("token"), cookie: String(setting.prefix { $0 != ";" }))
    }

    /// Signs in a child's device by a code, as a program and as a browser.
    func device(of child: String, by parent: FamilyTestClient) async throws -> FamilyTestClient {
        let code = try await parent.send(.post, "\(child)/sign-in-codes").object().text("code") ?? ""
        let signedIn = try await signedOut.send(.post, "/family/sign-in", json: ["code": code])
        #expect(signedIn.status == 201, "\(signedIn.text)")
        let second = try await parent.send(.post, "\(child)/sign-in-codes").object().text("code") ?? ""
        let browser = try await signedOut.submit("/family/sign-in", ["code": second])
        // The welcome toast of the next page is a cookie, too.
        let settings: String = try #require(browser.header("set-cookie"))
        let session = try #require(settings.firstRange(of: "homeward-session="))
        let object = try signedIn.object()
        return FamilyTestClient(
            site: self, name: try object.object("child").text("name") ?? "",
            id: try object.object("child").text("id") ?? "", token: object.text("token"),
            cookie: String(settings[session.lowerBound...].prefix { $0 != ";" }))
    }
}

/// Calls `body` with families on an empty store; expects a ledger sum of 0 at the end.
func withFamilies(
    _ engine: Engine = .sqlite, _ body: @escaping @Sendable (FamilyTestServer) async throws -> Void
) async throws {
    try await withServer(engine) { server in
        try await body(FamilyTestServer(server: server))
        let ledger = server.services.ledger
        let sums = try await server.services.database.read { tx in try ledger.totals(in: tx).sums }
        #expect(sums.values.allSatisfy { $0 == 0 }, "\(sums)")
    }
}

/// A person with a program (bearer token) and a browser (cookie).
struct FamilyTestClient: Visitor {
    let site: FamilyTestServer
    let name: String
    let id: String
    let token: String?
    let cookie: String?

    var server: ServerHarness { site.server }

    /// Adds a child and returns its path.
    func child(_ name: String = "Mia", with changes: [String: any Sendable] = [:]) async throws -> String {
        var body: [String: any Sendable] = ["name": name, "dateOfBirth": "2017-05-12"]
        body.merge(changes) { _, new in new }
        let reply = try await send(.post, "/family/children", json: body)
        #expect(reply.status == 201, "\(reply.text)")
        return "/family/children/\(try #require(try reply.object().text("id")))"
    }

    /// Creates an invitation, with the password as proof.
    func invitation() async throws -> JSONObject {
        let reply = try await send(.post, "/family/invitations", json: ["password": "correct horse"])
        #expect(reply.status == 201, "\(reply.text)")
        return try reply.object()
    }

    /// Adds a chore and returns its id.
    func chore(_ name: String = "Dishes", picture: String? = nil) async throws -> String {
        let reply = try await send(
            .post, "/family/chores", json: ["name": name, "pictureId": picture ?? site.picture])
        #expect(reply.status == 201, "\(reply.text)")
        return try #require(try reply.object().text("id"))
    }

    /// Asks for the points of a chore as a child, and returns the path of the request.
    func request(_ chore: String, for child: String) async throws -> String {
        let reply = try await send(.post, "\(child)/requests", json: ["choreId": chore])
        #expect(reply.status == 201, "\(reply.text)")
        return "\(child)/requests/\(try #require(try reply.object().text("id")))"
    }

    /// Creates a contract of 10 points with levels of 3, 3 and 4, and returns its path.
    func contract(of child: String, maxPoints: Int = 10, levels: [Int] = [3, 3, 4]) async throws -> String {
        let rows = levels.enumerated().map { index, points -> [String: any Sendable] in
            ["reward": "Reward \(index + 1)", "points": points]
        }
        let reply = try await send(.post, "\(child)/contracts", json: ["maxPoints": maxPoints, "levels": rows])
        #expect(reply.status == 201, "\(reply.text)")
        return "\(child)/contracts/\(try #require(try reply.object().text("id")))"
    }

    /// Posts chores with their points, and returns the ids of the assignments.
    @discardableResult
    func assign(_ points: KeyValuePairs<String, Int>, to child: String) async throws -> [String] {
        let entries = points.map { pair -> [String: any Sendable] in ["choreId": pair.key, "points": pair.value] }
        let reply = try await send(.post, "\(child)/assignments", json: ["chores": entries])
        #expect(reply.status == 201, "\(reply.text)")
        return try reply.object().texts("items", "id").compactMap { $0 }
    }

    /// Gained points, achievement points and prize level.
    func score(of child: String) async throws -> [Int?] {
        let object = try await send(.get, child).object()
        return [object.number("gainedPoints"), object.number("achievementPoints"), object.number("prizeLevel")]
    }

    /// The names of a list.
    func names(_ uri: String) async throws -> [String?] {
        try await send(.get, uri).object().texts("items", "name")
    }
}

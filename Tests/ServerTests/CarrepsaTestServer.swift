import Accounts
import Carrepsa
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Ledger
import NIOCore
import Server
import Storage
import TestSupport
import Testing

/// The whole server with several people in Carrepsa, each with 100.00 in the wallet.
struct CarrepsaTestServer: Sendable {
    /// The initial balance of each wallet, in cents.
    static let start = 10_000

    let server: ServerHarness

    var clock: TestClock { server.clock }

    /// A visitor who isn't signed in.
    var signedOut: CarrepsaTestClient { CarrepsaTestClient(site: self, name: "", id: "", token: nil, cookie: nil) }

    /// A package of Ada's that Ben carries, and Olga, who is an administrator.
    func packageInTransit() async throws -> (
        owner: CarrepsaTestClient, carrier: CarrepsaTestClient, administrator: CarrepsaTestClient, path: String
    ) {
        let ada = try await person("Ada")
        let ben = try await person("Ben")
        let olga = try await person("Olga", isOperator: true)
        let path = try await ada.offer()
        _ = try await ben.send(.post, path + "/acceptance")
        _ = try await ada.send(.post, path + "/pickup")
        return (ada, ben, olga, path)
    }

    /// Creates a person with a program and a browser.
    func person(_ name: String, isOperator: Bool = false) async throws -> CarrepsaTestClient {
        let email = name.lowercased() + "@example.org"
        let body: [String: any Sendable] = [
            "app": "carrepsa", "email": email, "password": "correct horse", "name": name, "phone": "+49 151 5550100",
        ]
        let joined = try await signedOut.send(.post, "/accounts", json: body).object()
        if isOperator { _ = try await server.services.accounts.administrators.setOperator(email: email, true) }
        let browser = try await signedOut.submit("/session", ["email": email, "password": "correct horse"])
        let setting: String = try #require(browser.header("set-cookie"))
        let id: String = try #require(try joined.object("account").text("id"))
        return CarrepsaTestClient(
            site: self, name: name, id: id, token: joined.text("token"), cookie: String(setting.prefix { $0 != ";" })
        )
    }

    /// The sum over all accounts of the ledger, by unit.
    func sums() async throws -> [String: Int128] {
        let ledger = server.services.ledger
        return try await server.services.database.read { tx in try ledger.totals(in: tx).sums }
    }
}

/// Calls `body` with Carrepsa on an empty store.
func withCarrepsa(
    _ engine: Engine = .sqlite, _ body: @escaping @Sendable (CarrepsaTestServer) async throws -> Void
) async throws {
    try await withServer(engine, settings: ["HOMEWARD_WELCOME_AMOUNT": "100.00"]) { server in
        let site = CarrepsaTestServer(server: server)
        try await body(site)
        let sums = try await site.sums()
        #expect(sums.values.allSatisfy { $0 == 0 }, "\(sums)")
    }
}

/// A person with a program (bearer token) and a browser (cookie).
struct CarrepsaTestClient: Visitor {
    let site: CarrepsaTestServer
    let name: String
    let id: String
    let token: String?
    let cookie: String?

    var server: ServerHarness { site.server }

    /// Offers a package and returns its path.
    func offer(_ title: String = "Bike helmet", with changes: [String: any Sendable] = [:]) async throws -> String {
        var body: [String: any Sendable] = [
            "title": title, "from": "Aachen", "to": "Bonn", "weight": 1_200, "reward": 1_200, "moneyLock": 4_000,
        ]
        body.merge(changes) { _, new in new }
        let reply = try await send(.post, "/carrepsa/packages", json: body)
        #expect(reply.status == 201, "\(reply.text)")
        return "/carrepsa/packages/\(try #require(try reply.object().text("id")))"
    }

    /// The available balance and the deposits, in cents.
    func balances() async throws -> [Int?] {
        let wallet = try await send(.get, "/carrepsa/wallet").object()
        return [wallet.number("balance"), wallet.number("held")]
    }

    /// Pays money in from outside: unlike the welcome amount, it can be paid out.
    func topUp(_ amount: Int64) async throws {
        let services = server.services
        _ = try await services.carrepsa.payments.topUp(
            email: id, amountMinor: amount, transferID: ID(at: services.clock.now, random: services.random))
    }

    /// The titles of a list.
    func titles(_ uri: String) async throws -> [String?] {
        try await send(.get, uri).object().texts("items", "title")
    }
}

extension Reply {
    /// The toast of the page after a redirect.
    func toast() throws -> String { try toastMembers()["text"] as? String ?? "" }

    /// The address to which the toast's undo button posts; `nil` without that button.
    func toastUndo() throws -> String? { try toastMembers()["undoURL"] as? String }

    private func toastMembers() throws -> [String: Any] {
        let cookie: String = try #require(header("set-cookie"))
        let value = String(cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" })
        var base64: String = value.replacing("-", with: "+").replacing("_", with: "/")
        while base64.count % 4 != 0 { base64 += "=" }
        let data = try #require(Data(base64Encoded: base64))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}

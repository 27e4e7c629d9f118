import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import TestSupport
import Testing

@Suite("Requests on a store with a long history")
struct HistoryCostTests {
    /// The rows or steps that a page may need in addition because it is full.
    private static let fullPage: Int64 = 6_000

    /// A request, or several that belong together, that people and devices make all the time.
    private struct Flow: Sendable {
        let name: String
        let run: @Sendable () async throws -> Void
    }

    @Test("No flow reads more rows than on a new store", arguments: Engine.allCases)
    func flows(engine: Engine) async throws {
        try await withServer(engine, settings: ["HOMEWARD_WELCOME_AMOUNT": "100000.00"]) { server in
            let database = server.services.database
            let (flows, owner, child) = try await Self.flows(server)
            // The first run fills caches and prepares statements.
            for flow in flows { try await flow.run() }
            let before = try await Self.work(of: flows, on: database)
            let history = LongHistory(dialect: database.dialect, owner: owner, child: child)
            try await database.write { try history.write(in: $0) }
            for flow in flows { try await flow.run() }
            let after = try await Self.work(of: flows, on: database)
            for (flow, (shortHistory, longHistory)) in zip(flows, zip(before, after)) {
                #expect(!longHistory.isEmpty, "\(flow.name) read nothing")
                for (what, count) in longHistory {
                    let earlier = shortHistory[what] ?? 0
                    #expect(count <= earlier + Self.fullPage, "\(flow.name): \(what): \(earlier) on a new store")
                }
            }
        }
    }

    // docs/decisions/0047
    @Test("On PostgreSQL, the tables of deliveries and positions check nothing but balances")
    func constraints() async throws {
        guard Engine.allCases.contains(.postgres) else { return }
        try await withServer(.postgres, settings: ["HOMEWARD_WELCOME_AMOUNT": "100000.00"]) { server in
            let database = server.services.database
            let frequent = try await Self.flows(server).0.filter { ["a position", "a delivery"].contains($0.name) }
            for flow in frequent { try await flow.run() }
            let tables = try await StoreWork.writtenTables(of: database) {
                for flow in frequent { try await flow.run() }
            }
            #expect(Set(tables).isSuperset(of: ["carrepsa_package", "ledger_posting", "fix", "outbox"]))
            let checks = try await database.read { tx in
                try tx.rows(
                    """
                    SELECT conname::text AS name FROM pg_constraint
                    WHERE contype = 'c' AND conrelid::regclass::text IN \(list: tables)
                    """
                ).map { try $0.get("name", as: String.self) }
            }
            #expect(checks == ["ledger_account_check"])
        }
    }

    private static func work(of flows: [Flow], on database: Database) async throws -> [[String: Int64]] {
        var results: [[String: Int64]] = []
        for flow in flows {
            let before = try await StoreWork(of: database)
            try await flow.run()
            results.append(try await StoreWork(of: database).since(before))
        }
        return results
    }

    private static func flows(_ server: ServerHarness) async throws -> ([Flow], owner: String, child: String) {
        let carrepsa = CarrepsaTestServer(server: server)
        let ada = try await carrepsa.person("Ada")
        let ben = try await carrepsa.person("Ben")
        let mother = try await FamilyTestServer(server: server).parent("Mona")
        let child = try await mother.child()
        _ = try await mother.contract(of: child, maxPoints: 30, levels: [10, 10, 10])
        let chore = try await mother.chore()
        let item = try await ada.send(.post, "/tracking/items", json: ["name": "Keys"]).object().text("id") ?? ""
        let source = try await ada.send(.post, "/tracking/sources", json: ["kind": "owntracks", "itemId": item])
        let secrets = "\(try source.object().text("user") ?? ""):\(try source.object().text("secret") ?? "")"
        let basic = "Basic \(Data(secrets.utf8).base64EncodedString())"
        let fixes = [
            Flow(name: "a position") {
                server.clock.advance(seconds: 60)
                let seconds = server.clock.now.millisecondsSince1970 / 1_000
                let fix = #"{"_type":"location","lat":46.07,"lon":11.15,"tst":\#(seconds),"acc":15}"#
                let reply = try await server.client.executeRequest(
                    uri: "/ingest/owntracks", method: .post,
                    headers: [.authorization: basic, .contentType: "application/json"], body: .init(string: fix))
                #expect(reply.status == .ok)
            },
            Flow(name: "the items") { try await read("/tracking/items", of: ada) },
            Flow(name: "an item") { try await read("/tracking/items/\(item)", of: ada) },
        ]
        let deliveries = [
            Flow(name: "a delivery") { try await deliver(from: ada, by: ben) },
            Flow(name: "the offers") { try await read("/carrepsa/packages", of: ben) },
            Flow(name: "the wallet") { try await read("/carrepsa/wallet", of: ada) },
        ]
        let points = [
            Flow(name: "a point") { try await mother.assign([chore: 1], to: child) },
            Flow(name: "the children") { try await read("/family/children", of: mother) },
            Flow(name: "a child") { try await read(child, of: mother) },
        ]
        let accounts = [
            Flow(name: "signing in") {
                let reply = try await carrepsa.signedOut.submit(
                    "/session", ["email": "ada@example.org", "password": "correct horse"])
                #expect(reply.status == 303)
            },
            Flow(name: "the notifications") { try await read("/notifications", of: ada) },
            Flow(name: "the stream of events") {
                _ = try await server.services.database.read { tx in
                    let last = try Outbox.lastSequence(in: tx)
                    let person = try #require(PersonID(ada.id))
                    _ = try Outbox.entries(after: last - 5, limit: 100, in: tx)
                    return try Outbox.entries(after: last - 5, upTo: last, audience: person, limit: 100, in: tx)
                }
            },
        ]
        return (fixes + deliveries + points + accounts, owner: ada.id, child: String(child.suffix(36)))
    }

    /// Requests the page and the JSON of a resource.
    private static func read(_ path: String, of person: some Visitor) async throws {
        #expect(try await person.send(.get, path).status == 200, "\(path)")
        var page = try await person.page(path)
        if page.status == 303 { page = try await person.page(try #require(page.header("location"))) }
        #expect(page.status == 200, "\(path): \(page.text)")
    }

    private static func deliver(from owner: CarrepsaTestClient, by carrier: CarrepsaTestClient) async throws {
        let body: [String: any Sendable] = [
            "title": "Bike helmet", "from": "Aachen", "to": "Bonn", "weight": 1_200, "reward": 1_200,
            "moneyLock": 4_000,
        ]
        let posted = try await owner.send(
            .post, "/carrepsa/packages", json: body, headers: ["Idempotency-Key": UUID().uuidString])
        #expect(posted.status == 201, "\(posted.text)")
        let path = "/carrepsa/packages/\(try posted.object().text("id") ?? "")"
        #expect(try await carrier.send(.post, path + "/acceptance").status < 300)
        #expect(try await owner.send(.post, path + "/pickup").status < 300)
        #expect(try await owner.send(.post, path + "/delivery").status < 300)
    }
}

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

@testable import WebCore

@Suite("The whole server")
struct WholeServerTests {
    @Test("A change by one device reaches the person's other devices at once", arguments: Engine.allCases)
    func live(engine: Engine) async throws {
        try await withServer(engine, .live) { harness async throws in
            let token = try await harness.join("mia@example.org")
            let port = try #require(harness.client.port)
            let listener = TestClient(host: "localhost", port: port)
            listener.connect()
            async let stream = listener.get("/events", headers: [.authorization: "Bearer \(token)"])
            while !harness.server.web.live.hasOpenStream { await Task.yield() }
            let added = try await harness.send(.post, "/tracking/items", #"{"name":"Keys"}"#, token: token)
            let id = try #require(try added.object()["id"] as? String)
            let signOut = try await harness.send(.delete, "/session", token: token)
            #expect(signOut.status == .noContent)
            let text = try await stream.body.map { String(buffer: $0) } ?? ""
            #expect(text.contains("\"kind\":\"item\",\"resource\":\"/tracking/items/\(id)\""))
            #expect(!text.contains("Keys"))
            try await listener.shutdown()
        }
    }

    @Test("Housekeeping deletes old events and keeps the others", arguments: Engine.allCases)
    func housekeeping(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            // Not by ``Outbox/entries(after:limit:in:)``: on PostgreSQL an entry waits there for running transactions,
            // and other tests' databases on the same server have some.
            let sequences = { () async throws -> Set<Int64> in
                try await harness.services.database.read { tx in
                    Set(try tx.rows("SELECT sequence FROM outbox").map { try $0.get("sequence") })
                }
            }
            _ = try await harness.join("mia@example.org")
            let keys = { () async throws -> Int in
                try await harness.services.database.read { tx in
                    try tx.row("SELECT COUNT(*) AS count FROM idempotency")?.get("count") ?? 0
                }
            }
            try await harness.services.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO idempotency (person, scope, body, status, resource, at)
                    VALUES ('old', \([UInt8](repeating: 1, count: 32)), \([UInt8](repeating: 1, count: 32)), 201, '/', 0)
                    """
                )
            }
            #expect(try await keys() == 1)
            let old = try await sequences()
            #expect(!old.isEmpty)
            harness.clock.advance(seconds: Limits.outboxSeconds + 60)
            _ = try await harness.join("ben@example.org")
            await MaintenanceService(harness.services).performAll()
            #expect(try await keys() == 0)
            let kept = try await sequences()
            #expect(!kept.isEmpty)
            #expect(kept.isDisjoint(with: old))
        }
    }

    @Test("A restore makes all open pages reload")
    func restore() async throws {
        try await withServer { harness async throws in
            let token = try await harness.join("mia@example.org")
            let folder = try TemporaryFolder()
            try await harness.services.database.backup(to: folder.file("backup.sqlite"))
            _ = try await harness.send(.post, "/tracking/items", #"{"name":"Keys"}"#, token: token)
            let last = try await harness.services.database.read { try Outbox.lastSequence(in: $0) }
            let copy = try await harness.services.restore(from: folder.file("backup.sqlite"))
            #expect(FileManager.default.fileExists(atPath: try #require(copy)))
            let list = try await harness.send(.get, "/tracking/items", token: token).object()
            #expect((list["items"] as? [Any])?.isEmpty ?? false)
            let events = try await harness.services.database.read { tx in
                try Outbox.entries(after: last, limit: 100, in: tx).map(\.event.resource)
            }
            #expect(Set(events).isSuperset(of: ["/account", "/tracking/items"]))
        }
    }

    @Test("a restore can sign everyone out", arguments: [true, false])
    func restoreEndsSessions(endsSessions: Bool) async throws {
        try await withServer { harness async throws in
            let token = try await harness.join("mia@example.org")
            let folder = try TemporaryFolder()
            try await harness.services.database.backup(to: folder.file("backup.sqlite"))
            _ = try await harness.services.restore(
                from: folder.file("backup.sqlite"), endsSessions: endsSessions)
            harness.clock.advance(seconds: 2)
            let account = try await harness.send(.get, "/account", token: token)
            #expect(account.status == (endsSessions ? .unauthorized : .ok))
            let again = try await harness.send(
                .post, "/session", #"{"email":"mia@example.org","password":"correct horse"}"#)
            #expect(again.status == .created)
        }
    }

    @Test("The server doesn't start with a schema that is newer than its own")
    func newerSchema() async throws {
        let folder = try TemporaryFolder()
        let url = DatabaseURL.sqlite(path: folder.file("homeward.sqlite"))
        let future = Migration(
            module: "future", name: "0001-flying", sql: "CREATE TABLE flying (id {integer}) {strict};")
        let database = try await Database.open(
            url, migrations: Services.migrations + [future], logger: .silent, clock: TestClock()
        )
        await database.close()
        let isRefused: Bool
        do {
            try await withServer(settings: ["HOMEWARD_DATABASE": url.description]) { _ async throws in }
            isRefused = false
        } catch StorageError.schemaNewer(let names) {
            isRefused = names.contains { $0.contains("flying") }
        }
        #expect(isRefused)
    }

    @Test("The secret key and the data are readable for this user only")
    func filePermissions() async throws {
        try await withServer { harness async throws in
            let data = harness.services.settings.dataFolder
            let key = try FileManager.default.attributesOfItem(atPath: "\(data)/secret.key")
            #expect(key[.posixPermissions] as? Int == 0o600)
        }
    }
}

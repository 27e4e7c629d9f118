import Configuration
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import Synchronization
import TestSupport
import Testing

@testable import WebCore

@Suite("Database outages and failovers")
struct OutageTests {
    @Test("While the server waits for its database, it is live and not ready")
    func waiting() async throws {
        let folder = try TemporaryFolder()
        let values = ["HOMEWARD_DATA": folder.path, "HOMEWARD_LISTEN": "127.0.0.1:0"]
        let settings = try ServerSettings(
            ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values)))
        let tries = Mutex(0)
        let statuses = Mutex<[HTTPResponse.Status]>([])
        let result = try await DatabaseWaiter(settings, logger: .silent).open {
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            if number == 1 { throw StorageError.unreachable("starting up") }
            let client = TestClient(host: "127.0.0.1", port: settings.port)
            client.connect()
            for path in ["/health/live", "/health/ready", "/"] {
                let answer = try? await client.get(path)
                statuses.withLock { statuses in if let answer { statuses.append(answer.status) } }
            }
            // It throws if the server didn't listen yet.
            try? await client.shutdown()
            guard statuses.withLock({ $0.count >= 3 }) else { throw AppError(.unavailable, "") }
            return number
        }
        #expect(result >= 2)
        #expect(statuses.withLock { Array($0.suffix(3)) } == [.ok, .serviceUnavailable, .serviceUnavailable])
    }

    @Test("The server doesn't wait when waiting can't help")
    func refusal() async throws {
        let folder = try TemporaryFolder()
        let values = ["HOMEWARD_DATA": folder.path, "HOMEWARD_LISTEN": "127.0.0.1:0"]
        let settings = try ServerSettings(
            ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values)))
        await #expect(throws: StorageError.schemaNewer(["future/0001"])) {
            try await DatabaseWaiter(settings, logger: .silent).open { throw StorageError.schemaNewer(["future/0001"]) }
        }
    }

    @Test("A node whose clock differs from the database's is not ready", arguments: [-60, 0, 60] as [Int64])
    func clock(seconds: Int64) async throws {
        try await withServer(.postgres, machineClock: OffsetClock(aheadBySeconds: seconds)) { harness async throws in
            let answer = try await harness.send(.get, "/health/ready")
            #expect(answer.status == (seconds == 0 ? .ok : .serviceUnavailable))
            let metrics = try await harness.send(.get, "/metrics")
            let text = String(buffer: metrics.body)
            #expect(text.contains("homeward_database_clock_seconds "))
            #expect(text.contains("homeward_outbox_held_seconds 0\n"))
        }
    }

    @Test("Open streams end after a failover that may have lost events", .timeLimit(.minutes(5)))
    func failover() async throws {
        try await withServer(.postgres, .live) { harness async throws in
            let token = try await harness.join("mia@example.org")
            let port = try #require(harness.client.port)
            let listener = TestClient(host: "localhost", port: port)
            listener.connect()
            async let stream = listener.get("/events", headers: [.authorization: "Bearer \(token)"])
            while !harness.server.web.live.hasOpenStream { await Task.yield() }
            try await harness.services.database.write { tx in
                try tx.execute("UPDATE outbox_base SET timeline = 'earlier'")
            }
            _ = try await harness.services.database.read { tx in
                try tx.rows(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """
                ).count
            }
            #expect(try await stream.status == .ok)
            #expect(harness.services.database.status.resets == 1)
            try await listener.shutdown()
        }
    }
}

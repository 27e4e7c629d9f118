import Backups
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Ledger
import NIOCore
import Storage
import TestSupport
import Testing

@testable import Server

@Suite("The metrics of the whole server")
struct MetricSamplerTests {
    private static let outside = LedgerAccountKey(purpose: "outside", holder: "EUR")
    private static let wallet = LedgerAccountKey(purpose: "wallet", holder: "someone")

    private static func topUp(_ services: Services) async throws {
        let now = services.clock.now
        let transfer = Transfer(
            id: ID(at: now, random: services.random), kind: "top-up", at: now, amount: 100, from: outside, to: wallet
        )
        try await services.database.write { [ledger = services.ledger] tx in
            try ledger.open(outside, unit: "EUR", mayOverdraw: true, now: now, in: tx)
            try ledger.open(wallet, unit: "EUR", now: now, in: tx)
            try ledger.post(transfer, in: tx)
        }
    }

    /// The values of `/metrics` by name and labels.
    private static func values(_ harness: ServerHarness) async throws -> [String: Double] {
        let lines = String(buffer: try await harness.send(.get, "/metrics").body).split(separator: "\n")
        let pairs = lines.filter { !$0.hasPrefix("#") }.compactMap { line -> (String, Double)? in
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                return nil
            }
            return (String(line[..<space]), value)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test(
        "The seal's age is that of the newest batch; the oldest transfer outside of one counts",
        arguments: Engine.allCases)
    func ledger(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            #expect(try await Self.values(harness)["homeward_ledger_unsealed_seconds"] == nil)
            await harness.server.sampler.read()
            let empty = try await Self.values(harness)
            #expect(empty["homeward_ledger_unsealed_seconds"] == 0)
            #expect(empty["homeward_ledger_seal_age_seconds"] == nil)

            try await Self.topUp(harness.services)
            harness.clock.advance(seconds: 10)
            try await Self.topUp(harness.services)
            harness.clock.advance(seconds: 20)
            await harness.server.sampler.read()
            #expect(try await Self.values(harness)["homeward_ledger_unsealed_seconds"] == 30)

            try await harness.services.sealer.sealAll()
            await harness.server.sampler.read()
            harness.clock.advance(seconds: 40)
            let sealed = try await Self.values(harness)
            #expect(sealed["homeward_ledger_unsealed_seconds"] == 0)
            #expect(sealed["homeward_ledger_seal_age_seconds"] == 40)
        }
    }

    @Test("Version, database and disk are exported", arguments: Engine.allCases)
    func computer(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            await harness.server.sampler.read()
            let values = try await Self.values(harness)
            let database = engine == .sqlite ? "sqlite" : "postgres"
            #expect(values["homeward_database_up"] == 1)
            #expect(values["homeward_info{version=\"\(Services.version)\",database=\"\(database)\"}"] == 1)
            #expect(try #require(values["homeward_database_bytes"]) > 50_000)
            let (free, size) = (values["homeward_disk_free_bytes"], values["homeward_disk_size_bytes"])
            #expect(try #require(free) > 0 && #require(free) <= #require(size))
            let start = Double(harness.services.clock.now.millisecondsSince1970) / 1_000
            #expect(values["process_start_time_seconds"] == start)
        }
    }

    @Test("Values that can't be read are missing, and the others are still exported")
    func outage() async throws {
        try await withServer { harness async throws in
            await harness.server.sampler.read()
            await harness.services.database.close()
            await harness.server.sampler.read()
            let values = try await Self.values(harness)
            #expect(values["homeward_ledger_unsealed_seconds"] == nil)
            #expect(values["homeward_database_up"] == 0)
            #expect(values["homeward_disk_free_bytes"] != nil)
        }
        #expect((try? DiskSpace(of: "/no/such/folder")) == nil)
    }

    @Test("Each refused sign-in counts under its kind")
    func failedSignIns() async throws {
        try await withServer { harness async throws in
            let token = try await harness.join("mia@example.org")
            let wrong = #"{"email":"mia@example.org","password":"wrong horse battery"}"#
            _ = try await harness.send(.post, "/session", wrong)
            // A form without an email tries no password.
            _ = try await harness.send(.post, "/session", #"{"password":"wrong horse battery"}"#)
            _ = try await harness.send(.post, "/family/sign-in", #"{"code":"no-such-code"}"#)
            let passcode = #"{"passcode":"271828","repeat":"271828"}"#
            #expect(try await harness.send(.put, "/lock/passcode", passcode, token: token).status.code < 300)
            _ = try await harness.send(.post, "/lock/unlocking", #"{"passcode":"000000"}"#, token: token)
            _ = try await harness.send(.post, "/lock/unlocking", #"{"passcode":"271828"}"#, token: token)
            let values = try await Self.values(harness)
            for (kind, count) in [("password", 1.0), ("passkey", 0), ("provider", 0), ("code", 1), ("passcode", 1)] {
                #expect(values["homeward_failed_sign_ins_total{kind=\"\(kind)\"}"] == count, "\(kind)")
            }
        }
    }
}

import Foundation
import Kernel
import Ledger
import Server
import Storage
import TestSupport
import Testing

@Suite("The ledger in the whole server")
struct LedgerServicesTests {
    private static let outside = LedgerAccountKey(purpose: "outside", holder: "EUR")
    private static let wallet = LedgerAccountKey(purpose: "wallet", holder: "someone")

    private static func topUp(_ services: Services, _ amount: Int64) async throws {
        let now = services.clock.now
        let transfer = Transfer(
            id: ID(at: now, random: services.random), kind: "top-up", at: now, amount: amount, from: outside, to: wallet
        )
        try await services.database.write { [ledger = services.ledger] tx in
            try ledger.open(outside, unit: "EUR", mayOverdraw: true, now: now, in: tx)
            try ledger.open(wallet, unit: "EUR", now: now, in: tx)
            try ledger.post(transfer, in: tx)
        }
    }

    @Test("The sealing service seals the rest when it is stopped", arguments: Engine.allCases)
    func sealsAtStop(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            try await Self.topUp(harness.services, 100)
            let sealing = Task { try await LedgerSealingService(harness.services).run() }
            sealing.cancel()
            try await sealing.value
            let result = try await harness.services.verifier.verify()
            #expect(result.isSound)
            #expect(result.batches == 1)
            #expect(result.unsealed == 0)
        }
    }

    @Test("After a restore, the chain ends where the backup's chain ends, and continues from there")
    func restore() async throws {
        try await withServer { harness async throws in
            let services = harness.services
            let folder = try TemporaryFolder()
            try await Self.topUp(services, 100)
            try await services.sealer.sealAll()
            try await services.database.backup(to: folder.file("backup.sqlite"))
            try await Self.topUp(services, 200)
            try await services.sealer.sealAll()

            _ = try await services.restore(from: folder.file("backup.sqlite"))

            let restored = try await services.verifier.verify()
            #expect(restored.findings.isEmpty)
            #expect(restored.batches == 1)
            try await Self.topUp(services, 300)
            let batch = try await services.sealer.seal()
            #expect(batch?.number == 2)
            let result = try await services.verifier.verify()
            #expect(result.findings.isEmpty)
            #expect(result.transfers == 2)
        }
    }

    @Test("A backup whose ledger was made with another key is rejected, and nothing is changed")
    func backupOfAnotherServer() async throws {
        let folder = try TemporaryFolder()
        try await withServer { harness async throws in
            try await Self.topUp(harness.services, 100)
            try await harness.services.database.backup(to: folder.file("other.sqlite"))
        }
        let data = try TemporaryFolder()
        try Data(repeating: 9, count: 32).write(to: URL(fileURLWithPath: data.file("ledger.key")))
        try await withServer(settings: ["HOMEWARD_DATA": data.path]) { harness async throws in
            try await Self.topUp(harness.services, 7)
            await #expect(throws: SettingError.self) {
                _ = try await harness.services.restore(from: folder.file("other.sqlite"))
            }
            let balance = try await harness.services.database.read { [ledger = harness.services.ledger] tx in
                try ledger.balance(of: Self.wallet, in: tx)
            }
            #expect(balance == 7)
            #expect(try await harness.services.verifier.verify().isSound)
        }
    }

    @Test("The server doesn't start with a ledger that was made with another key")
    func otherKey() async throws {
        let data = try TemporaryFolder()
        let settings = ["HOMEWARD_DATA": data.path, "HOMEWARD_DATABASE": "sqlite:\(data.file("homeward.sqlite"))"]
        try await withServer(settings: settings) { harness async throws in try await Self.topUp(harness.services, 1) }
        let key = try FileManager.default.attributesOfItem(atPath: data.file("ledger.key"))
        #expect(key[.posixPermissions] as? Int == 0o600)
        try Data(repeating: 9, count: 32).write(to: URL(fileURLWithPath: data.file("ledger.key")))
        await #expect(throws: SettingError.self) { try await withServer(settings: settings) { _ async throws in } }
    }
}

import Foundation
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@Suite("Sealing")
struct SealingTests {
    /// Returns the batch of each transfer by id; `nil` is unsealed.
    private static func membership(_ fixture: LedgerFixture) async throws -> [String: Int64?] {
        try await fixture.database.read { tx in
            var batches: [String: Int64?] = [:]
            for row in try tx.rows("SELECT id, batch FROM ledger_transfer") {
                batches[try row.get("id")] = try row.get("batch", as: Int64?.self)
            }
            return batches
        }
    }

    private static func membersInBatches(_ fixture: LedgerFixture) async throws -> [[String]] {
        try await fixture.database.read { tx in
            try tx.rows("SELECT members FROM ledger_batch ORDER BY number").map { row in
                let text: String = try row.get("members")
                return text.split(separator: "\n").map(String.init)
            }
        }
    }

    @Test("A batch contains all unsealed transfers and follows the previous batch", arguments: Engine.allCases)
    func batches(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([1_000, 0])
            let first = try await fixture.sealer.seal()
            #expect(first?.number == 1)
            #expect(first?.count == 1)
            let nothing = try await fixture.sealer.seal()
            #expect(nothing == nil)
            fixture.clock.advance(seconds: 5)
            for _ in 0..<3 { try await fixture.post(1, from: wallets[0], to: wallets[1]) }
            let second = try await fixture.sealer.seal()
            #expect(second?.number == 2)
            #expect(second?.count == 3)
            #expect(second?.sealedAt == fixture.clock.now)
            try await fixture.post(1, from: wallets[0], to: wallets[1])
            let result = try await fixture.verify()
            #expect(result.isSound)
            #expect(([result.batches, result.transfers, result.unsealed] as [Int]) == [2, 5, 1])
            let status = try await fixture.database.read { [ledger = fixture.ledger] tx in try ledger.status(in: tx) }
            #expect(status.lastBatch == 2)
            #expect(status.unsealed == 1)
            let totals = try await fixture.database.read { [ledger = fixture.ledger] tx in try ledger.totals(in: tx) }
            #expect(totals.accounts == 3)
            #expect(status.sealedAt == fixture.clock.now)
        }
    }

    @Test("More transfers than a batch holds become several batches", arguments: Engine.allCases)
    func manyBatches(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([1_000_000, 0])
            let count = Limits.ledgerBatch * 2 + 5
            let ids = (0..<count).map { _ in fixture.newID() }
            try await fixture.database.write { [ledger = fixture.ledger, at = fixture.clock.now] tx in
                for id in ids {
                    let transfer = Transfer(
                        id: id, kind: "payment", at: at, amount: 1, from: wallets[0], to: wallets[1])
                    try ledger.post(transfer, in: tx)
                }
            }
            let unsealed = try await fixture.verify()
            #expect(unsealed.isSound)
            #expect(([unsealed.unsealed, unsealed.movements] as [Int]) == [count + 1, 2 * count + 2])
            let sealed = try await fixture.sealer.sealAll()
            #expect(sealed == count + 1)
            let result = try await fixture.verify()
            #expect(result.isSound)
            #expect(([result.batches, result.transfers, result.unsealed] as [Int]) == [3, count + 1, 0])
        }
    }

    @Test("Sealing during writes omits no transfer and seals none twice", arguments: Engine.allCases)
    func besideWriters(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets(Array(repeating: 1_000_000, count: 8))
            let posted = try await withThrowingTaskGroup(of: [String].self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        var ids: [String] = []
                        for step in 0..<(Counts.busyTransfers / 8) {
                            let to = wallets[(writer + 1 + step % 7) % 8]
                            let done = try await fixture.post(1, from: wallets[writer], to: to)
                            ids.append(done.id.description)
                        }
                        return ids
                    }
                }
                // Two sealers share a head file; a third belongs to a node with its own.
                let elsewhere = fixture.folder.file("other.head")
                let other = LedgerSealer(
                    database: fixture.database, ledger: fixture.ledger, anchorFile: elsewhere, clock: fixture.clock,
                    logger: .silent
                )
                for sealer in [fixture.sealer, fixture.sealer, other] {
                    group.addTask {
                        for _ in 0..<(Counts.busyTransfers / 40) { _ = try await sealer.seal() }
                        return []
                    }
                }
                group.addTask {
                    for _ in 0..<4 {
                        let result = try await fixture.verify()
                        #expect(result.findings.isEmpty)
                    }
                    return []
                }
                return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
            }
            #expect(posted.count == Counts.busyTransfers / 8 * 8)
            try await fixture.sealer.sealAll()
            let membership = try await Self.membership(fixture)
            let members = try await Self.membersInBatches(fixture)
            #expect(posted.isSubset(of: Set(membership.keys)))
            #expect(members.joined().count == membership.count)
            #expect(Set(members.joined()) == Set(membership.keys))
            for (index, ids) in members.enumerated() {
                for id in ids where membership[id] != Int64(index + 1) { Issue.record("\(id) is elsewhere") }
            }
            let result = try await fixture.verify()
            #expect(result.findings.isEmpty)
            #expect(result.unsealed == 0)
        }
    }

    @Test("Sealing continues after a restart, even if the head file is outdated", arguments: Engine.allCases)
    func restart(engine: Engine) async throws {
        try await withDatabaseURL(engine, migrations: Ledger.migrations) { url in
            func open() async throws -> Database {
                try await Database.open(url, migrations: Ledger.migrations, logger: .silent, clock: TestClock())
            }
            let first = try await open()
            let fixture = try LedgerFixture(database: first)
            let wallets = try await fixture.wallets([100, 0])
            _ = try await fixture.sealer.seal()
            let old = try Data(contentsOf: URL(fileURLWithPath: fixture.headFile))
            try await fixture.post(1, from: wallets[0], to: wallets[1])
            _ = try await fixture.sealer.seal()
            try await fixture.post(1, from: wallets[0], to: wallets[1])
            // Simulates a power failure between the commit and the file.
            try old.write(to: URL(fileURLWithPath: fixture.headFile))
            await first.close()

            let second = try await open()
            let verifier = LedgerVerifier(database: second, key: fixture.key, anchorFile: fixture.headFile)
            let between = try await verifier.verify()
            #expect(between.isSound)
            let batch = try await fixture.sealer(on: second).seal()
            #expect(batch?.number == 3)
            let result = try await verifier.verify()
            #expect(result.isSound)
            #expect(([result.batches, result.unsealed] as [Int]) == [3, 0])
            await second.close()
        }
    }

    @Test("Sealing fails if the chain was truncated or altered", arguments: Engine.allCases)
    func refusesContradiction(engine: Engine) async throws {
        try await withLedger(engine, migrations: Tampering.openMigrations) { fixture in
            let wallets = try await fixture.wallets([100, 0])
            _ = try await fixture.sealer.seal()
            try await fixture.post(1, from: wallets[0], to: wallets[1])
            _ = try await fixture.sealer.seal()
            try await fixture.database.write { tx in
                try tx.execute("UPDATE ledger_transfer SET batch = NULL WHERE batch = 2")
                try tx.execute("DELETE FROM ledger_batch WHERE number = 2")
            }
            await #expect(throws: LedgerSealError.headContradicts(batch: 2)) { try await fixture.sealer.seal() }
            let cut = try await fixture.verify()
            #expect(cut.findings.map(\.table) == ["ledger_batch"])
            #expect(cut.findings.map(\.row) == ["2"])

            try FileManager.default.removeItem(atPath: fixture.headFile)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE ledger_batch SET sealed_at = sealed_at + 1 WHERE number = 1")
            }
            await #expect(throws: LedgerSealError.damagedBatch(1)) { try await fixture.sealer.seal() }
            try Data("nonsense".utf8).write(to: URL(fileURLWithPath: fixture.headFile))
            await #expect(throws: LedgerSealError.malformedHead) { try await fixture.sealer.seal() }
        }
    }

    @Test("After a restore the head file matches the restored ledger", arguments: Engine.allCases)
    func replacing(engine: Engine) async throws {
        try await withLedger(engine, migrations: Tampering.openMigrations) { fixture in
            let wallets = try await fixture.wallets([100, 0])
            _ = try await fixture.sealer.seal()
            let posted = try await fixture.post(1, from: wallets[0], to: wallets[1])
            let backup = try await fixture.everything()
            _ = try await fixture.sealer.seal()
            // Simulates a restore: the batch is missing and its transfer is unsealed.
            try await fixture.sealer.restoreContents {
                try await fixture.database.write { tx in
                    try tx.execute("DELETE FROM ledger_batch WHERE number = 2")
                    try tx.execute("UPDATE ledger_transfer SET batch = NULL WHERE id = \(posted.id)")
                }
            }
            let restored = try await fixture.everything()
            #expect(restored == backup)
            #expect(try await fixture.verify().isSound)
            let batch = try await fixture.sealer.seal()
            #expect(batch?.number == 2)
            #expect(try await fixture.verify().isSound)
        }
    }
}

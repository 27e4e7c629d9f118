import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@Suite("Reversals")
struct ReversalTests {
    private static func reverse(
        _ fixture: LedgerFixture, _ id: ID<Transfer>, as newID: ID<Transfer>
    ) async throws -> PostedTransfer {
        try await fixture.database.write { [ledger = fixture.ledger, at = fixture.clock.now] tx in
            try ledger.reverse(id, as: newID, kind: "correction", at: at, in: tx)
        }
    }

    @Test("A reversal moves the amounts back, once", arguments: Engine.allCases)
    func reversal(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([500, 0])
            let posted = try await fixture.post(200, from: wallets[0], to: wallets[1], subject: "parcel-1")
            let newID = fixture.newID()

            let reversed = try await Self.reverse(fixture, posted.id, as: newID)
            let again = try await Self.reverse(fixture, posted.id, as: newID)

            #expect(!reversed.isReplay)
            #expect(again.isReplay)
            #expect(try await fixture.balance(wallets[0]) == 500)
            #expect(try await fixture.balance(wallets[1]) == 0)
            let other = fixture.newID()
            await #expect(throws: LedgerError.alreadyReversed(posted.id)) {
                _ = try await Self.reverse(fixture, posted.id, as: other)
            }
            let about = try await fixture.database.read { [ledger = fixture.ledger] tx in
                try ledger.transfers(about: "parcel-1", in: tx)
            }
            #expect(about.map(\.reverses) == [nil, posted.id])
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("A transfer that is unknown, spent or not mirrored can't be reversed", arguments: Engine.allCases)
    func refusals(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([500, 0, 0])
            let posted = try await fixture.post(200, from: wallets[0], to: wallets[1])
            try await fixture.post(1, from: wallets[1], to: wallets[2])
            let before = try await fixture.everything()
            let unknown = fixture.newID()
            let newID = fixture.newID()
            await #expect(throws: LedgerError.unknownTransfer(unknown)) {
                _ = try await Self.reverse(fixture, unknown, as: newID)
            }
            await #expect(throws: LedgerError.insufficientFunds(wallets[1])) {
                _ = try await Self.reverse(fixture, posted.id, as: newID)
            }
            let part = Transfer(
                id: newID, kind: "correction", at: fixture.clock.now, reverses: posted.id,
                legs: [Leg(account: wallets[1], amount: -199), Leg(account: wallets[0], amount: 199)]
            )
            await #expect(throws: LedgerError.notMirrored(posted.id)) { try await fixture.post(part) }
            let after = try await fixture.everything()
            #expect(after == before)
        }
    }

    @Test("Of many concurrent reversals one is posted", arguments: Engine.allCases)
    func reversalRace(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([500, 0])
            for _ in 0..<Counts.races {
                let posted = try await fixture.post(5, from: wallets[0], to: wallets[1])
                let made = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<8 {
                        let newID = fixture.newID()
                        group.addTask {
                            do {
                                _ = try await Self.reverse(fixture, posted.id, as: newID)
                                return true
                            } catch LedgerError.alreadyReversed(posted.id) {
                                return false
                            }
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(made == 1)
            }
            #expect(try await fixture.balance(wallets[0]) == 500)
            #expect(try await fixture.verify().isSound)
        }
    }
}

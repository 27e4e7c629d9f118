import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@Suite("Reversals")
struct ReversalTests {
    private static func reverse(
        _ house: LedgerHouse, _ id: ID<Transfer>, as newID: ID<Transfer>
    ) async throws -> PostedTransfer {
        try await house.database.write { [ledger = house.ledger, at = house.clock.now] tx in
            try ledger.reverse(id, as: newID, kind: "correction", at: at, in: tx)
        }
    }

    @Test("A reversal moves the amounts back, once", arguments: Engine.allCases)
    func reversal(engine: Engine) async throws {
        try await withLedger(engine) { house in
            let wallets = try await house.wallets([500, 0])
            let posted = try await house.post(200, from: wallets[0], to: wallets[1], subject: "parcel-1")
            let newID = house.newID()

            let reversed = try await Self.reverse(house, posted.id, as: newID)
            let again = try await Self.reverse(house, posted.id, as: newID)

            #expect(!reversed.isReplay)
            #expect(again.isReplay)
            #expect(try await house.balance(wallets[0]) == 500)
            #expect(try await house.balance(wallets[1]) == 0)
            let other = house.newID()
            await #expect(throws: LedgerError.alreadyReversed(posted.id)) {
                _ = try await Self.reverse(house, posted.id, as: other)
            }
            let about = try await house.database.read { [ledger = house.ledger] tx in
                try ledger.transfers(about: "parcel-1", in: tx)
            }
            #expect(about.map(\.reverses) == [nil, posted.id])
            #expect(try await house.verify().isSound)
        }
    }

    @Test("A transfer that is unknown, spent or not mirrored can't be reversed", arguments: Engine.allCases)
    func refusals(engine: Engine) async throws {
        try await withLedger(engine) { house in
            let wallets = try await house.wallets([500, 0, 0])
            let posted = try await house.post(200, from: wallets[0], to: wallets[1])
            try await house.post(1, from: wallets[1], to: wallets[2])
            let before = try await house.everything()
            let unknown = house.newID()
            let newID = house.newID()
            await #expect(throws: LedgerError.unknownTransfer(unknown)) {
                _ = try await Self.reverse(house, unknown, as: newID)
            }
            await #expect(throws: LedgerError.insufficientFunds(wallets[1])) {
                _ = try await Self.reverse(house, posted.id, as: newID)
            }
            let part = Transfer(
                id: newID, kind: "correction", at: house.clock.now, reverses: posted.id,
                legs: [Leg(account: wallets[1], amount: -199), Leg(account: wallets[0], amount: 199)]
            )
            await #expect(throws: LedgerError.notMirrored(posted.id)) { try await house.post(part) }
            let after = try await house.everything()
            #expect(after == before)
        }
    }

    @Test("Of many concurrent reversals one is posted", arguments: Engine.allCases)
    func reversalRace(engine: Engine) async throws {
        try await withLedger(engine) { house in
            let wallets = try await house.wallets([500, 0])
            for _ in 0..<Counts.races {
                let posted = try await house.post(5, from: wallets[0], to: wallets[1])
                let made = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<8 {
                        let newID = house.newID()
                        group.addTask {
                            do {
                                _ = try await Self.reverse(house, posted.id, as: newID)
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
            #expect(try await house.balance(wallets[0]) == 500)
            #expect(try await house.verify().isSound)
        }
    }
}

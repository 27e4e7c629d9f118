import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@Suite("Concurrent transfers")
struct ConcurrencyTests {
    /// Posts all transfers concurrently and returns how many didn't fail for lack of funds.
    private static func made(_ fixture: LedgerFixture, _ transfers: [Transfer]) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for transfer in transfers {
                group.addTask {
                    do {
                        return try await !fixture.post(transfer).isReplay
                    } catch LedgerError.insufficientFunds {
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test("Of many concurrent transfers that the balance covers once, one is posted", arguments: Engine.allCases)
    func fundsForOne(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([0, 0])
            for round in 0..<Counts.races {
                try await fixture.post(100, from: .outside, to: wallets[0])
                let transfers = (0..<20).map { _ in
                    Transfer(
                        id: fixture.newID(), kind: "payment", at: fixture.clock.now, amount: 100, from: wallets[0],
                        to: wallets[1]
                    )
                }
                let made = try await Self.made(fixture, transfers)
                #expect(made == 1, "round \(round)")
                #expect(try await fixture.balance(wallets[0]) == 0)
            }
            #expect(try await fixture.balance(wallets[1]) == Int64(Counts.races) * 100)
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Concurrent posts with the same id move the amount once", arguments: Engine.allCases)
    func sameID(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([10_000, 0])
            for _ in 0..<Counts.races {
                let transfer = Transfer(
                    id: fixture.newID(), kind: "payment", at: fixture.clock.now, amount: 7, from: wallets[0],
                    to: wallets[1]
                )
                let made = try await Self.made(fixture, Array(repeating: transfer, count: 16))
                #expect(made == 1)
            }
            #expect(try await fixture.balance(wallets[1]) == Int64(Counts.races) * 7)
        }
    }

    @Test("Concurrent transfers with the same id and different accounts: one conflicts", arguments: Engine.allCases)
    func sameIDElsewhere(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([10_000, 0, 10_000, 0])
            for _ in 0..<Counts.races {
                let id = fixture.newID()
                let outcomes = try await withThrowingTaskGroup(of: LedgerError?.self) { group in
                    for start in [0, 2] {
                        let transfer = Transfer(
                            id: id, kind: "payment", at: fixture.clock.now, amount: 1, from: wallets[start],
                            to: wallets[start + 1]
                        )
                        group.addTask { try await fixture.refusal(transfer) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(outcomes) == [nil, .transferConflict(id)])
            }
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Opposite transfers between the same accounts don't deadlock", arguments: Engine.allCases)
    func opposite(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([50, 50, 50])
            for _ in 0..<Counts.races {
                let transfers = (0..<24).map { index in
                    Transfer(
                        id: fixture.newID(), kind: "payment", at: fixture.clock.now, amount: 10,
                        from: wallets[index % 3], to: wallets[(index + 1 + index % 2) % 3]
                    )
                }
                _ = try await Self.made(fixture, transfers)
                let balances = try await [
                    fixture.balance(wallets[0]), fixture.balance(wallets[1]), fixture.balance(wallets[2]),
                ]
                #expect(balances.reduce(0, +) == 150)
                #expect(balances.allSatisfy { $0 >= 0 })
            }
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Random transfers keep the sum at zero and match a simple model", arguments: Engine.allCases)
    func randomTransfers(engine: Engine) async throws {
        try await withLedger(engine, seed: 20_260_301) { fixture in
            let wallets = try await fixture.wallets([1_000, 2_000, 3_000, 0, 0])
            var model = [1_000, 2_000, 3_000, 0, 0] as [Int64]
            for _ in 0..<Counts.randomTransfers {
                let from = Int(fixture.random.uint64() % 5)
                let to = (from + 1 + Int(fixture.random.uint64() % 4)) % 5
                let amount = Int64(fixture.random.uint64() % 900) + 1
                let transfer = Transfer(
                    id: fixture.newID(), kind: "payment", at: fixture.clock.now, amount: amount, from: wallets[from],
                    to: wallets[to]
                )
                let error = try await fixture.refusal(transfer)
                if model[from] < amount {
                    #expect(error == .insufficientFunds(wallets[from]))
                } else {
                    #expect(error == nil)
                    model[from] -= amount
                    model[to] += amount
                }
            }
            for (wallet, expected) in zip(wallets, model) { #expect(try await fixture.balance(wallet) == expected) }
            #expect(try await fixture.sums() == ["EUR": 0])
            #expect(try await fixture.verify().isSound)
        }
    }
}

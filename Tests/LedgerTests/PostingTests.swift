import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@Suite("Posting transfers")
struct PostingTests {
    @Test("A transfer moves money and keeps the sum at zero", arguments: Engine.allCases)
    func transferMoves(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([10_000, 0])
            let escrow = LedgerAccountKey.escrow(1)
            try await fixture.open([escrow])

            let held = try await fixture.post(700, from: wallets[0], to: escrow, kind: "hold", subject: "parcel-1")
            let paid = try await fixture.post(700, from: escrow, to: wallets[1], kind: "reward", subject: "parcel-1")

            #expect(!held.isReplay)
            #expect(held.balance(of: wallets[0]) == 9_300)
            #expect(held.balance(of: escrow) == 700)
            #expect(held.balance(of: wallets[1]) == nil)
            #expect(paid.legs.map(\.sequence) == [2, 1])
            #expect(try await fixture.balance(wallets[0]) == 9_300)
            #expect(try await fixture.balance(escrow) == 0)
            #expect(try await fixture.balance(wallets[1]) == 700)
            #expect(try await fixture.balance(.outside) == -10_000)
            #expect(try await fixture.sums() == ["EUR": 0])
            let result = try await fixture.verify()
            #expect(result.isSound)
            #expect(result.sums == ["EUR": 0])
            #expect(([result.accounts, result.transfers, result.movements, result.unsealed] as [Int]) == [4, 3, 6, 3])
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let name: String
        let legs: [Leg]
        var kind = "payment"
        var subject: String?
        let error: LedgerError
        var testDescription: String { name }
    }

    private static let rich = LedgerAccountKey(purpose: "wallet", holder: "person-0")
    private static let poor = LedgerAccountKey(purpose: "wallet", holder: "person-1")
    private static let points = LedgerAccountKey(purpose: "points", holder: "child-1")
    private static let unknownHolder = LedgerAccountKey(purpose: "wallet", holder: "unknown")
    private static let full = LedgerAccountKey(purpose: "world", holder: "full")
    private static let empty = LedgerAccountKey(purpose: "world", holder: "empty")

    private static func legs(_ amount: Int64, _ from: LedgerAccountKey, _ to: LedgerAccountKey) -> [Leg] {
        [Leg(account: from, amount: 0 &- amount), Leg(account: to, amount: amount)]
    }

    static let refused: [Refused] = [
        Refused(name: "nothing", legs: [], error: .tooFewLegs),
        Refused(name: "one leg", legs: [Leg(account: rich, amount: 1)], error: .tooFewLegs),
        Refused(
            name: "seventeen legs",
            legs: (0..<17).map { Leg(account: .escrow($0), amount: $0 == 0 ? -16 : 1) }, error: .tooManyLegs),
        Refused(name: "amount 0", legs: legs(0, rich, poor), error: .emptyLeg),
        Refused(
            name: "a sum of 1", legs: [Leg(account: rich, amount: -5), Leg(account: poor, amount: 6)],
            error: .unbalanced),
        Refused(
            name: "a sum that is 0 only modulo 2^64",
            legs: [
                Leg(account: rich, amount: .max), Leg(account: poor, amount: .max), Leg(account: full, amount: 2),
            ], error: .unbalanced),
        Refused(
            name: "an account against itself",
            legs: [
                Leg(account: rich, amount: -5), Leg(account: rich, amount: 5),
            ], error: .accountTwice(rich)),
        Refused(name: "more than there is", legs: legs(10_001, rich, poor), error: .insufficientFunds(rich)),
        Refused(name: "from an empty wallet", legs: legs(1, poor, rich), error: .insufficientFunds(poor)),
        Refused(name: "backwards", legs: legs(-1, rich, poor), error: .insufficientFunds(poor)),
        Refused(
            name: "to an unknown account", legs: legs(1, rich, unknownHolder), error: .unknownAccount(unknownHolder)),
        Refused(
            name: "from an unknown account", legs: legs(1, unknownHolder, rich), error: .unknownAccount(unknownHolder)),
        Refused(name: "euros as points", legs: legs(1, rich, points), error: .unitMismatch),
        Refused(name: "an amount of -2^63", legs: legs(.min, rich, poor), error: .overflow),
        Refused(name: "beyond 2^63-1", legs: legs(1, rich, full), error: .overflow),
        Refused(name: "below -2^63", legs: legs(3, empty, poor), error: .overflow),
        Refused(name: "no kind", legs: legs(1, rich, poor), kind: "", error: .malformed("kind")),
        Refused(name: "a kind in words", legs: legs(1, rich, poor), kind: "A gift", error: .malformed("kind")),
        Refused(name: "no subject", legs: legs(1, rich, poor), subject: "", error: .malformed("subject")),
        Refused(
            name: "a subject of 101 letters", legs: legs(1, rich, poor),
            subject: String(repeating: "x", count: 101), error: .malformed("subject")),
        Refused(name: "a null character", legs: legs(1, rich, poor), subject: "a\0", error: .malformed("subject")),
    ]

    @Test("A transfer that breaks a rule is rejected and changes nothing", arguments: Engine.allCases)
    func refusals(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            _ = try await fixture.wallets([10_000, 0])
            try await fixture.open([Self.points], unit: "points")
            try await fixture.open([Self.full, Self.empty], mayOverdraw: true)
            try await fixture.post(.max, from: Self.empty, to: Self.full)
            let before = try await fixture.everything()
            for refused in Self.refused {
                let transfer = Transfer(
                    id: fixture.newID(), kind: refused.kind, subject: refused.subject, at: fixture.clock.now,
                    legs: refused.legs
                )
                let error = try await fixture.refusal(transfer)
                #expect(error == refused.error, "\(refused.name)")
            }
            let after = try await fixture.everything()
            #expect(after == before)
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Balances can reach both ends of the 64-bit range", arguments: Engine.allCases)
    func extremes(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            try await fixture.open([Self.full, Self.empty], mayOverdraw: true)
            try await fixture.open([Self.rich])
            try await fixture.post(.max, from: Self.empty, to: Self.full)
            try await fixture.post(1, from: Self.empty, to: Self.rich)
            #expect(try await fixture.balance(Self.full) == .max)
            #expect(try await fixture.balance(Self.empty) == .min)
            #expect(try await fixture.sums() == ["EUR": 0])
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Posting the same id again returns the first result, whatever has changed since", arguments: Engine.allCases)
    func replay(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([1_000, 0])
            let id = fixture.newID()
            let first = try await fixture.post(1_000, from: wallets[0], to: wallets[1], id: id)
            let before = try await fixture.everything()
            fixture.clock.advance(seconds: 60)
            // The wallet is empty, so a new transfer would be rejected.
            let again = try await fixture.post(1_000, from: wallets[0], to: wallets[1], id: id)
            #expect(!first.isReplay)
            #expect(again.isReplay)
            #expect(again.legs == first.legs)
            let after = try await fixture.everything()
            #expect(after == before)
        }
    }

    @Test("The same id with other content is a conflict", arguments: Engine.allCases)
    func conflict(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([1_000, 100])
            let id = fixture.newID()
            let at = fixture.clock.now
            try await fixture.post(10, from: wallets[0], to: wallets[1], id: id, subject: "parcel-1")
            let before = try await fixture.everything()
            let others = [
                Transfer(
                    id: id, kind: "payment", subject: "parcel-1", at: at, amount: 11, from: wallets[0], to: wallets[1]),
                Transfer(
                    id: id, kind: "payment", subject: "parcel-1", at: at, amount: 10, from: wallets[1], to: wallets[0]),
                Transfer(
                    id: id, kind: "payment", subject: "parcel-1", at: at, amount: 10, from: .outside, to: wallets[1]),
                Transfer(
                    id: id, kind: "payment", subject: "parcel-2", at: at, amount: 10, from: wallets[0], to: wallets[1]),
                Transfer(id: id, kind: "payment", at: at, amount: 10, from: wallets[0], to: wallets[1]),
                Transfer(
                    id: id, kind: "gift", subject: "parcel-1", at: at, amount: 10, from: wallets[0], to: wallets[1]),
            ]
            for other in others {
                let error = try await fixture.refusal(other)
                #expect(error == .transferConflict(id))
            }
            let after = try await fixture.everything()
            #expect(after == before)
        }
    }

    @Test("An account is opened once, with one unit and one overdraft permission", arguments: Engine.allCases)
    func opening(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            try await fixture.open([Self.rich])
            let before = try await fixture.everything()
            fixture.clock.advance(seconds: 5)
            try await fixture.open([Self.rich])
            let after = try await fixture.everything()
            #expect(after == before)
            await #expect(throws: LedgerError.unitMismatch) { try await fixture.open([Self.rich], unit: "points") }
            await #expect(throws: LedgerError.accountConflict(Self.rich)) {
                try await fixture.open([Self.rich], mayOverdraw: true)
            }
            await #expect(throws: LedgerError.malformed("unit")) { try await fixture.open([Self.poor], unit: "") }
            await #expect(throws: LedgerError.unknownAccount(Self.poor)) { try await fixture.balance(Self.poor) }
            let exists = try await fixture.database.read { [ledger = fixture.ledger] tx in
                try [Self.rich, Self.poor].map { try ledger.exists($0, in: tx) }
            }
            #expect(exists == [true, false])
        }
    }

    @Test(
        "An account key with an invalid format is rejected",
        arguments: [
            ("", "a"), ("wallet", ""), ("Wallet", "a"), ("wal let", "a"), ("wallet", "a b"), ("wallet", "a:b"),
            ("wallet", "ä"), (String(repeating: "w", count: 21), "a"), ("wallet", String(repeating: "a", count: 41)),
        ])
    func malformedKeys(purpose: String, holder: String) async throws {
        try await withLedger(.sqlite) { fixture in
            await #expect(throws: LedgerError.malformed("account")) {
                try await fixture.open([LedgerAccountKey(purpose: purpose, holder: holder)])
            }
        }
    }

    @Test("An account's postings and a subject's transfers can be listed", arguments: Engine.allCases)
    func reading(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            let wallets = try await fixture.wallets([100, 0])
            for amount in Int64(1)...5 {
                fixture.clock.advance(seconds: 1)
                try await fixture.post(amount, from: wallets[0], to: wallets[1], subject: amount > 3 ? "parcel-9" : nil)
            }
            let ledger = fixture.ledger
            let newest = try await fixture.database.read { tx in try ledger.movements(of: wallets[0], limit: 2, in: tx)
            }
            let older = try await fixture.database.read { tx in
                try ledger.movements(of: wallets[0], before: newest.last?.sequence, limit: 10, in: tx)
            }
            #expect(newest.map(\.amount) == [-5, -4])
            #expect(newest.map(\.balanceAfter) == [85, 90])
            #expect(newest.map(\.subject) == ["parcel-9", "parcel-9"])
            #expect(older.map(\.sequence) == [4, 3, 2, 1])
            #expect(older.last?.kind == "top-up")
            let about = try await fixture.database.read { tx in try ledger.transfers(about: "parcel-9", in: tx) }
            #expect(about.map { $0.legs.map(\.amount) } == [[-4, 4], [-5, 5]])
            #expect(about.map(\.kind) == ["payment", "payment"])
        }
    }
}

import Foundation
import Kernel
import Ledger
import Storage
import TestSupport

/// The number of repetitions: few by default, the full counts if `ROUNDS` is set, as in `make soak`.
enum Counts {
    private static let isFull = ProcessInfo.processInfo.environment["ROUNDS"] != nil
    /// Single-byte changes.
    static let tamperings = isFull ? 200 : 56
    /// The rounds of each race test.
    static let races = isFull ? 200 : 10
    /// Random transfers.
    static let randomTransfers = isFull ? 5_000 : 400
    /// Transfers posted during sealing and verification.
    static let busyTransfers = isFull ? 10_000 : 1_200
}

/// A ledger in its own database, with its key and its head file in a temporary folder.
final class LedgerFixture: Sendable {
    let database: Database
    let folder: TemporaryFolder
    let clock = TestClock()
    let random: SeededRandom
    let key: LedgerKey
    let ledger: Ledger

    init(database: Database, seed: UInt64 = 1) throws {
        self.database = database
        folder = try TemporaryFolder()
        random = SeededRandom(seed: seed)
        key = try LedgerKey(bytes: random.bytes(32))
        ledger = Ledger(key: key)
    }

    var headFile: String { folder.file("ledger.head") }
    var sealer: LedgerSealer { sealer(on: database) }

    func sealer(on database: Database) -> LedgerSealer {
        LedgerSealer(database: database, ledger: ledger, anchorFile: headFile, clock: clock, logger: .silent)
    }

    func verify() async throws -> LedgerVerificationResult {
        try await LedgerVerifier(database: database, key: key, anchorFile: headFile).verify()
    }

    func newID() -> ID<Transfer> { ID(at: clock.now, random: random) }

    func open(_ accounts: [LedgerAccountKey], unit: String = "EUR", mayOverdraw: Bool = false) async throws {
        try await database.write { [ledger, clock] tx in
            for account in accounts {
                try ledger.open(account, unit: unit, mayOverdraw: mayOverdraw, now: clock.now, in: tx)
            }
        }
    }

    /// Opens wallets and tops up each with an amount.
    func wallets(_ amounts: [Int64]) async throws -> [LedgerAccountKey] {
        let wallets = amounts.indices.map { LedgerAccountKey(purpose: "wallet", holder: "person-\($0)") }
        try await open(wallets)
        try await open([.outside], mayOverdraw: true)
        for (wallet, amount) in zip(wallets, amounts) where amount > 0 {
            try await post(amount, from: .outside, to: wallet, kind: "top-up")
        }
        return wallets
    }

    @discardableResult
    func post(
        _ amount: Int64, from: LedgerAccountKey, to: LedgerAccountKey, kind: String = "payment",
        id: ID<Transfer>? = nil, subject: String? = nil
    ) async throws -> PostedTransfer {
        try await post(
            Transfer(
                id: id ?? newID(), kind: kind, subject: subject, at: clock.now, amount: amount, from: from, to: to
            )
        )
    }

    @discardableResult
    func post(_ transfer: Transfer) async throws -> PostedTransfer {
        try await database.write { [ledger] tx in try ledger.post(transfer, in: tx) }
    }

    func balance(_ account: LedgerAccountKey) async throws -> Int64 {
        try await database.read { [ledger] tx in try ledger.balance(of: account, in: tx) }
    }

    func sums() async throws -> [String: Int128] {
        try await database.read { [ledger] tx in try ledger.totals(in: tx).sums }
    }

    /// Returns all rows of the ledger, for comparisons.
    func everything() async throws -> [[[SQLValue]]] {
        try await database.read { tx in
            try LedgerTable.all.map { table in
                let rows = try tx.rows(SQL(stringLiteral: "SELECT * FROM \(table.name) ORDER BY \(table.order)"))
                return try rows.map { row in try table.columns.map { try row.get($0, as: SQLValue.self) } }
            }
        }
    }

    /// Returns the error of posting a transfer; `nil` if it succeeds.
    func refusal(_ transfer: Transfer) async throws -> LedgerError? {
        do {
            try await post(transfer)
            return nil
        } catch let error as LedgerError {
            return error
        }
    }
}

extension LedgerAccountKey {
    static let outside = LedgerAccountKey(purpose: "outside", holder: "EUR")

    static func escrow(_ number: some CustomStringConvertible) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "escrow", holder: "parcel-\(number)")
    }
}

/// The ledger's tables with their keys and columns.
struct LedgerTable: Sendable {
    let name: String
    let keys: [String]
    let columns: [String]
    var order: String { keys.joined(separator: ", ") }

    static let all = [
        LedgerTable(
            name: "ledger_account", keys: ["id"],
            columns: ["id", "unit", "may_overdraw", "balance", "movements", "opened_at", "digest"]
        ),
        LedgerTable(
            name: "ledger_transfer", keys: ["id"],
            columns: ["id", "kind", "subject", "at", "reverses", "legs", "digest", "batch"]
        ),
        LedgerTable(
            name: "ledger_posting", keys: ["account", "sequence"],
            columns: ["account", "sequence", "transfer", "amount", "balance_after"]
        ),
        LedgerTable(
            name: "ledger_batch", keys: ["number"],
            columns: ["number", "previous", "members", "digest", "count", "sealed_at", "signature"]
        ),
    ]
}

/// Runs `body` with a ledger in a new database and closes it.
@discardableResult
func withLedger<T>(
    _ engine: Engine, seed: UInt64 = 1, migrations: [Migration] = Ledger.migrations,
    _ body: (LedgerFixture) async throws -> T
) async throws -> T {
    try await withDatabase(engine, migrations: migrations) { database in
        try await body(LedgerFixture(database: database, seed: seed))
    }
}

extension PostedTransfer {
    /// Returns the balance of `account` after the transfer; `nil` if it has no posting.
    func balance(of account: LedgerAccountKey) -> Int64? { legs.first { $0.account == account }?.balanceAfter }
}

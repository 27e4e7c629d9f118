import Foundation
import Kernel
import Ledger
import Storage
import TestSupport

/// How much the tests repeat: few rounds by default, the full counts where `ROUNDS` is set, as `make soak` does.
enum Counts {
    private static let isFull = ProcessInfo.processInfo.environment["ROUNDS"] != nil
    /// Single bytes changed, one after the other.
    static let tamperings = isFull ? 200 : 56
    /// Races between transfers.
    static let races = isFull ? 200 : 10
    /// Transfers moved at random.
    static let randomTransfers = isFull ? 5_000 : 400
    /// Transfers posted while others seal and verify.
    static let busyTransfers = isFull ? 10_000 : 1_200
}

/// A ledger in a database of its own, with its key and its head in a folder of its own.
final class LedgerHouse: Sendable {
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

    func verify() async throws -> LedgerReport {
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

    /// Opens wallets with something in each; what is in them came from outside.
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
        try await database.read { [ledger] tx in try ledger.status(in: tx).sums }
    }

    /// All that the ledger keeps, to see that nothing was changed.
    func everything() async throws -> [[[SQLValue]]] {
        try await database.read { tx in
            try LedgerTable.all.map { table in
                let rows = try tx.rows(SQL(stringLiteral: "SELECT * FROM \(table.name) ORDER BY \(table.order)"))
                return try rows.map { row in try table.columns.map { try row.get($0, as: SQLValue.self) } }
            }
        }
    }

    /// What the ledger refuses a transfer with; `nil` when it takes it.
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

/// The ledger's tables as the tests look at them.
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

/// Gives `body` a ledger in a new database, closed afterwards.
@discardableResult
func withLedger<T>(
    _ engine: Engine, seed: UInt64 = 1, migrations: [Migration] = Ledger.migrations,
    _ body: (LedgerHouse) async throws -> T
) async throws -> T {
    try await withDatabase(engine, migrations: migrations) { database in
        try await body(LedgerHouse(database: database, seed: seed))
    }
}

extension PostedTransfer {
    /// The balance that `account` had after the transfer; `nil` when it had no part in it.
    func balance(of account: LedgerAccountKey) -> Int64? { legs.first { $0.account == account }?.balanceAfter }
}

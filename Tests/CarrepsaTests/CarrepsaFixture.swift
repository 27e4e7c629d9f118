import Accounts
import Foundation
import Jobs
import Kernel
import Ledger
import Notifications
import Pictures
import Storage
import TestSupport
import Testing

@testable import Carrepsa

/// The number of repetitions: few by default; `make soak` sets the full counts.
enum Counts {
    private static func number(_ name: String, orElse standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
    }

    /// The rounds of each race test.
    static let races = number("HOMEWARD_TEST_RACE_ROUNDS", orElse: 12)
    /// The actions of the model test.
    static let actions = number("HOMEWARD_TEST_MODEL_DEEDS", orElse: 500)
    /// The packages and trips that the search by detour is compared with.
    static let detourPackages = number("HOMEWARD_TEST_DETOUR_PACKAGES", orElse: 1_500)
    static let detourTrips = number("HOMEWARD_TEST_DETOUR_TRIPS", orElse: 15)
    /// The seed of the model test. The same seed repeats a run.
    static let modelSeed = UInt64(number("HOMEWARD_TEST_MODEL_SEED", orElse: 20_260_301))
}

/// `CarrepsaServices` with their dependencies and helpers.
struct CarrepsaFixture: Sendable {
    static let migrations =
        JobQueue.migrations + PictureLibrary.migrations + AccountServices.migrations + NotificationService.migrations
        + Ledger.migrations + CarrepsaServices.migrations
    static let welcome: Int64 = 100_00

    let database: Database
    let clock: TestClock
    let random: SeededRandom
    let ledger: Ledger
    let carrepsa: CarrepsaServices
    let secrets: SecretBox
    private let key: LedgerKey
    private let folder: TemporaryFolder

    init(
        _ database: Database, clock: TestClock, welcome: Int64 = Self.welcome, demandsConfirmedEmail: Bool = false,
        limitFactor: Int = Limits.limitFactorMaximum, seed: UInt64 = 7
    ) throws {
        self.database = database
        self.clock = clock
        random = SeededRandom(seed: seed)
        folder = try TemporaryFolder()
        key = try LedgerKey(bytes: [UInt8](repeating: 5, count: 32))
        ledger = Ledger(key: key)
        secrets = try SecretBox(key: [UInt8](repeating: 3, count: 32))
        carrepsa = CarrepsaServices(
            database: database, ledger: ledger, secrets: secrets,
            currency: .euro, welcomeAmountMinor: welcome, demandsConfirmedEmail: demandsConfirmedEmail,
            limitFactor: limitFactor, clock: clock, random: random, logger: .silent
        )
    }

    var now: Instant { clock.now }

    /// Creates an account and returns its actor.
    func person(
        _ name: String = "Ada", phone: String? = "+4930123456", isOperator: Bool = false, isChild: Bool = false,
        email: String? = nil
    ) async throws -> Actor {
        let person = PersonID(at: now, random: random)
        let now = now
        try await database.write { tx in
            let email = isChild || email == "" ? nil : email ?? "\(person)@example.org"
            try tx.execute(
                """
                INSERT INTO account (id, role, email, email_key, name, phone, theme, is_operator, created_at)
                VALUES (\(person), \(isChild ? "child" : "adult"), \(email), \(email), \(name), \(phone), 'standard',
                    \(isOperator), \(now))
                """
            )
        }
        return Actor(person: person, session: ID(at: now, random: random), role: isChild ? .child : .adult)
    }

    func people(_ count: Int) async throws -> [Actor] {
        var people: [Actor] = []
        for index in 0..<count {
            let actor = try await person("Person \(index)")
            try await carrepsa.memberships.ensureWallet(of: actor)
            people.append(actor)
        }
        return people
    }

    func picture(of actor: Actor) async throws -> ID<Picture> {
        try await database.addPicture(of: actor.person, at: now, random: random)
    }

    // MARK: Actions

    static func parcel(reward: Int64 = 5_00, moneyLock: Int64 = 20_00, deadline: Instant? = nil) -> PackageInput {
        PackageInput(
            title: "A box of books", from: "Lübeck, Holstentor", to: "Kiel", weightGrams: 2_500, reward: reward,
            moneyLock: moneyLock, deadline: deadline
        )
    }

    func post(
        by owner: Actor, reward: Int64 = 5_00, moneyLock: Int64 = 20_00, deadline: Instant? = nil
    ) async throws -> ID<Package> {
        let input = Self.parcel(reward: reward, moneyLock: moneyLock, deadline: deadline)
        return try await carrepsa.packages.create(input, by: Change(actor: owner)).package.id
    }

    func accepted(by carrier: Actor, of owner: Actor, deadline: Instant? = nil) async throws -> ID<Package> {
        let id = try await post(by: owner, deadline: deadline)
        _ = try await carrepsa.acceptances.accept(id, by: Change(actor: carrier))
        return id
    }

    func travelling(by carrier: Actor, of owner: Actor) async throws -> ID<Package> {
        let id = try await accepted(by: carrier, of: owner)
        _ = try await carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: owner))
        return id
    }

    /// Decides a dispute after owner and carrier have written, and has both accept the decision.
    func settle(
        _ id: ID<Package>, _ outcome: DisputeOutcome, split: MoneySplit? = nil, by administrator: Actor,
        between owner: Actor, and carrier: Actor
    ) async throws {
        try await decide(id, outcome, split: split, by: administrator, between: owner, and: carrier)
        for party in [owner, carrier] {
            _ = try await carrepsa.disputes.acceptDecision(id, by: Change(actor: party))
        }
    }

    /// Decides a dispute after owner and carrier have written.
    func decide(
        _ id: ID<Package>, _ outcome: DisputeOutcome, split: MoneySplit? = nil, by administrator: Actor,
        between owner: Actor, and carrier: Actor
    ) async throws {
        let awaited = try await carrepsa.packages.details(of: id, for: owner).dispute?.awaited
        if let awaited {
            _ = try await carrepsa.disputes.addStatement(
                id, text: "I did my part", by: Change(actor: awaited == .owner ? owner : carrier))
        }
        _ = try await carrepsa.disputes.decide(
            id, outcome: outcome, split: split, note: "Seen the receipt", by: Change(actor: administrator))
    }

    func command(
        _ action: PackageAction, _ package: ID<Package>, by initiator: PackageCommand.Initiator
    ) -> PackageCommand {
        PackageCommand(action, on: package, by: initiator, now: now, random: random)
    }

    /// Executes a command like a service, for actions and initiators that no service combines.
    func execute(_ command: PackageCommand, scope: IdempotencyScope? = nil) async throws {
        try await carrepsa.commands.execute(command, status: 200, scope: scope) { _, _ in () }
    }

    /// Pays money in from outside: unlike the welcome amount, it can be paid out.
    func topUp(_ amount: Int64, _ actor: Actor) async throws {
        _ = try await carrepsa.payments.topUp(
            email: actor.person.description, amountMinor: amount, transferID: ID<Transfer>(at: now, random: random))
    }

    // MARK: State

    func balance(_ actor: Actor) async throws -> Int64 { try await carrepsa.wallets.wallet(of: actor).balance }

    func balances(_ actors: Actor...) async throws -> [Int64] {
        var balances: [Int64] = []
        for actor in actors { balances.append(try await balance(actor)) }
        return balances
    }

    func stored(_ id: ID<Package>) async throws -> StoredPackage? {
        try await database.read { tx in try PackageStore.find(id, in: tx) }
    }

    func state(_ id: ID<Package>) async throws -> PackageState? { try await stored(id)?.state }

    func titles(_ listing: PackageListing, _ actor: Actor, past: Bool? = nil) async throws -> [String] {
        try await carrepsa.packages.list(listing, for: actor, past: past, after: nil, limit: 200).items.map(\.title)
    }

    func ids(_ listing: PackageListing, _ actor: Actor, past: Bool? = nil) async throws -> [ID<Package>] {
        try await carrepsa.packages.list(listing, for: actor, past: past, after: nil, limit: 200).items.map(\.id)
    }

    /// Returns all events except those of notification feeds.
    func events() async throws -> [ChangeEvent] {
        try await database.events().filter { $0.kind != "notification" }
    }

    func count(_ table: SQL) async throws -> Int { try await database.count(table) }

    /// Returns all rows about a person's money, events, requests and packages.
    func traces(of actor: Actor) async throws -> [String] {
        let wallet = CarrepsaLedgerAccounts.wallet(actor.person)
        return try await database.read { tx in
            let queries: [SQL] = [
                "SELECT id, unit, balance, movements, opened_at, digest FROM ledger_account WHERE id = \(wallet)",
                "SELECT account, sequence, transfer, amount, balance_after FROM ledger_posting WHERE account = \(wallet)",
                "SELECT sequence, kind, resource FROM outbox WHERE audience = \(actor.person)",
                "SELECT scope, resource FROM idempotency WHERE person = \(actor.person)",
                "SELECT package_id, number FROM carrepsa_story WHERE person_id = \(actor.person)",
                "SELECT id, version FROM carrepsa_package WHERE carrier_id = \(actor.person)",
            ]
            return try queries.flatMap { query in try tx.rows(query).map { "\($0)" } }
        }
    }

    /// Deletes an account, as its owner does.
    func erase(_ actor: Actor) async throws {
        try await database.write { [carrepsa] tx in
            try carrepsa.dataHandler.erase(actor.person, in: tx)
            try tx.execute("DELETE FROM account WHERE id = \(actor.person)")
        }
    }

    /// Checks the invariants: all balances add up to zero, no wallet is negative, each escrow account holds what the
    /// package's state requires, and no wallet or escrow has more welcome money than money.
    func checkMoney(_ location: SourceLocation = #_sourceLocation) async throws {
        let (sum, least, wrong, tainted) = try await database.read { tx -> (Int64, Int64, [String], [String]) in
            let sum: Int64? = try tx.row("SELECT COALESCE(SUM(balance), 0) AS n FROM ledger_account")?.get("n")
            let least: Int64? = try tx.row(
                "SELECT COALESCE(MIN(balance), 0) AS n FROM ledger_account WHERE may_overdraw = 0"
            )?.get("n")
            let rows = try tx.rows(
                """
                SELECT p.id, p.state FROM carrepsa_package p JOIN ledger_account a ON a.id = 'escrow:' || p.id
                WHERE a.balance <> p.reward_held * p.reward
                    + CASE WHEN p.state IN ('accepted', 'travelling') THEN p.money_lock ELSE 0 END
                """
            )
            let parts = try tx.rows(
                """
                SELECT a.id FROM ledger_account a
                JOIN ledger_account w ON w.id = 'wallet:' || substr(a.id, 9) OR w.id = 'escrow:' || substr(a.id, 16)
                    OR w.id = 'escrow:' || substr(a.id, 17)
                WHERE a.id LIKE 'welcome%' AND a.balance > w.balance
                """
            )
            return (
                sum ?? 0, least ?? 0, try rows.map { "\(try $0.get("id", as: String.self))" },
                try parts.map { "\(try $0.get("id", as: String.self))" }
            )
        }
        #expect(tainted.isEmpty, sourceLocation: location)
        #expect(sum == 0, sourceLocation: location)
        #expect(least >= 0, sourceLocation: location)
        #expect(wrong.isEmpty, sourceLocation: location)
    }

    /// Verifies the whole ledger.
    func verify() async throws -> LedgerVerificationResult {
        try await LedgerVerifier(database: database, key: key, anchorFile: folder.file("ledger.head")).verify()
    }
}

/// Runs `body` with a fixture on a new database.
/// - Parameter limitFactor: multiplies what one person accepts in a day. Most tests have few people.
func withFixture(
    _ engine: Engine, welcome: Int64 = CarrepsaFixture.welcome, demandsConfirmedEmail: Bool = false,
    limitFactor: Int = Limits.limitFactorMaximum,
    _ body: (CarrepsaFixture) async throws -> Void
) async throws {
    let clock = TestClock()
    try await withDatabase(engine, migrations: CarrepsaFixture.migrations, clock: clock) { database in
        try await body(
            try CarrepsaFixture(
                database, clock: clock, welcome: welcome, demandsConfirmedEmail: demandsConfirmedEmail,
                limitFactor: limitFactor))
    }
}

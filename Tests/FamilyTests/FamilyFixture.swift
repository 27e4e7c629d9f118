import Foundation
import Jobs
import Kernel
import Ledger
import Notifications
import Pictures
import Storage
import TestSupport
import Testing

@testable import Accounts
@testable import Family

/// The number of repetitions in tests: few by default, more with `make soak`.
enum Counts {
    private static func number(_ name: String, orElse standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
    }

    /// The rounds of each race.
    static let races = number("HOMEWARD_TEST_RACE_ROUNDS", orElse: 8)
    /// The days of a rotation with random pauses.
    static let rotationDays = number("HOMEWARD_TEST_ROTATION_DAYS", orElse: 60)
    /// The actions of the model test.
    static let actions = number("HOMEWARD_TEST_MODEL_DEEDS", orElse: 200)
    /// The seed of the model test: the same seed repeats a run.
    static let modelSeed = UInt64(number("HOMEWARD_TEST_MODEL_SEED", orElse: 20_260_301))
}

/// Family's services with their dependencies on a test database.
struct FamilyFixture: Sendable {
    static let migrations =
        JobQueue.migrations + PictureLibrary.migrations + AccountServices.migrations + NotificationService.migrations
        + Ledger.migrations + FamilyServices.migrations
    static let url = "https://home.example"

    let database: Database
    let clock: TestClock
    let random: SeededRandom
    let ledger: Ledger
    let accounts: AccountServices
    let dataHandler: FamilyDataHandler
    let family: FamilyServices
    private let key: LedgerKey
    private let folder: TemporaryFolder

    init(_ database: Database, clock: TestClock, seed: UInt64 = 7, mail: MailSettings? = nil) throws {
        self.database = database
        self.clock = clock
        random = SeededRandom(seed: seed)
        folder = try TemporaryFolder()
        key = try LedgerKey(bytes: [UInt8](repeating: 5, count: 32))
        ledger = Ledger(key: key)
        dataHandler = FamilyDataHandler()
        accounts = AccountServices(
            database: database, siteURL: Self.url, mail: mail, dataHandlers: [dataHandler], clock: clock,
            random: random,
            logger: .silent, hasher: ScryptHasher(random: random, costExponent: 4)
        )
        family = FamilyServices(
            database: database, accounts: accounts, ledger: ledger, dataHandler: dataHandler, siteURL: Self.url,
            clock: clock, random: random, logger: .silent
        )
    }

    var now: Instant { clock.now }

    // MARK: People

    /// Creates a signed-in adult.
    func grownUp(_ name: String = "Ada", dateOfBirth: String? = "1985-05-01") async throws -> Actor {
        let person = PersonID(at: now, random: random)
        let now = now
        let email = "\(person)@example.org"
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO account (id, role, email, email_key, name, date_of_birth, theme, created_at)
                VALUES (\(person), 'adult', \(email), \(email), \(name), \(dateOfBirth), 'standard', \(now))
                """
            )
        }
        let actor = Actor(person: person, session: ID(at: now, random: random), role: .adult)
        try await openSession(of: actor)
        return actor
    }

    private func openSession(of actor: Actor) async throws {
        let now = now
        try await database.write { tx in
            let digest = Array("\(actor.session)".utf8)
            try tx.execute(
                """
                INSERT INTO session (id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at)
                VALUES (\(actor.session), \(actor.person), \(digest), 'bearer', 'Phone', 'password', \(now), \(now))
                """
            )
        }
    }

    /// Creates a parent with their own household.
    func parent(_ name: String = "Ada") async throws -> Actor {
        let actor = try await grownUp(name)
        try await family.households.createIfMissing(for: actor)
        return actor
    }

    /// Creates another parent in `first`'s household.
    func parent(_ name: String, with first: Actor) async throws -> Actor {
        // A parent joins later than the one who created the household.
        clock.advance(milliseconds: 1)
        let actor = try await grownUp(name)
        let invitation = try await invite(by: first)
        _ = try await family.invitationAcceptances.accept(
            invitation.code, clientAddress: "192.0.2.1", by: Change(actor: actor))
        return actor
    }

    // MARK: Actions that require a proof

    /// Stores a proof for one action of the session, as the confirmation page does.
    func prove(_ act: SensitiveAct, _ actor: Actor) async throws {
        let now = now
        try await database.write { tx in
            try ProofStore.insert(act, of: actor.session, now: now, in: tx)
        }
    }

    /// Creates an invitation with a proof.
    func invite(by actor: Actor) async throws -> Invitation {
        try await prove(.inviteParent, actor)
        return try await family.invitations.create(by: Change(actor: actor))
    }

    /// Removes a parent, or the actor themselves, with a proof. A child gets no proof.
    func remove(_ parent: PersonID, by change: Change) async throws {
        if change.actor.role == .adult {
            try await prove(parent == change.actor.person ? .leaveFamily : .removeParent, change.actor)
        }
        try await family.parents.remove(parent, by: change)
    }

    /// Removes a parent, or the actor themselves, with a proof.
    func remove(_ parent: PersonID, by actor: Actor) async throws {
        try await remove(parent, by: Change(actor: actor))
    }

    /// Announces the removal of a parent with a proof.
    @discardableResult
    func announceRemoval(of parent: PersonID, by actor: Actor) async throws -> Parent {
        try await prove(.removeParent, actor)
        return try await family.removals.announce(of: parent, by: Change(actor: actor))
    }

    /// Advances the clock until each present parent can announce a removal.
    func passMembershipTime() { clock.advance(seconds: Limits.removalMembershipSeconds) }

    static let profile = ChildProfile(name: "Kim", dateOfBirth: "2016-02-29")

    func child(_ name: String = "Kim", of parent: Actor) async throws -> PersonID {
        clock.advance(milliseconds: 1)
        let profile = ChildProfile(name: name, dateOfBirth: "2016-02-29")
        return try await family.children.create(profile, by: Change(actor: parent)).id
    }

    /// Returns the child as an actor, without a session.
    func asking(_ child: PersonID) -> Actor {
        Actor(person: child, session: ID(at: now, random: random), role: .child)
    }

    /// Signs in a device of the child by a code.
    func signedIn(_ child: PersonID, of parent: Actor, device: String = "Tablet") async throws -> SignedIn {
        let code = try await family.signInCodes.create(for: child, by: Change(actor: parent)).code
        return try await family.childSignIns.signIn(code: code, device: Self.device(device)).signedIn
    }

    static func device(_ name: String = "Tablet", address: String = "192.0.2.7") -> DeviceInfo {
        DeviceInfo(name: name, kind: .bearer, clientAddress: address)
    }

    /// Returns one of 65,536 addresses: wrong codes are counted for each address, and the races send many.
    static func address(_ number: Int) -> String { "10.0.\(number >> 8 & 255).\(number & 255)" }

    // MARK: Resources

    func picture(of person: PersonID) async throws -> ID<Picture> {
        try await database.addPicture(of: person, at: now, random: random)
    }

    func chore(_ name: String = "Dishes", of parent: Actor) async throws -> ID<Chore> {
        clock.advance(milliseconds: 1)
        let input = ChoreInput(name: name, pictureID: try await picture(of: parent.person))
        return try await family.chores.create(input, by: Change(actor: parent)).chore.id
    }

    func chores(_ count: Int, of parent: Actor) async throws -> [ID<Chore>] {
        var chores: [ID<Chore>] = []
        for index in 0..<count { chores.append(try await chore("Chore \(index)", of: parent)) }
        return chores
    }

    /// Adds a reward to the shop.
    @discardableResult
    func reward(
        _ name: String = "Cinema", price: Int64 = 5, stock: Int64? = nil, for children: [PersonID]? = nil,
        cooldownDays: Int64? = nil, needsApproval: Bool = true, by parent: Actor
    ) async throws -> ShopReward {
        clock.advance(milliseconds: 1)
        let input = ShopRewardInput(
            name: name, price: price, stock: stock, children: children?.map(\.description),
            cooldownDays: cooldownDays, needsApproval: needsApproval)
        return try await family.shop.create(input, by: Change(actor: parent))
    }

    /// Gives a child points for new chores, at most 3 for each.
    func give(_ points: Int64, to child: PersonID, by parent: Actor) async throws {
        var rest = points
        while rest > 0 {
            let chore = try await chore(of: parent)
            _ = try await family.assignments.assign(.each([chore], min(rest, 3)), to: child, by: Change(actor: parent))
            rest -= 3
        }
    }

    /// Buys a reward as the child.
    @discardableResult
    func buy(_ reward: ShopReward, _ child: PersonID) async throws -> Purchase {
        clock.advance(milliseconds: 1)
        return try await family.purchases.buy(reward.id, for: child, by: Change(actor: asking(child)))
    }

    func spendable(_ child: PersonID, _ actor: Actor) async throws -> Int64? {
        try await family.children.child(child, for: actor).spendablePoints
    }

    static let tenPoints = ContractInput(
        maxPoints: 10, description: "For the summer",
        levels: [
            LevelInput(reward: "Ice cream", points: 3), LevelInput(reward: "Cinema", points: 3),
            LevelInput(reward: "Bicycle", points: 4),
        ]
    )

    // MARK: Results

    func points(_ child: PersonID, _ actor: Actor) async throws -> [Int64] {
        let child = try await family.children.child(child, for: actor)
        return [child.gainedPoints, child.achievementPoints, Int64(child.prizeLevel)]
    }

    /// Returns all events so far, except those of notifications.
    func events() async throws -> [ChangeEvent] {
        try await database.events().filter { $0.kind != "notification" }
    }

    /// Returns the events that `body` publishes for each person, as `kind resource`.
    func told(_ body: () async throws -> Void) async throws -> [PersonID: Set<String>] {
        let before = try await events().count
        try await body()
        return try await events().dropFirst(before).reduce(into: [:]) { told, event in
            told[event.audience, default: []].insert("\(event.kind) \(event.resource)")
        }
    }

    /// Returns how SQLite finds the rows of a query.
    func plan(of query: SQL) async throws -> String {
        try await database.read { tx in
            try tx.rows("EXPLAIN QUERY PLAN \(sql: query)").map { try $0.get("detail", as: String.self) }
                .joined(separator: "\n")
        }
    }

    func count(_ table: SQL) async throws -> Int { try await database.count(table) }

    /// Checks the invariants: the sum of all points is zero, no account of a child is below zero, and the balances
    /// match the assignments and the purchases.
    func checkPoints(_ location: SourceLocation = #_sourceLocation) async throws {
        let (sum, least, wrong) = try await database.read { tx -> (Int64, Int64, Int) in
            let sum: Int64? = try tx.row("SELECT COALESCE(SUM(balance), 0) AS n FROM ledger_account")?.get("n")
            let least: Int64? = try tx.row(
                "SELECT COALESCE(MIN(balance), 0) AS n FROM ledger_account WHERE may_overdraw = 0"
            )?.get("n")
            let children = try tx.rows(
                """
                SELECT m.person_id FROM family_member m JOIN ledger_account l ON l.id = 'achievement:' || m.person_id
                LEFT JOIN ledger_account s ON s.id = 'spent:' || m.person_id
                WHERE l.balance + COALESCE(s.balance, 0) <> (SELECT COALESCE(SUM(a.points), 0)
                        FROM family_assignment a WHERE a.child_id = m.person_id AND a.reversed_at IS NULL)
                    OR COALESCE(s.balance, 0) <> (SELECT COALESCE(SUM(p.price), 0) FROM family_purchase p
                        WHERE p.child_id = m.person_id AND p.state IN ('waiting', 'approved'))
                """
            )
            let contracts = try tx.rows(
                """
                SELECT c.id FROM family_contract c JOIN ledger_account l ON l.id = 'contract:' || c.id
                WHERE l.balance <> (SELECT COALESCE(SUM(a.points), 0) FROM family_assignment a
                    WHERE a.contract_id = c.id AND a.reversed_at IS NULL)
                """
            )
            return (sum ?? 0, least ?? 0, children.count + contracts.count)
        }
        #expect(sum == 0, sourceLocation: location)
        #expect(least >= 0, sourceLocation: location)
        #expect(wrong == 0, sourceLocation: location)
        let report = try await LedgerVerifier(
            database: database, key: key, anchorFile: folder.file("ledger.head")
        ).verify()
        #expect(report.isSound, sourceLocation: location)
    }
}

/// Runs `body` with a new store.
func withFixture(
    _ engine: Engine, mail: MailSettings? = nil, _ body: (FamilyFixture) async throws -> Void
) async throws {
    let clock = TestClock()
    try await withDatabase(engine, migrations: FamilyFixture.migrations, clock: clock) { database in
        try await body(try FamilyFixture(database, clock: clock, mail: mail))
    }
}

extension [AssignmentInput] {
    /// Returns assignments with the same points for each chore.
    static func each(_ chores: [ID<Chore>], _ points: Int64) -> [AssignmentInput] {
        chores.map { AssignmentInput(choreID: $0, points: points) }
    }
}

import Accounts
import Crypto
import Foundation
import Hologram
import Jobs
import Kernel
import Logging
import Notifications
import Objects
import Pictures
import Quotas
import Storage
import TestSupport
import Tracking

/// The services with all their dependencies.
struct TrackingFixture: Sendable {
    static let migrations =
        JobQueue.migrations + PictureLibrary.migrations + AccountServices.migrations + NotificationService.migrations
        + TrackingServices.migrations

    let database: Database
    let clock: TestClock
    let random: SeededRandom
    let tracking: TrackingServices
    let secrets: SecretBox
    let objects: any ObjectStore
    let pictures: PictureLibrary
    private let folder: TemporaryFolder
    private let hologram: HologramConfiguration

    /// - Parameter objects: The store for archived fixes; `nil` for a folder.
    init(
        _ database: Database, clock: TestClock, hologram: HologramConfiguration = HologramConfiguration(),
        objects: (any ObjectStore)? = nil
    ) throws {
        self.hologram = hologram
        self.database = database
        self.clock = clock
        random = SeededRandom(seed: 7)
        folder = try TemporaryFolder()
        secrets = try SecretBox(key: [UInt8](repeating: 3, count: 32))
        self.objects = try objects ?? FolderObjectStore(folder: folder.file("objects"))
        pictures = Self.pictures(database, clock: clock, random: random, objects: self.objects)
        tracking = Self.tracking(
            database, clock: clock, random: random, secrets: secrets, objects: self.objects, hologram: hologram)
    }

    private static func pictures(
        _ database: Database, clock: TestClock, random: SeededRandom, objects: any ObjectStore
    ) -> PictureLibrary {
        PictureLibrary(
            database: database, objects: objects, worker: PictureWorker(executable: "/nonexistent"), clock: clock,
            random: random, logger: .silent
        )
    }

    private static func tracking(
        _ database: Database, clock: TestClock, random: SeededRandom, secrets: SecretBox, objects: any ObjectStore,
        hologram: HologramConfiguration, fixesPerAccount: Int = Limits.fixesPerAccount,
        households: any HouseholdPeopleReader = NoHouseholds()
    ) -> TrackingServices {
        TrackingServices(
            database: database, pictures: pictures(database, clock: clock, random: random, objects: objects),
            objects: objects, secrets: secrets, clock: clock, random: random,
            quotas: AccountQuotas(standard: StorageQuota(fixes: fixesPerAccount)), households: households,
            siteURL: "https://example.org", hologram: hologram, logger: .silent
        )
    }

    /// Another process on the same database, with its own memory.
    /// - Parameters:
    ///   - objects: The object store of this process.
    ///   - fixesPerAccount: The maximum number of an account's positions.
    func otherNode(
        objects: (any ObjectStore)? = nil, hologram: HologramConfiguration? = nil,
        fixesPerAccount: Int = Limits.fixesPerAccount
    ) throws -> TrackingServices {
        Self.tracking(
            database, clock: clock, random: SeededRandom(seed: random.uint64()), secrets: secrets,
            objects: objects ?? self.objects, hologram: hologram ?? self.hologram, fixesPerAccount: fixesPerAccount
        )
    }

    /// The same server with households.
    func node(households: any HouseholdPeopleReader) -> TrackingServices {
        Self.tracking(
            database, clock: clock, random: random, secrets: secrets, objects: objects, hologram: hologram,
            households: households)
    }

    var now: Instant { clock.now }

    /// Creates a signed-in account.
    /// - Parameter alertMode: The chosen alert mode; `nil` for a person who hasn't answered the question yet.
    func person(_ name: String = "Ada", alertMode: AlertMode? = .everyTime) async throws -> Actor {
        let person = PersonID(at: now, random: random)
        let actor = Actor(person: person, session: ID(at: now, random: random), role: .adult)
        let email = "\(person)@example.org"
        let now = now
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO account (id, role, email, email_key, name, theme, created_at)
                VALUES (\(person), 'adult', \(email), \(email), \(name), 'standard', \(now))
                """
            )
            guard let alertMode else { return }
            try tx.execute("INSERT INTO alert_setting (account_id, mode) VALUES (\(person), \(alertMode.rawValue))")
        }
        try await signIn(actor)
        return actor
    }

    /// Creates a signed-in account of a child.
    func child(_ name: String) async throws -> Actor {
        let actor = Actor(person: ID(at: now, random: random), session: ID(at: now, random: random), role: .child)
        let now = now
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO account (id, role, name, theme, created_at)
                VALUES (\(actor.person), 'child', \(name), 'standard', \(now))
                """
            )
        }
        try await signIn(actor)
        return actor
    }

    /// The code of the error that `body` throws; `nil` for none.
    func code(_ body: () async throws -> Void) async -> AppError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? AppError)?.code
        }
    }

    /// Signs in another device of the same account.
    func otherDevice(of actor: Actor) async throws -> Actor {
        let other = Actor(person: actor.person, session: ID(at: now, random: random), role: .adult)
        try await signIn(other)
        return other
    }

    private func signIn(_ actor: Actor) async throws {
        let hash = Array(SHA256.hash(data: Array(actor.session.description.utf8)))
        let now = now
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO session (
                    id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at
                ) VALUES (\(actor.session), \(actor.person), \(hash), 'cookie', 'Test', 'password', \(now), \(now))
                """
            )
        }
    }

    func picture(of actor: Actor) async throws -> ID<Picture> {
        try await database.addPicture(of: actor.person, at: now, random: random)
    }

    func count(_ table: SQL) async throws -> Int { try await database.count(table) }

    func events() async throws -> [ChangeEvent] { try await database.events() }

    func item(_ name: String = "Bike", of actor: Actor) async throws -> ItemOverview {
        try await tracking.items.create(ItemInput(name: name), by: Change(actor: actor))
    }

    /// Adds an item whose tracker is OsmAnd, and returns the device id.
    func tracked(_ name: String = "Bike", of actor: Actor) async throws -> (item: ID<Item>, secret: String) {
        let item = try await item(name, of: actor).item.id
        return (item, try await app(.osmand, for: item, of: actor).secret)
    }

    /// Adds a position source for an item, or as one of the owner's phones.
    func app(_ kind: SourceKind, for item: ID<Item>? = nil, of actor: Actor) async throws -> NewSource {
        try await tracking.sources.create(SourceInput(kind: kind, itemID: item), by: Change(actor: actor)).get()
    }

    /// Adds OwnTracks as an item's tracker, or as one of the owner's phones.
    func ownTracks(for item: ID<Item>? = nil, of actor: Actor) async throws -> OwnTracksPhone {
        OwnTracksPhone(fixture: self, source: try await app(.owntracks, for: item, of: actor))
    }

    /// Sends one report of OsmAnd.
    @discardableResult
    func osmand(
        _ secret: String, _ latitude: Double, _ longitude: Double, at: Instant? = nil, _ more: [String: String] = [:]
    ) async throws -> OsmAndResponse {
        var query = [
            (name: "id", value: secret), (name: "lat", value: "\(latitude)"), (name: "lon", value: "\(longitude)"),
        ]
        if let at { query.append((name: "timestamp", value: "\(at.millisecondsSince1970)")) }
        query += more.map { (name: $0.key, value: $0.value) }
        return try await tracking.osmAnd.ingest(query: query)
    }

    func fixes(of item: ID<Item>, for actor: Actor, limit: Int = 50) async throws -> [Fix] {
        try await tracking.histories.list(of: item, for: actor, after: nil, limit: limit).items
    }

    func quarantine(for actor: Actor) async throws -> [QuarantineReason] {
        try await tracking.quarantine.list(for: actor, after: nil, limit: 200).items.map(\.reason)
    }
}

/// A phone with OwnTracks.
struct OwnTracksPhone: Sendable {
    /// The response without commands.
    static let nothingToDo = OwnTracksResponse.accepted(Array("[]".utf8))

    let fixture: TrackingFixture
    var source: NewSource

    /// Sends a message to `node`, or to the test server's own node.
    func send(_ body: [UInt8], to node: TrackingServices? = nil) async throws -> OwnTracksResponse {
        try await (node ?? fixture.tracking).ownTracks.ingest(
            user: source.user ?? "", password: source.secret, body: body
        )
    }

    /// The response as text.
    func answer(_ body: [UInt8]) async throws -> String {
        let answer = try await send(body)
        guard case .accepted(let json) = answer else { return "\(answer)" }
        return String(decoding: json, as: UTF8.self)
    }
}

/// Runs `body` with a test server that has its own database.
func withFixture(
    _ engine: Engine, hologram: HologramConfiguration = HologramConfiguration(), objects: (any ObjectStore)? = nil,
    machineClock: any WallClock = SystemClock(), _ body: (TrackingFixture) async throws -> Void
) async throws {
    let clock = TestClock()
    try await withDatabase(
        engine, migrations: TrackingFixture.migrations, clock: clock, machineClock: machineClock
    ) { database in
        try await body(try TrackingFixture(database, clock: clock, hologram: hologram, objects: objects))
    }
}

extension Change {
    /// A change with an idempotency key.
    static func keyed(_ actor: Actor, _ method: String, _ path: String, _ key: String, body: String = "") -> Change {
        let digest = Array(SHA256.hash(data: Array(body.utf8)))
        return Change(
            actor: actor,
            idempotency: IdempotencyScope(
                person: actor.person, method: method, path: path, key: key, bodyDigest: digest
            )
        )
    }
}

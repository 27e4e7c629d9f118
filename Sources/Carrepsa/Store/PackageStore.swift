import Kernel
import Pictures
import Storage

/// The table `carrepsa_package`, row by row.
enum PackageStore {
    /// In the order in which ``StoredPackage`` has them.
    static let columns: SQL = """
        p.id, p.owner_id, p.carrier_id, p.title, p.origin, p.destination, p.weight_grams, p.reward, p.money_lock,
        p.description, p.picture_id, p.deadline_at, p.state, p.reward_held, p.created_at, p.accepted_at,
        p.picked_up_at, p.finished_at, p.withdrawn_at, p.delivery_reported_at, p.cancellation_requested_by,
        p.disputed_at, p.disputed_by, p.dispute_reason, p.version
        """

    /// How many ``columns`` there are: what a query adds stands behind them.
    static let columnCount = 25

    private static let look = FixedSQL(
        """
        SELECT p.id, p.owner_id, p.carrier_id, p.title, p.origin, p.destination, p.weight_grams, p.reward, p.money_lock,
            p.description, p.picture_id, p.deadline_at, p.state, p.reward_held, p.created_at, p.accepted_at,
            p.picked_up_at, p.finished_at, p.withdrawn_at, p.delivery_reported_at, p.cancellation_requested_by,
            p.disputed_at, p.disputed_by, p.dispute_reason, p.version
        FROM carrepsa_package p WHERE p.id = ?
        """
    )

    /// The package, locked until the end of the transaction: always before any account of the ledger.
    static func lock(_ id: ID<Package>, in tx: Transaction) throws -> StoredPackage? {
        switch tx.dialect {
        // There is one writer, so nothing has to be locked, and a statement whose text never changes is the cheapest.
        case .sqlite: return try tx.row(look, [id.sqlValue]).map(read)
        case .postgres:
            return try tx.row("SELECT \(sql: columns) FROM carrepsa_package p WHERE p.id = \(id) FOR UPDATE").map(read)
        }
    }

    /// The package as it is, for who only reads.
    static func find(_ id: ID<Package>, in tx: Transaction) throws -> StoredPackage? {
        try tx.row(look, [id.sqlValue]).map(read)
    }

    private static let story = FixedSQL(
        """
        INSERT INTO carrepsa_story (package_id, number, at, event, role, person_id, note)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    )
    private static let insertion = FixedSQL(
        """
        INSERT INTO carrepsa_package (
            id, owner_id, title, origin, origin_folded, destination, destination_folded, weight_grams, reward,
            money_lock, description, picture_id, deadline_at, state, reward_held, created_at, version
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    )
    private static let insertionWithStory = FixedSQL(
        """
        WITH made AS (INSERT INTO carrepsa_package (
            id, owner_id, title, origin, origin_folded, destination, destination_folded, weight_grams, reward,
            money_lock, description, picture_id, deadline_at, state, reward_held, created_at, version
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))
        INSERT INTO carrepsa_story (package_id, number, at, event, role, person_id, note)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    )
    private static let change = FixedSQL(
        """
        UPDATE carrepsa_package SET
            carrier_id = ?, picture_id = ?, state = ?, reward_held = ?, accepted_at = ?, picked_up_at = ?,
            finished_at = ?, withdrawn_at = ?, delivery_reported_at = ?, cancellation_requested_by = ?, disputed_at = ?,
            disputed_by = ?, dispute_reason = ?, version = ?
        WHERE id = ?
        """
    )
    private static let changeWithStory = FixedSQL(
        """
        WITH changed AS (UPDATE carrepsa_package SET
            carrier_id = ?, picture_id = ?, state = ?, reward_held = ?, accepted_at = ?, picked_up_at = ?,
            finished_at = ?, withdrawn_at = ?, delivery_reported_at = ?, cancellation_requested_by = ?, disputed_at = ?,
            disputed_by = ?, dispute_reason = ?, version = ?
        WHERE id = ?)
        INSERT INTO carrepsa_story (package_id, number, at, event, role, person_id, note)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    )

    /// Stores a new package with the first entry of its story.
    static func insert(
        _ package: StoredPackage, from: PlaceText, to: PlaceText, telling entry: StoryRow, in tx: Transaction
    ) throws {
        let head: [SQLValue] = [package.id.sqlValue, package.owner.sqlValue, .text(package.title)]
        let place: [SQLValue] = [.text(from.text), .text(from.folded), .text(to.text), .text(to.folded)]
        let terms: [SQLValue] = [
            .integer(package.weightGrams), .integer(package.reward), .integer(package.moneyLock),
            package.description.sqlValue, package.pictureID.sqlValue, package.deadline.sqlValue,
        ]
        let standing: [SQLValue] = [
            package.state.sqlValue, package.isRewardHeld.sqlValue, package.createdAt.sqlValue,
            .integer(package.version),
        ]
        try write(head + place + terms + standing, entry, by: insertion, together: insertionWithStory, in: tx)
    }

    /// Stores everything that can change, with what the story tells of it.
    static func update(_ package: StoredPackage, telling entry: StoryRow, in tx: Transaction) throws {
        let standing: [SQLValue] = [
            package.carrier.sqlValue, package.pictureID.sqlValue, package.state.sqlValue,
            package.isRewardHeld.sqlValue, package.acceptedAt.sqlValue, package.pickedUpAt.sqlValue,
            package.finishedAt.sqlValue, package.withdrawnAt.sqlValue,
        ]
        let talk: [SQLValue] = [
            package.deliveryReportedAt.sqlValue, package.cancellationRequestedBy.sqlValue, package.disputedAt.sqlValue,
            package.disputedBy.sqlValue, package.disputeReason.sqlValue,
        ]
        let key: [SQLValue] = [.integer(package.version), package.id.sqlValue]
        try write(standing + talk + key, entry, by: change, together: changeWithStory, in: tx)
    }

    /// On PostgreSQL in one statement, because each one more is a way to the server and back.
    private static func write(
        _ values: [SQLValue], _ entry: StoryRow, by statement: FixedSQL, together: FixedSQL, in tx: Transaction
    ) throws {
        switch tx.dialect {
        case .sqlite:
            try tx.execute(statement, values)
            try tx.execute(story, entry.values)
        case .postgres: try tx.execute(together, values + entry.values)
        }
    }

    // MARK: What the clock looks for

    static func isAnythingDue(_ now: Instant, in tx: Transaction) throws -> Bool {
        try tx.row(
            "SELECT 1 AS due FROM carrepsa_package WHERE state = 'accepted' AND deadline_at <= \(now) LIMIT 1"
        ) != nil
    }

    static func due(_ now: Instant, limit: Int, in tx: Transaction) throws -> [ID<Package>] {
        try tx.rows(
            """
            SELECT id FROM carrepsa_package WHERE state = 'accepted' AND deadline_at <= \(now)
            ORDER BY deadline_at LIMIT \(limit)
            """
        ).map { try $0.get("id") }
    }

    static func unanswered(reportedBefore: Instant, limit: Int, in tx: Transaction) throws -> [ID<Package>] {
        try tx.rows(
            """
            SELECT id FROM carrepsa_package
            WHERE state = 'travelling' AND delivery_reported_at <= \(reportedBefore) AND disputed_at IS NULL
            ORDER BY delivery_reported_at LIMIT \(limit)
            """
        ).map { try $0.get("id") }
    }

    // MARK: People

    /// What of somebody's is in escrow, in minor units.
    static func held(of person: PersonID, in tx: Transaction) throws -> Int64 {
        let rewards: Int64? = try tx.row(
            """
            SELECT COALESCE(SUM(reward), 0) AS total FROM carrepsa_package
            WHERE owner_id = \(person) AND finished_at IS NULL AND reward_held = 1
            """
        )?.get("total")
        let locks: Int64? = try tx.row(
            """
            SELECT COALESCE(SUM(money_lock), 0) AS total FROM carrepsa_package
            WHERE carrier_id = \(person) AND finished_at IS NULL
            """
        )?.get("total")
        return (rewards ?? 0) + (locks ?? 0)
    }

    static func hasLive(_ person: PersonID, in tx: Transaction) throws -> Bool {
        let owned = try tx.row(
            "SELECT 1 AS found FROM carrepsa_package WHERE owner_id = \(person) AND finished_at IS NULL LIMIT 1"
        )
        if owned != nil { return true }
        return try tx.row(
            "SELECT 1 AS found FROM carrepsa_package WHERE carrier_id = \(person) AND finished_at IS NULL LIMIT 1"
        ) != nil
    }

    /// Whether two people are the parties of an accepted or travelling package.
    static func haveToDoWithEachOther(_ one: PersonID, _ other: PersonID, in tx: Transaction) throws -> Bool {
        for (owner, carrier) in [(one, other), (other, one)] {
            let found = try tx.row(
                """
                SELECT 1 AS found FROM carrepsa_package
                WHERE carrier_id = \(carrier) AND owner_id = \(owner) AND finished_at IS NULL LIMIT 1
                """
            )
            if found != nil { return true }
        }
        return false
    }

    /// Whether a picture shows a package that the person can see.
    static func isPictureShown(_ picture: ID<Picture>, to person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM carrepsa_package p WHERE p.picture_id = \(picture) AND (
                p.state = 'available' OR p.owner_id = \(person) OR p.carrier_id = \(person)
                OR (p.disputed_at IS NOT NULL AND p.finished_at IS NULL
                    AND EXISTS (SELECT 1 FROM account a WHERE a.id = \(person) AND a.is_operator = 1))
            ) LIMIT 1
            """
        ) != nil
    }

    /// Takes a person who leaves off finished packages; what nobody is left for goes.
    static func forget(_ person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            "DELETE FROM carrepsa_package WHERE owner_id = \(person) AND (carrier_id IS NULL OR carrier_id = \(person))"
        )
        try tx.execute("DELETE FROM carrepsa_package WHERE carrier_id = \(person) AND owner_id IS NULL")
        try tx.execute(
            "UPDATE carrepsa_package SET owner_id = NULL, picture_id = NULL WHERE owner_id = \(person)"
        )
        try tx.execute("UPDATE carrepsa_package SET carrier_id = NULL WHERE carrier_id = \(person)")
    }

    /// Reads ``columns``, which stand at the row's beginning.
    static func read(_ row: Row) throws -> StoredPackage {
        var next = ColumnReader(row)
        return StoredPackage(
            id: try next(), owner: try next(), carrier: try next(), title: try next(), from: try next(),
            to: try next(), weightGrams: try next(), reward: try next(), moneyLock: try next(),
            description: try next(), pictureID: try next(), deadline: try next(), state: try next(),
            isRewardHeld: try next(), createdAt: try next(), acceptedAt: try next(), pickedUpAt: try next(),
            finishedAt: try next(), withdrawnAt: try next(), deliveryReportedAt: try next(),
            cancellationRequestedBy: try next(), disputedAt: try next(), disputedBy: try next(),
            disputeReason: try next(), version: try next()
        )
    }
}

/// Reads a row's columns one after another, without looking for their names.
private struct ColumnReader {
    private let row: Row
    private var index = 0

    init(_ row: Row) { self.row = row }

    mutating func callAsFunction<T: SQLReadable>() throws -> T {
        defer { index += 1 }
        return try row.get(at: index)
    }
}

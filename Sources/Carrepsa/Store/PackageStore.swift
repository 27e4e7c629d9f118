import Kernel
import Pictures
import Storage

/// The rows of the table `carrepsa_package`.
enum PackageStore {
    /// The columns in the order of ``StoredPackage``'s properties.
    static let columns: StaticString = """
        p.id, p.owner_id, p.carrier_id, p.title, p.origin, p.destination, p.origin_latitude, p.origin_longitude,
        p.origin_area_latitude, p.origin_area_longitude, p.origin_times, p.destination_latitude,
        p.destination_longitude, p.destination_area_latitude, p.destination_area_longitude, p.destination_times, p.size,
        p.weight_grams, p.reward, p.money_lock,
        p.description, p.picture_id, p.deadline_at, p.state, p.reward_held, p.created_at, p.accepted_at,
        p.picked_up_at, p.finished_at, p.withdrawn_at, p.delivery_reported_at, p.cancellation_requested_by,
        p.disputed_at, p.disputed_by, p.dispute_reason, p.owner_statements, p.carrier_statements,
        p.has_recipient, p.refused_at, p.requires_photos, p.pickup_photos, p.delivery_photos, p.version
        """

    /// The number of ``columns``. Queries append further columns after them.
    static let columnCount = "\(columns)".split(separator: ",").count

    private static let selectByID = FixedSQL("SELECT ", columns, " FROM carrepsa_package p WHERE p.id = ?")
    private static let selectByIDForUpdate = FixedSQL(
        "SELECT ", columns, " FROM carrepsa_package p WHERE p.id = ? FOR UPDATE")

    /// Returns the package, locked until the transaction ends. To prevent deadlocks, lock the package before any
    /// ledger account.
    static func lock(_ id: ID<Package>, in tx: Transaction) throws -> StoredPackage? {
        // SQLite has a single writer, so there is nothing to lock.
        let row = try tx.row(tx.dialect == .sqlite ? selectByID : selectByIDForUpdate, [id.sqlValue])
        guard var package = try row.map(read) else { return nil }
        try package.readDispute(in: tx)
        return package
    }

    /// Returns the package without a lock.
    static func find(_ id: ID<Package>, in tx: Transaction) throws -> StoredPackage? {
        try tx.row(selectByID, [id.sqlValue]).map(read)
    }

    /// Returns a page of all packages in the order of their ids.
    static func page(after last: ID<Package>?, limit: Int, in tx: Transaction) throws -> [StoredPackage] {
        let start: SQL = last.map { " WHERE p.id > \($0)" } ?? SQL()
        return try tx.rows(
            "SELECT \(raw: columns) FROM carrepsa_package p\(sql: start) ORDER BY p.id LIMIT \(limit)"
        ).map(read)
    }

    private static let insertHistory = FixedSQL(
        """
        INSERT INTO carrepsa_story (
            package_id, number, at, event, role, person_id, note, digest, split_reward, split_deposit
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    )
    private static let insert = FixedSQL(
        """
        INSERT INTO carrepsa_package (
            id, owner_id, title, origin, origin_folded, destination, destination_folded, weight_grams, reward,
            money_lock, description, picture_id, deadline_at, origin_latitude, origin_longitude, origin_area_latitude,
            origin_area_longitude, origin_times, destination_latitude, destination_longitude, destination_area_latitude,
            destination_area_longitude, destination_times, size, cell_pair, coarse_cell_pair, requires_photos, state,
            reward_held, created_at, version
        ) VALUES (
            ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
        )
        """
    )
    private static let update = FixedSQL(
        """
        UPDATE carrepsa_package SET
            carrier_id = ?, picture_id = ?, state = ?, reward_held = ?, accepted_at = ?, picked_up_at = ?,
            finished_at = ?, withdrawn_at = ?, delivery_reported_at = ?, cancellation_requested_by = ?, disputed_at = ?,
            disputed_by = ?, dispute_reason = ?, owner_statements = ?, carrier_statements = ?, refused_at = ?,
            pickup_photos = ?, delivery_photos = ?, version = ?
        WHERE id = ?
        """
    )

    private static let updateTerms = FixedSQL(
        """
        UPDATE carrepsa_package SET
            title = ?, origin = ?, origin_folded = ?, destination = ?, destination_folded = ?, weight_grams = ?,
            reward = ?, money_lock = ?, description = ?, picture_id = ?, deadline_at = ?, origin_latitude = ?,
            origin_longitude = ?, origin_area_latitude = ?, origin_area_longitude = ?, origin_times = ?,
            destination_latitude = ?, destination_longitude = ?, destination_area_latitude = ?,
            destination_area_longitude = ?, destination_times = ?, size = ?, cell_pair = ?, coarse_cell_pair = ?,
            requires_photos = ?
        WHERE id = ?
        """
    )

    /// Inserts a new package with the first entry of its history.
    static func insert(
        _ package: StoredPackage, from: PlaceName, to: PlaceName, history entry: PackageHistoryRow, in tx: Transaction
    ) throws {
        let head: [SQLValue] = [package.id.sqlValue, package.owner.sqlValue]
        let status: [SQLValue] = [
            package.state.sqlValue, package.isRewardHeld.sqlValue, package.createdAt.sqlValue,
            .integer(package.version),
        ]
        try tx.execute(insert, head + terms(of: package, from: from, to: to) + status)
        try tx.execute(insertHistory, entry.values)
        if package.route.hasAreas { try NewOfferStore.insert(package.id, in: tx) }
    }

    /// Updates the columns that the owner of an offer can change, and their folded texts.
    static func updateTerms(_ package: StoredPackage, from: PlaceName, to: PlaceName, in tx: Transaction) throws {
        try tx.execute(updateTerms, terms(of: package, from: from, to: to) + [package.id.sqlValue])
        if package.route.hasAreas { try NewOfferStore.insert(package.id, in: tx) }
    }

    private static func terms(of package: StoredPackage, from: PlaceName, to: PlaceName) -> [SQLValue] {
        let place: [SQLValue] = [
            .text(package.title), .text(from.text), .text(from.folded), .text(to.text), .text(to.folded),
        ]
        let terms: [SQLValue] = [
            .integer(package.weightGrams), .integer(package.reward), .integer(package.moneyLock),
            package.description.sqlValue, package.pictureID.sqlValue, package.deadline.sqlValue,
        ]
        let route = package.route
        let search: [SQLValue] = [
            route.size.sqlValue, route.cellPair(.fine).sqlValue, route.cellPair(.coarse).sqlValue,
            package.requiresPhotos.sqlValue,
        ]
        return place + terms + columns(of: route.origin) + columns(of: route.destination) + search
    }

    private static func columns(of end: PackageEnd) -> [SQLValue] {
        [
            (end.point?.latitude).sqlValue, (end.point?.longitude).sqlValue, (end.area?.latitude).sqlValue,
            (end.area?.longitude).sqlValue, end.openingTimes.sqlValue,
        ]
    }

    /// Updates the columns of the state and adds an entry to the history.
    static func update(_ package: StoredPackage, history entry: PackageHistoryRow, in tx: Transaction) throws {
        let status: [SQLValue] = [
            package.carrier.sqlValue, package.pictureID.sqlValue, package.state.sqlValue,
            package.isRewardHeld.sqlValue, package.acceptedAt.sqlValue, package.pickedUpAt.sqlValue,
            package.finishedAt.sqlValue, package.withdrawnAt.sqlValue,
        ]
        let dispute: [SQLValue] = [
            package.deliveryReportedAt.sqlValue, package.cancellationRequestedBy.sqlValue, package.disputedAt.sqlValue,
            package.disputedBy.sqlValue, package.disputeReason.sqlValue, .integer(package.ownerStatements),
            .integer(package.carrierStatements), package.refusedAt.sqlValue, .integer(package.pickupPhotos),
            .integer(package.deliveryPhotos),
        ]
        let key: [SQLValue] = [.integer(package.version), package.id.sqlValue]
        try tx.execute(update, status + dispute + key)
        if let dispute = package.dispute { try DisputeStore.save(dispute, of: package.id, in: tx) }
        try tx.execute(insertHistory, entry.values)
    }

    /// Returns the exact origin of the person's latest package with one, among their latest packages.
    static func lastOrigin(of owner: PersonID, in tx: Transaction) throws -> (point: Coordinate, at: Instant)? {
        let row = try tx.row(
            """
            SELECT origin_latitude, origin_longitude, created_at FROM (
                SELECT id, origin_latitude, origin_longitude, created_at FROM carrepsa_package
                WHERE owner_id = \(owner) ORDER BY id DESC LIMIT \(Limits.placePackagesRead)
            ) AS latest
            WHERE origin_latitude IS NOT NULL AND origin_longitude IS NOT NULL ORDER BY id DESC LIMIT 1
            """
        )
        guard let row,
            let point = Coordinate(latitude: try row.get(at: 0), longitude: try row.get(at: 1))
        else { return nil }
        return (point, try row.get(at: 2))
    }

    // MARK: Due packages

    /// - Parameter failed: the packages to ignore, at most ``Limits/failedExpiries``.
    static func hasOverduePackages(_ now: Instant, except failed: [ID<Package>], in tx: Transaction) throws -> Bool {
        let other: SQL = failed.isEmpty ? SQL() : " AND id NOT IN \(list: failed)"
        return try tx.row(
            """
            SELECT 1 AS due WHERE
                EXISTS (SELECT 1 FROM carrepsa_package WHERE state = 'accepted' AND deadline_at <= \(now)\(sql: other))
                OR EXISTS (SELECT 1 FROM carrepsa_package
                    WHERE state = 'available' AND reward_held = 1 AND deadline_at <= \(now)\(sql: other))
            """
        ) != nil
    }

    /// Returns the packages that weren't accepted or picked up in time, the longest overdue first.
    static func due(_ now: Instant, after last: DueCursor?, limit: Int, in tx: Transaction) throws -> [DueCursor] {
        let start = DueCursor.start(after: last, by: "deadline_at", id: "id")
        return try tx.rows(
            """
            SELECT deadline_at, id FROM carrepsa_package
            WHERE state = 'accepted' AND deadline_at <= \(now)\(sql: start)
            UNION ALL
            SELECT deadline_at, id FROM carrepsa_package
            WHERE state = 'available' AND reward_held = 1 AND deadline_at <= \(now)\(sql: start)
            ORDER BY 1, 2 LIMIT \(limit)
            """
        ).map(DueCursor.init)
    }

    static func unanswered(
        reportedBefore: Instant, after last: DueCursor?, limit: Int, in tx: Transaction
    ) throws -> [DueCursor] {
        let start = DueCursor.start(after: last, by: "delivery_reported_at", id: "id")
        return try tx.rows(
            """
            SELECT delivery_reported_at, id FROM carrepsa_package
            WHERE state = 'travelling' AND disputed_at IS NULL
                AND delivery_reported_at <= \(reportedBefore)\(sql: start)
            ORDER BY 1, 2 LIMIT \(limit)
            """
        ).map(DueCursor.init)
    }

    // MARK: People

    /// Returns the person's amount in escrow, in minor units.
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

    /// Whether the two people are owner and carrier of an accepted or travelling package.
    static func arePartiesOfSamePackage(_ one: PersonID, _ other: PersonID, in tx: Transaction) throws -> Bool {
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

    /// Whether the person is owner or carrier of an open dispute that the administrator may decide.
    static func isPartyOfDispute(_ person: PersonID, decidedBy operator: PersonID, in tx: Transaction) throws -> Bool {
        let isOpen: SQL = "state = 'travelling' AND disputed_at IS NOT NULL AND finished_at IS NULL"
        let isOthers: SQL = "owner_id <> \(`operator`) AND carrier_id <> \(`operator`)"
        let owns = try tx.row(
            """
            SELECT 1 AS found FROM carrepsa_package
            WHERE owner_id = \(person) AND \(sql: isOpen) AND \(sql: isOthers) LIMIT 1
            """
        )
        if owns != nil { return true }
        return try tx.row(
            """
            SELECT 1 AS found FROM carrepsa_package
            WHERE carrier_id = \(person) AND \(sql: isOpen) AND \(sql: isOthers) LIMIT 1
            """
        ) != nil
    }

    /// Whether the person can see a package with this picture.
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

    /// Removes a deleted person from finished packages. Deletes packages without a remaining party, and without a
    /// former carrier who wrote about them or was written to: that person keeps their messages.
    static func forget(_ person: PersonID, in tx: Transaction) throws {
        try RecipientStore.forget(packagesOf: person, in: tx)
        try ProofStore.forget(person, in: tx)
        let hasNoReader: SQL = """
            NOT EXISTS (SELECT 1 FROM carrepsa_conversation c
                WHERE c.package_id = carrepsa_package.id AND c.carrier_id <> \(person))
            """
        try tx.execute(
            """
            DELETE FROM carrepsa_package
            WHERE owner_id = \(person) AND (carrier_id IS NULL OR carrier_id = \(person)) AND \(sql: hasNoReader)
            """
        )
        try tx.execute(
            "DELETE FROM carrepsa_package WHERE carrier_id = \(person) AND owner_id IS NULL AND \(sql: hasNoReader)")
        try tx.execute(
            """
            DELETE FROM carrepsa_package WHERE owner_id IS NULL AND carrier_id IS NULL
                AND id IN (SELECT package_id FROM carrepsa_conversation WHERE carrier_id = \(person))
                AND \(sql: hasNoReader)
            """
        )
        // A former carrier sees only the title, with the messages.
        try tx.execute(
            """
            UPDATE carrepsa_package SET origin = '', origin_folded = '', destination = '', destination_folded = '',
                description = NULL
            WHERE (owner_id = \(person) AND carrier_id IS NULL) OR (carrier_id = \(person) AND owner_id IS NULL)
            """
        )
        try tx.execute(
            """
            UPDATE carrepsa_package SET owner_id = NULL, picture_id = NULL, has_recipient = 0,
                origin_latitude = NULL, origin_longitude = NULL, origin_times = NULL, destination_latitude = NULL,
                destination_longitude = NULL, destination_times = NULL
            WHERE owner_id = \(person)
            """
        )
        try tx.execute("UPDATE carrepsa_package SET carrier_id = NULL WHERE carrier_id = \(person)")
    }

    /// Erases the exact points and opening times of packages without an owner. A server of an earlier version, which
    /// doesn't know these columns, may have deleted the account.
    static func erasePointsOfDeletedOwners(limit: Int, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_package SET origin_latitude = NULL, origin_longitude = NULL, origin_times = NULL,
                destination_latitude = NULL, destination_longitude = NULL, destination_times = NULL
            WHERE id IN (
                SELECT id FROM carrepsa_package
                WHERE owner_id IS NULL AND (origin_latitude IS NOT NULL OR destination_latitude IS NOT NULL
                    OR origin_times IS NOT NULL OR destination_times IS NOT NULL)
                ORDER BY id LIMIT \(limit)
            )
            """
        )
    }

    /// Reads ``columns``, which must be the row's first columns.
    static func read(_ row: Row) throws -> StoredPackage {
        var next = ColumnReader(row)
        return StoredPackage(
            id: try next(), owner: try next(), carrier: try next(), title: try next(), from: try next(),
            to: try next(), route: try route(&next), weightGrams: try next(), reward: try next(), moneyLock: try next(),
            description: try next(), pictureID: try next(), deadline: try next(), state: try next(),
            isRewardHeld: try next(), createdAt: try next(), acceptedAt: try next(), pickedUpAt: try next(),
            finishedAt: try next(), withdrawnAt: try next(), deliveryReportedAt: try next(),
            cancellationRequestedBy: try next(), disputedAt: try next(), disputedBy: try next(),
            disputeReason: try next(), ownerStatements: try next(), carrierStatements: try next(),
            hasRecipient: try next(), refusedAt: try next(), requiresPhotos: try next(), pickupPhotos: try next(),
            deliveryPhotos: try next(), version: try next()
        )
    }

    private static func route(_ next: inout ColumnReader) throws -> PackageRoute {
        PackageRoute(origin: try end(&next), destination: try end(&next), size: try next())
    }

    private static func end(_ next: inout ColumnReader) throws -> PackageEnd {
        PackageEnd(point: try point(&next), area: try point(&next), openingTimes: try next())
    }

    private static func point(_ next: inout ColumnReader) throws -> Coordinate? {
        let latitude: Double? = try next()
        let longitude: Double? = try next()
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

/// Reads the columns of a row by position, which is faster than by name.
private struct ColumnReader {
    private let row: Row
    private var index = 0

    init(_ row: Row) { self.row = row }

    mutating func callAsFunction<T: SQLReadable>() throws -> T {
        defer { index += 1 }
        return try row.get(at: index)
    }
}

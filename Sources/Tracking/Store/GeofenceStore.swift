import Kernel
import Recurrence
import Storage

/// The table `geofence`: the rules of items about safe places, with their states.
enum GeofenceStore {
    /// A rule with everything that its evaluation needs.
    struct Watched {
        let geofence: Geofence
        let area: SafeArea
        var state: GeofenceRule.State
        /// The start of the last stay in the place.
        var arrivedAt: Instant?

        var rule: GeofenceRule {
            GeofenceRule(area: area, dwellSeconds: Double(geofence.settings.dwellMinutes * 60))
        }
    }

    private static let select: SQL = """
        SELECT g.id, g.item_id, g.account_id, g.place_id, g.kind, g.dwell_minutes, g.days, g.from_minute,
            g.until_minute, g.by_minute, g.time_zone, g.version, g.created_at, g.is_inside, g.pending_is_inside,
            g.pending_since, g.evaluated_at, g.arrived_at, p.name AS place_name, p.latitude, p.longitude,
            p.radius_metres, p.outline
        FROM geofence g JOIN safe_place p ON p.id = g.place_id
        """

    static func list(of item: ID<Item>, owner: PersonID, in tx: Transaction) throws -> [Geofence] {
        try tx.rows(
            """
            \(sql: select) WHERE g.item_id = \(item) AND g.account_id = \(owner) ORDER BY g.id
            LIMIT \(Limits.geofencesPerItem)
            """
        ).map(geofence)
    }

    /// All rules of a person, for the export.
    static func all(of owner: PersonID, in tx: Transaction) throws -> [Geofence] {
        try tx.rows(
            """
            \(sql: select) WHERE g.account_id = \(owner) ORDER BY g.id
            LIMIT \(Limits.geofencesPerItem * Limits.itemsPerAccount)
            """
        ).map(geofence)
    }

    static func count(of item: ID<Item>, owner: PersonID, in tx: Transaction) throws -> Int {
        try tx.row(
            "SELECT COUNT(*) AS total FROM geofence WHERE item_id = \(item) AND account_id = \(owner)"
        )?.get("total") ?? 0
    }

    static func one(
        _ id: ID<Geofence>, of item: ID<Item>, owner: PersonID, in tx: Transaction
    ) throws -> Geofence? {
        try tx.row("\(sql: select) WHERE g.id = \(id) AND g.item_id = \(item) AND g.account_id = \(owner)")
            .map(geofence)
    }

    /// The rules of an item with their states; the transaction holds the lock on the item's row in `whereabouts`.
    static func watched(of item: ID<Item>, in tx: Transaction) throws -> [Watched] {
        try tx.rows(
            "\(sql: select) WHERE g.item_id = \(item) ORDER BY g.id LIMIT \(Limits.geofencesOfAllPeople)"
        ).map(watched)
    }

    static func watched(_ id: ID<Geofence>, in tx: Transaction) throws -> Watched? {
        try tx.row("\(sql: select) WHERE g.id = \(id)").map(watched)
    }

    /// The rules with a deadline that has passed.
    static func due(now: Instant, in tx: Transaction) throws -> [(id: ID<Geofence>, item: ID<Item>)] {
        try tx.rows(
            "SELECT id, item_id FROM geofence WHERE due_at <= \(now) ORDER BY due_at LIMIT \(Limits.housekeepingBatch)"
        ).map { (try $0.get("id"), try $0.get("item_id")) }
    }

    static func dueAt(_ id: ID<Geofence>, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT due_at FROM geofence WHERE id = \(id)")?.get("due_at")
    }

    static func setDue(_ at: Instant?, _ id: ID<Geofence>, in tx: Transaction) throws {
        try tx.execute("UPDATE geofence SET due_at = \(at) WHERE id = \(id)")
    }

    /// Stores a new rule. Late positions from before the last one don't count for it.
    /// - Parameters:
    ///   - isInside: Where the item is by its last position; `nil` for unknown.
    ///   - lastAt: The time of the last position; `nil` without one.
    static func insert(
        _ geofence: Geofence, isInside: Bool?, lastAt: Instant?, now: Instant, in tx: Transaction
    ) throws {
        let settings = geofence.settings
        try tx.execute(
            """
            INSERT INTO geofence (
                id, item_id, account_id, place_id, kind, dwell_minutes, days, from_minute, until_minute, by_minute,
                time_zone, version, created_at, is_inside, evaluated_at, arrived_at, due_at
            ) VALUES (
                \(geofence.id), \(geofence.item), \(geofence.owner), \(geofence.place), \(settings.kind),
                \(settings.dwellMinutes), \(settings.dayMask), \(settings.from?.minuteOfDay),
                \(settings.until?.minuteOfDay), \(settings.by?.minuteOfDay), \(settings.timeZone.identifier),
                \(geofence.version), \(geofence.createdAt), \(isInside), \(lastAt ?? now),
                \(isInside == true ? now : nil), \(settings.nextDeadline(after: now))
            )
            """
        )
        try setFlag(of: geofence.item, in: tx)
    }

    /// Stores changed settings. Another place has no state yet, as a new rule.
    static func update(
        _ geofence: Geofence, isOtherPlace: Bool, isInside: Bool?, lastAt: Instant?, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE geofence SET place_id = \(geofence.place), \(sql: geofence.settings.assignments(now: now)),
                version = \(geofence.version)
            WHERE id = \(geofence.id)
            """
        )
        guard isOtherPlace else { return }
        try update(
            GeofenceRule.State(isInside: isInside, evaluatedAt: lastAt ?? now), arrivedAt: isInside == true ? now : nil,
            of: geofence.id, in: tx)
    }

    static func update(
        _ state: GeofenceRule.State, arrivedAt: Instant?, of id: ID<Geofence>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE geofence SET \(sql: state.assignments), arrived_at = \(arrivedAt) WHERE id = \(id)
            """
        )
    }

    static func delete(_ id: ID<Geofence>, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM geofence WHERE id = \(id)")
        try setFlag(of: item, in: tx)
    }

    /// Locks the last positions of the items with rules about a place, as reports do before they read the rules.
    private static func lockItems(about place: ID<SafePlace>, in tx: Transaction) throws -> [ID<Item>] {
        try tx.rows(
            """
            SELECT item_id FROM whereabouts WHERE item_id IN (SELECT item_id FROM geofence WHERE place_id = \(place))
            ORDER BY item_id \(sql: tx.forChange)
            """
        ).map { try $0.get("item_id") }
    }

    /// Deletes the rules about a place that is deleted.
    static func delete(about place: ID<SafePlace>, in tx: Transaction) throws {
        let items = try lockItems(about: place, in: tx)
        try tx.execute("DELETE FROM geofence WHERE place_id = \(place)")
        for item in items { try setFlag(of: item, in: tx) }
    }

    /// Forgets where the items are relative to a place whose area changed.
    static func reset(about place: ID<SafePlace>, in tx: Transaction) throws {
        _ = try lockItems(about: place, in: tx)
        try tx.execute(
            """
            UPDATE geofence SET is_inside = NULL, pending_is_inside = NULL, pending_since = NULL, arrived_at = NULL
            WHERE place_id = \(place)
            """
        )
    }

    static func delete(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM geofence WHERE item_id = \(item)")
    }

    /// Deletes a person's rules about an item that the person can't see any more.
    static func delete(of item: ID<Item>, owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM geofence WHERE item_id = \(item) AND account_id = \(owner)")
        try setFlag(of: item, in: tx)
    }

    static func deleteAll(of owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM geofence WHERE account_id = \(owner)")
    }

    private static func setFlag(of item: ID<Item>, in tx: Transaction) throws {
        let hasRules = try tx.row("SELECT 1 AS one FROM geofence WHERE item_id = \(item) LIMIT 1") != nil
        try tx.execute("UPDATE whereabouts SET has_geofences = \(hasRules) WHERE item_id = \(item)")
    }

    // MARK: Reading

    private static func watched(_ row: Row) throws -> Watched {
        Watched(
            geofence: try geofence(row), area: try SafePlaceStore.area(row),
            state: try GeofenceRule.State(row), arrivedAt: try row.get("arrived_at")
        )
    }

    private static func geofence(_ row: Row) throws -> Geofence {
        Geofence(
            id: try row.get("id"), item: try row.get("item_id"), owner: try row.get("account_id"),
            place: try row.get("place_id"), placeName: try row.get("place_name"), settings: try GeofenceSettings(row),
            version: try row.get("version"), createdAt: try row.get("created_at")
        )
    }
}

extension GeofenceSettings {
    /// The days as stored: a sum of powers of two, Monday's is 1.
    var dayMask: Int { days.reduce(0) { $0 | 1 << $1.rawValue } }

    /// Reads the columns of a rule.
    init(_ row: Row) throws {
        func time(_ column: String) throws -> LocalTime? {
            let minutes: Int? = try row.get(column)
            return minutes.flatMap { LocalTime(hour: $0 / 60, minute: $0 % 60) }
        }
        let mask: Int = try row.get("days")
        let zone: String = try row.get("time_zone")
        self.init(
            kind: try row.get("kind"), dwellMinutes: try row.get("dwell_minutes"),
            days: Weekday.allCases.filter { mask & 1 << $0.rawValue != 0 }, from: try time("from_minute"),
            until: try time("until_minute"), by: try time("by_minute"), timeZone: try LocalTimeZone(zone))
    }
}

/// The columns that the tables of rules about items and about people share.
extension GeofenceRule.State {
    init(_ row: Row) throws {
        self.init(
            isInside: try row.get("is_inside"), pendingIsInside: try row.get("pending_is_inside"),
            pendingSince: try row.get("pending_since"), evaluatedAt: try row.get("evaluated_at"))
    }

    /// The assignments of an `UPDATE`.
    var assignments: SQL {
        """
        is_inside = \(isInside), pending_is_inside = \(pendingIsInside), pending_since = \(pendingSince),
        evaluated_at = \(evaluatedAt)
        """
    }
}

extension GeofenceSettings {
    /// The assignments of an `UPDATE`, with the next deadline.
    func assignments(now: Instant) -> SQL {
        """
        kind = \(kind), dwell_minutes = \(dwellMinutes), days = \(dayMask), from_minute = \(from?.minuteOfDay),
        until_minute = \(until?.minuteOfDay), by_minute = \(by?.minuteOfDay),
        time_zone = \(timeZone.identifier), due_at = \(nextDeadline(after: now))
        """
    }
}

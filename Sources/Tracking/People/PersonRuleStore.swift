import Kernel
import Recurrence
import Storage

/// The table `person_rule`: the rules about people, with their states. A rule ends with the sharing.
enum PersonRuleStore {
    /// A rule with everything that its evaluation needs.
    struct Watched {
        let rule: PersonRule
        let area: SafeArea
        var state: GeofenceRule.State
        /// The start of the last stay in the place.
        var arrivedAt: Instant?

        var geofence: GeofenceRule {
            GeofenceRule(area: area, dwellSeconds: Double(rule.settings.dwellMinutes * 60))
        }
    }

    private static let select: SQL = """
        SELECT r.id, r.person_id, r.account_id, r.place_id, r.kind, r.dwell_minutes, r.days, r.from_minute,
            r.until_minute, r.by_minute, r.time_zone, r.version, r.created_at, r.is_inside, r.pending_is_inside,
            r.pending_since, r.evaluated_at, r.arrived_at, p.name AS place_name, p.latitude, p.longitude,
            p.radius_metres, p.outline
        FROM person_rule r JOIN safe_place p ON p.id = r.place_id
        """

    /// The rules of all people about a person.
    static func list(about person: PersonID, in tx: Transaction) throws -> [PersonRule] {
        try tx.rows(
            """
            \(sql: select) WHERE r.person_id = \(person) ORDER BY r.id
            LIMIT \(Limits.rulesPerPerson * Limits.positionViewers)
            """
        ).map(rule)
    }

    static func list(about person: PersonID, owner: PersonID, in tx: Transaction) throws -> [PersonRule] {
        try tx.rows(
            """
            \(sql: select) WHERE r.person_id = \(person) AND r.account_id = \(owner) ORDER BY r.id
            LIMIT \(Limits.rulesPerPerson)
            """
        ).map(rule)
    }

    /// All rules of a person, for the export.
    static func all(of owner: PersonID, in tx: Transaction) throws -> [PersonRule] {
        try tx.rows(
            """
            \(sql: select) WHERE r.account_id = \(owner) ORDER BY r.id
            LIMIT \(Limits.rulesPerPerson * Limits.sharedPeople)
            """
        ).map(rule)
    }

    static func one(_ id: ID<PersonRule>, in tx: Transaction) throws -> PersonRule? {
        try tx.row("\(sql: select) WHERE r.id = \(id)").map(rule)
    }

    /// Locks the rules about a person that see its phones, or its item, and returns them with their states.
    static func watched(
        about person: PersonID, item: ID<Item>?, now: Instant, in tx: Transaction
    ) throws -> [Watched] {
        let isSource: SQL = if let item { "s.item_id = \(item)" } else { "s.item_id IS NULL" }
        let ids = try tx.rows(
            """
            SELECT r.id FROM person_rule r
                JOIN position_share s ON s.account_id = r.person_id AND s.viewer_id = r.account_id
            WHERE r.person_id = \(person) AND \(sql: isSource) ORDER BY r.id \(sql: tx.forUpdate(of: "r"))
            """)
        guard !ids.isEmpty else { return [] }
        let viewers = Set(try PositionShareStore.viewers(of: person, item: item, now: now, in: tx))
        return try tx.rows(
            """
            \(sql: select) WHERE r.person_id = \(person) ORDER BY r.id
            LIMIT \(Limits.rulesPerPerson * Limits.positionViewers)
            """
        ).map(watched).filter { viewers.contains($0.rule.owner) }
    }

    /// Locks a rule and returns it with its state.
    static func lock(_ id: ID<PersonRule>, in tx: Transaction) throws -> Watched? {
        guard try tx.row("SELECT id FROM person_rule WHERE id = \(id) \(sql: tx.forUpdate)") != nil else { return nil }
        return try tx.row("\(sql: select) WHERE r.id = \(id)").map(watched)
    }

    /// The rules with a deadline that has passed.
    static func due(now: Instant, in tx: Transaction) throws -> [ID<PersonRule>] {
        try tx.rows(
            "SELECT id FROM person_rule WHERE due_at <= \(now) ORDER BY due_at LIMIT \(Limits.housekeepingBatch)"
        ).map { try $0.get("id") }
    }

    static func dueAt(_ id: ID<PersonRule>, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT due_at FROM person_rule WHERE id = \(id)")?.get("due_at")
    }

    static func setDue(_ at: Instant?, _ id: ID<PersonRule>, in tx: Transaction) throws {
        try tx.execute("UPDATE person_rule SET due_at = \(at) WHERE id = \(id)")
    }

    static func insert(_ rule: PersonRule, isInside: Bool?, lastAt: Instant?, now: Instant, in tx: Transaction) throws {
        let settings = rule.settings
        try tx.execute(
            """
            INSERT INTO person_rule (
                id, person_id, account_id, place_id, kind, dwell_minutes, days, from_minute, until_minute, by_minute,
                time_zone, version, created_at, is_inside, evaluated_at, arrived_at, due_at
            ) VALUES (
                \(rule.id), \(rule.person), \(rule.owner), \(rule.place), \(settings.kind),
                \(settings.dwellMinutes), \(settings.dayMask), \(settings.from?.minuteOfDay),
                \(settings.until?.minuteOfDay), \(settings.by?.minuteOfDay), \(settings.timeZone.identifier),
                \(rule.version), \(rule.createdAt), \(isInside), \(lastAt ?? now),
                \(isInside == true ? now : nil), \(settings.nextDeadline(after: now))
            )
            """
        )
    }

    /// Stores changed settings. Another place has no state yet, as a new rule.
    static func update(
        _ rule: PersonRule, isOtherPlace: Bool, isInside: Bool?, lastAt: Instant?, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE person_rule SET place_id = \(rule.place), \(sql: rule.settings.assignments(now: now)),
                version = \(rule.version)
            WHERE id = \(rule.id)
            """
        )
        guard isOtherPlace else { return }
        try update(
            GeofenceRule.State(isInside: isInside, evaluatedAt: lastAt ?? now), arrivedAt: isInside == true ? now : nil,
            of: rule.id, in: tx)
    }

    static func update(
        _ state: GeofenceRule.State, arrivedAt: Instant?, of id: ID<PersonRule>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE person_rule SET \(sql: state.assignments), arrived_at = \(arrivedAt) WHERE id = \(id)
            """
        )
    }

    /// - Returns: Whether the rule existed.
    static func delete(_ id: ID<PersonRule>, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM person_rule WHERE id = \(id)") == 1
    }

    /// Deletes the rules about a place that is deleted.
    /// - Returns: The people whom they were about.
    static func delete(about place: ID<SafePlace>, in tx: Transaction) throws -> [PersonID] {
        let people = try tx.rows(
            "SELECT DISTINCT person_id FROM person_rule WHERE place_id = \(place) ORDER BY person_id"
        ).map { try $0.get("person_id", as: PersonID.self) }
        try tx.execute("DELETE FROM person_rule WHERE place_id = \(place)")
        return people
    }

    /// Forgets where people are relative to a place whose area changed.
    static func reset(about place: ID<SafePlace>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE person_rule SET is_inside = NULL, pending_is_inside = NULL, pending_since = NULL, arrived_at = NULL
            WHERE place_id = \(place)
            """
        )
    }

    /// Increases the versions of the rules about a place whose area or name changed.
    /// - Returns: The changed rules.
    static func increaseVersions(about place: ID<SafePlace>, in tx: Transaction) throws -> [PersonRule] {
        try tx.execute("UPDATE person_rule SET version = version + 1 WHERE place_id = \(place)")
        return try tx.rows(
            """
            \(sql: select) WHERE r.place_id = \(place) ORDER BY r.id
            LIMIT \(Limits.rulesPerPerson * Limits.sharedPeople)
            """
        ).map(rule)
    }

    // MARK: Reading

    private static func watched(_ row: Row) throws -> Watched {
        Watched(
            rule: try rule(row), area: try SafePlaceStore.area(row),
            state: try GeofenceRule.State(row), arrivedAt: try row.get("arrived_at"))
    }

    private static func rule(_ row: Row) throws -> PersonRule {
        PersonRule(
            id: try row.get("id"), person: try row.get("person_id"), owner: try row.get("account_id"),
            place: try row.get("place_id"), placeName: try row.get("place_name"), settings: try GeofenceSettings(row),
            version: try row.get("version"), createdAt: try row.get("created_at"))
    }
}

import Kernel
import Storage

/// The state of the too-far rule for each item, in `whereabouts`, and the table `alert_setting`.
///
/// A report and a phone's position that arrive at the same time must not miss each other. Each transaction stores its
/// own position first. A report locks the item's row and then reads the phones' positions. A phone's position locks the
/// rows of all the owner's items before it reads them.
enum AlertStore {
    /// The data of an item that the rule needs.
    struct WatchedItem {
        let id: ID<Item>
        let owner: PersonID
        let name: String
        let rule: SeparationAlertRule
        /// `nil` before the first position, and while the item has no reporting tracker.
        let sighting: PositionSample?
        let state: SeparationAlertRule.State
        /// Whether the owner has chosen an alert mode.
        let hasChosenMode: Bool
        let watchedUntil: Instant?
        /// Whether other people can see the item, each with their own state.
        let isShared: Bool
        /// The item's distance for *near*, in metres.
        let lostMetres: Int
        /// `nil` while the item isn't in lost mode.
        let lostMode: LostModeRule.State?
    }

    /// A person who gets alerts about a shared item, with the person's own state.
    struct Watcher {
        let person: PersonID
        let name: String
        let rule: SeparationAlertRule
        let state: SeparationAlertRule.State
        /// Whether the person has chosen an alert mode. Until then, no alert is sent to them.
        let hasChosenMode: Bool
    }

    /// An expired switch doesn't count, even if housekeeping has not run yet.
    private static func select(now: Instant) -> SQL {
        """
        SELECT w.item_id, i.account_id, i.name, i.alert_metres, w.at, w.latitude, w.longitude, w.accuracy, w.speed,
            w.apart_since, w.alert_evidence, w.alert_evidence_at, w.watched_until, w.is_shared,
            w.lost_since, w.lost_apart,
            i.lost_metres,
            COALESCE(a.mode, 'everyTime') AS mode, CASE WHEN a.mode IS NULL THEN 0 ELSE 1 END AS has_chosen_mode,
            CASE WHEN s.id IS NOT NULL OR (
                t.state = 'active' AND (t.wanted = 'on' OR t.pending_until <= \(now))
            ) THEN 1 ELSE 0 END AS is_reporting
        FROM whereabouts w
        JOIN item i ON i.id = w.item_id
        LEFT JOIN alert_setting a ON a.account_id = i.account_id
        LEFT JOIN tracker t ON t.item_id = w.item_id
        LEFT JOIN source s ON s.item_id = w.item_id
        """
    }

    /// The item; the transaction already holds the lock on its row in `whereabouts`.
    static func watched(_ item: ID<Item>, now: Instant, in tx: Transaction) throws -> WatchedItem? {
        try tx.row("\(sql: select(now: now)) WHERE w.item_id = \(item)").map(read)
    }

    /// Locks the rows of all items that a person can see in `whereabouts` and returns the items.
    static func watched(of person: PersonID, now: Instant, in tx: Transaction) throws -> [WatchedItem] {
        let hold: SQL = tx.dialect == .postgres ? "FOR NO KEY UPDATE OF w" : SQL()
        return try tx.rows(
            """
            \(sql: select(now: now)) WHERE w.item_id IN (\(sql: ItemStore.visible(to: person))) ORDER BY w.item_id
            LIMIT \(Limits.itemsPerList) \(sql: hold)
            """
        ).map(read)
    }

    /// Extends the time until which the items that a person can see are watched, after a phone's position at `at`.
    static func watch(of person: PersonID, since at: Instant, in tx: Transaction) throws {
        let needed = at.adding(seconds: Limits.alertPositionSeconds)
        let until = needed.adding(seconds: Limits.alertWatchSlackSeconds)
        try tx.execute(
            """
            UPDATE whereabouts SET watched_until = \(until)
            WHERE item_id IN (\(sql: ItemStore.visible(to: person)))
                AND (watched_until IS NULL OR watched_until < \(needed))
            """
        )
    }

    /// Sets the time until which a new item is watched.
    static func watch(_ item: ID<Item>, of owner: PersonID, in tx: Transaction) throws {
        let row = try tx.row("SELECT MAX(at) AS latest FROM phone_position WHERE account_id = \(owner)")
        guard let latest: Instant = try row?.get("latest") else { return }
        let until = latest.adding(seconds: Limits.alertPositionSeconds + Limits.alertWatchSlackSeconds)
        try tx.execute(
            """
            UPDATE whereabouts SET watched_until = \(until)
            WHERE item_id = \(item) AND (watched_until IS NULL OR watched_until < \(until))
            """
        )
    }

    /// The people with whom each of some shared items is shared, as the rule needs them.
    static func watchers(of items: [ID<Item>], in tx: Transaction) throws -> [ID<Item>: [Watcher]] {
        try tx.rows(
            """
            SELECT m.item_id, m.account_id, COALESCE(m.name, i.name) AS name,
                COALESCE(m.alert_metres, i.alert_metres) AS alert_metres, m.apart_since, m.alert_evidence,
                m.alert_evidence_at, COALESCE(a.mode, 'everyTime') AS mode,
                CASE WHEN a.mode IS NULL THEN 0 ELSE 1 END AS has_chosen_mode
            FROM item_member m
            JOIN item i ON i.id = m.item_id
            LEFT JOIN alert_setting a ON a.account_id = m.account_id
            WHERE m.item_id IN \(list: items) ORDER BY m.item_id, m.account_id
            LIMIT \(items.count * Limits.peoplePerItem)
            """
        ).reduce(into: [:]) { found, row in
            found[try row.get("item_id"), default: []].append(
                Watcher(
                    person: try row.get("account_id"), name: try row.get("name"), rule: try rule(row),
                    state: try state(row), hasChosenMode: try row.get("has_chosen_mode")))
        }
    }

    static func update(
        _ state: SeparationAlertRule.State, of item: ID<Item>, member: PersonID, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE item_member SET apart_since = \(state.apartSince), alert_evidence = \(state.evidence),
                alert_evidence_at = \(state.evidenceAt)
            WHERE item_id = \(item) AND account_id = \(member)
            """
        )
    }

    /// The last positions of the phones of everyone who can see each of some items, without those that are too old, by
    /// item and person: one query for all.
    static func phones(
        ofPeopleOf items: [ID<Item>], now: Instant, in tx: Transaction
    ) throws -> [ID<Item>: [PersonID: [PositionSample]]] {
        guard !items.isEmpty else { return [:] }
        let since = now.adding(seconds: -Limits.alertPositionSeconds)
        return try tx.rows(
            """
            SELECT v.item_id, p.account_id, p.at, p.latitude, p.longitude, p.accuracy
            FROM (
                SELECT id AS item_id, account_id FROM item WHERE id IN \(list: items)
                UNION ALL SELECT item_id, account_id FROM item_member WHERE item_id IN \(list: items)
            ) v JOIN phone_position p ON p.account_id = v.account_id
            WHERE p.at > \(since) ORDER BY v.item_id, p.account_id, p.at DESC
            LIMIT \(items.count * (Limits.peoplePerItem + 1) * PositionStore.phonesPerAccount)
            """
        ).reduce(into: [:]) { found, row in
            guard let sample = try sighting(row) else { return }
            found[try row.get("item_id"), default: [:]][try row.get("account_id"), default: []].append(sample)
        }
    }

    static func update(_ state: SeparationAlertRule.State, of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE whereabouts SET apart_since = \(state.apartSince), alert_evidence = \(state.evidence),
                alert_evidence_at = \(state.evidenceAt)
            WHERE item_id = \(item)
            """
        )
    }

    /// Forgets a separation, so that the next position can cause a new alert.
    static func reset(_ item: ID<Item>, in tx: Transaction) throws {
        try update(SeparationAlertRule.State(), of: item, in: tx)
    }

    /// Forgets the separations of a person from their items and those that they can see, so that the next positions can
    /// cause new alerts. An item that was never near the person stays so.
    /// - Parameter area: Only items whose last position is in this area; `nil` for all.
    static func endSeparations(
        of person: PersonID, within area: SafeArea? = nil, now: Instant, in tx: Transaction
    ) throws {
        let items = try watched(of: person, now: now, in: tx).filter { item in
            guard let area else { return true }
            return item.sighting.map { area.contains($0.coordinate) } ?? false
        }
        for item in items where item.owner == person { try reset(item.id, in: tx) }
        let shared = items.filter { $0.owner != person }.map(\.id)
        guard !shared.isEmpty else { return }
        try tx.execute(
            """
            UPDATE item_member SET apart_since = NULL, alert_evidence = 0, alert_evidence_at = NULL
            WHERE account_id = \(person) AND item_id IN \(list: shared) AND apart_since <> joined_at
            """
        )
    }

    /// The last positions of an account's phones, without those that are too old.
    static func phones(of owner: PersonID, now: Instant, in tx: Transaction) throws -> [PositionSample] {
        let since = now.adding(seconds: -Limits.alertPositionSeconds)
        return try tx.rows(
            """
            SELECT at, latitude, longitude, accuracy FROM phone_position
            WHERE account_id = \(owner) AND at > \(since) ORDER BY at DESC
            LIMIT \(PositionStore.phonesPerAccount)
            """
        ).compactMap { try sighting($0) }
    }

    // MARK: Alert mode

    static func mode(of owner: PersonID, in tx: Transaction) throws -> AlertMode {
        try choice(of: owner, in: tx) ?? .everyTime
    }

    /// The mode that the owner chose; `nil` before the first choice.
    static func choice(of owner: PersonID, in tx: Transaction) throws -> AlertMode? {
        try tx.row("SELECT mode FROM alert_setting WHERE account_id = \(owner)")?.get("mode")
    }

    /// The settings that ``PresenceRule`` needs.
    static func alerts(of owner: PersonID, in tx: Transaction) throws -> PresenceRule.Alerts {
        let places = try SafePlaceStore.page(of: owner, after: nil, limit: Limits.safePlacesPerAccount, in: tx)
        return PresenceRule.Alerts(
            mode: try mode(of: owner, in: tx), safePlaces: places.map(\.area), names: PlaceNames(places))
    }

    /// Whether an item that a person can see has a tracker or a position source.
    static func hasTracker(_ person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS one FROM item i WHERE i.id IN (\(sql: ItemStore.visible(to: person)))
                AND i.deleted_at IS NULL AND (
                EXISTS (SELECT 1 FROM tracker t WHERE t.item_id = i.id)
                OR EXISTS (SELECT 1 FROM source s WHERE s.item_id = i.id)
            ) LIMIT 1
            """
        ) != nil
    }

    static func setMode(_ mode: AlertMode, of owner: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO alert_setting (account_id, mode) VALUES (\(owner), \(mode))
            ON CONFLICT (account_id) DO UPDATE SET mode = excluded.mode
            """
        )
    }

    static func deleteAll(of owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM alert_setting WHERE account_id = \(owner)")
    }

    // MARK: Reading

    private static func read(_ row: Row) throws -> WatchedItem {
        let isReporting: Bool = try row.get("is_reporting")
        let lostSince: Instant? = try row.get("lost_since")
        return WatchedItem(
            id: try row.get("item_id"), owner: try row.get("account_id"), name: try row.get("name"),
            rule: try rule(row),
            sighting: isReporting ? try sighting(row, speedMetresPerSecond: row.get("speed")) : nil,
            state: try state(row), hasChosenMode: try row.get("has_chosen_mode"),
            watchedUntil: try row.get("watched_until"), isShared: try row.get("is_shared"),
            lostMetres: try row.get("lost_metres"),
            lostMode: try lostSince.map { LostModeRule.State(since: $0, isApart: try row.get("lost_apart")) }
        )
    }

    private static func rule(_ row: Row) throws -> SeparationAlertRule {
        SeparationAlertRule(mode: try row.get("mode"), alertMetres: try row.get("alert_metres"))
    }

    private static func state(_ row: Row) throws -> SeparationAlertRule.State {
        SeparationAlertRule.State(
            apartSince: try row.get("apart_since"), evidence: try row.get("alert_evidence"),
            evidenceAt: try row.get("alert_evidence_at"))
    }

    private static func sighting(_ row: Row, speedMetresPerSecond: Double? = nil) throws -> PositionSample? {
        guard let at: Instant = try row.get("at") else { return nil }
        return PositionSample(
            at: at, coordinate: try row.coordinate(), accuracyMetres: try row.get("accuracy"),
            speedMetresPerSecond: speedMetresPerSecond
        )
    }
}

import Kernel
import Storage
import TrackerProtocol

/// An item with all data of its row in the list, read without its history.
struct ItemOverviewRow {
    let item: Item
    let tracker: TrackerStatus?
    let lastFix: Fix?
    let apartSince: Instant?
    let parkedSince: Instant?
    /// The start of lost mode; `nil` while it is off.
    let lostSince: Instant?
    /// What the reader may do with the item.
    let access: ItemAccess
    /// The name of the owner; `nil` for the owner.
    let ownerName: String?
    /// Whether other people can see the item.
    let isShared: Bool
    /// Whether a shared item was never near the reader's phone, so that it can't be lost.
    let wasNeverNear: Bool

    /// - Parameter others: The recent phone positions of other people who can see the item.
    func overview(
        phone: PhoneFix?, alerts: PresenceRule.Alerts, others: [PositionSample], now: Instant
    ) -> ItemOverview {
        let verdict = Separation.verdict(
            lastFix: lastFix?.coordinate, hasTracker: tracker != nil, phone: phone?.coordinate,
            lostMetres: item.settings.lostMetres
        )
        let isSilent = tracker.map {
            Silence.isSilent(
                state: $0.state, lastSeenAt: $0.lastSeenAt, locateMinutes: item.settings.locateMinutes, now: now
            )
        }
        let presence = PresenceRule.presence(
            verdict, lastPlace: lastFix?.coordinate, tracker: tracker, apartSince: apartSince,
            isSilent: isSilent ?? false,
            isWithOther: lastFix.map { fix in
                others.contains { isNear($0, to: fix.coordinate) }
            } ?? false, wasNeverNear: wasNeverNear, alerts: alerts
        )
        return ItemOverview(
            item: item, tracker: tracker, lastFix: lastFix, lost: verdict.lost, distanceMetres: verdict.distanceMetres,
            distanceFrom: verdict.distanceMetres == nil ? nil : phone?.origin,
            unknownReason: verdict.unknownReason, isBatteryLow: Battery.isLow(tracker?.batteryPercent),
            isSilent: isSilent ?? false,
            tooFarSince: presence == .apart ? nil : tooFarSince(distanceMetres: verdict.distanceMetres),
            presence: presence, parkedSince: parkedSince, lostSince: lostSince,
            place: lastFix.map { alerts.names.description(of: $0.coordinate) },
            access: access, ownerName: ownerName, isShared: isShared
        )
    }

    private func isNear(_ phone: PositionSample, to place: Coordinate) -> Bool {
        !Separation.isFarther(phone.coordinate.distanceMetres(to: place), thanMetres: item.settings.lostMetres)
    }

    /// No separation is shown for an item that is switched off or in a safe place, or to a phone near the item.
    private func tooFarSince(distanceMetres: Double?) -> Instant? {
        guard let apartSince, let tracker, tracker.wanted == .on else { return nil }
        if let distanceMetres, !Separation.isFarther(distanceMetres, thanMetres: item.settings.alertMetres) {
            return nil
        }
        return apartSince
    }
}

/// Reads a page of the list with one query. A deleted item has no row in `whereabouts`, so the join excludes it.
enum OverviewStore {
    private static let select: SQL = """
        SELECT i.id, i.account_id, COALESCE(m.name, i.name) AS name, i.picture_id, i.locate_minutes, i.lost_metres,
            COALESCE(m.alert_metres, i.alert_metres) AS alert_metres, i.walk_metres, i.keep_days, i.silent_hours,
            i.version, i.created_at,
            w.series, w.at, w.latitude, w.longitude, w.accuracy, w.altitude, w.speed, w.heading, w.battery, w.source,
            w.device_battery, w.last_seen_at, w.is_shared, w.parked_since, w.lost_since,
            CASE WHEN m.access IS NULL THEN w.apart_since WHEN m.apart_since <> m.joined_at THEN m.apart_since
                END AS apart_since,
            CASE WHEN m.apart_since = m.joined_at THEN 1 ELSE 0 END AS was_never_near,
            m.access AS member_access, o.name AS owner_name,
            t.id AS tracker_id, t.state AS tracker_state, t.mode, t.wanted, t.pending_since, t.pending_until,
            t.off_since,
            s.id AS source_id, s.kind AS source_kind, s.state AS source_state
        FROM item i
        JOIN whereabouts w ON w.item_id = i.id
        LEFT JOIN tracker t ON t.item_id = i.id
        LEFT JOIN source s ON s.item_id = i.id
        """

    /// The reader's row of a shared item, and its owner.
    private static func joins(_ person: PersonID) -> SQL {
        """
        LEFT JOIN item_member m ON m.item_id = i.id AND m.account_id = \(person)
        LEFT JOIN account o ON o.id = i.account_id AND m.access IS NOT NULL
        """
    }

    /// The items of a person and those that are shared with them.
    static func page(
        of person: PersonID, after: ID<Item>?, limit: Int, now: Instant, in tx: Transaction
    ) throws -> [ItemOverviewRow] {
        try tx.rows(
            """
            \(sql: select) \(sql: joins(person)) WHERE i.id IN (\(sql: ItemStore.visible(to: person)))
            \(sql: .after(after, "i.id")) ORDER BY i.id LIMIT \(limit)
            """
        ).map { try read($0, now: now) }
    }

    static func one(_ id: ID<Item>, of person: PersonID, now: Instant, in tx: Transaction) throws -> ItemOverviewRow? {
        try tx.row(
            """
            \(sql: select) \(sql: joins(person))
            WHERE i.id = \(id) AND (i.account_id = \(person) OR m.access IS NOT NULL)
            """
        ).map { try read($0, now: now) }
    }

    private static func read(_ row: Row, now: Instant) throws -> ItemOverviewRow {
        ItemOverviewRow(
            item: try ItemStore.read(row), tracker: try tracker(row, now: now), lastFix: try lastFix(row),
            apartSince: try row.get("apart_since"), parkedSince: try row.get("parked_since"),
            lostSince: try row.get("lost_since"), access: try row.get("member_access") ?? .own,
            ownerName: try row.get("owner_name"),
            isShared: try row.get("is_shared"), wasNeverNear: try row.get("was_never_near")
        )
    }

    private static func lastFix(_ row: Row) throws -> Fix? {
        guard let at: Instant = try row.get("at") else { return nil }
        return try FixStore.fix(row, at: at, series: row.get("series"), source: row.get("source"))
    }

    private static func tracker(_ row: Row, now: Instant) throws -> TrackerStatus? {
        let battery: Int? = try row.get("device_battery")
        let lastSeenAt: Instant? = try row.get("last_seen_at")
        if let id: String = try row.get("source_id") {
            let kind: SourceKind = try row.get("source_kind")
            return TrackerStatus(
                id: id, kind: kind == .owntracks ? .owntracks : .osmand, state: try row.get("source_state"),
                mode: .cellular, batteryPercent: battery, lastSeenAt: lastSeenAt, wanted: .on, pending: false,
                pendingSince: nil, timedOut: false, canSwitch: false, canLocate: kind == .owntracks
            )
        }
        guard let id: String = try row.get("tracker_id") else { return nil }
        let mode: String = try row.get("mode")
        let state: TrackerState = try row.get("tracker_state")
        let asked: SwitchState = try row.get("wanted")
        let pendingSince: Instant? = try row.get("pending_since")
        let pendingUntil: Instant? = try row.get("pending_until")
        let isLate = pendingUntil.map { $0 <= now } ?? false
        let confirmed: SwitchState? = state == .active ? .on : state == .off ? .off : nil
        let wanted = isLate ? confirmed ?? asked : asked
        let isRecent = pendingUntil.map { now.seconds(since: $0) < Double(Limits.switchNoteSeconds) } ?? false
        return TrackerStatus(
            id: id, kind: .homeward, state: state,
            mode: TrackerMode(rawValue: mode) ?? .cellular,
            batteryPercent: battery, lastSeenAt: lastSeenAt, wanted: wanted, pending: pendingUntil != nil && !isLate,
            pendingSince: pendingSince, timedOut: isLate && (isRecent || confirmed == nil),
            hasReportedSince: pendingUntil.flatMap { until in lastSeenAt.map { $0 > until } } ?? false,
            canSwitch: true, canLocate: wanted == .on,
            offSince: try row.get("off_since")
        )
    }
}

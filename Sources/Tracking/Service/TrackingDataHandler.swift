import Accounts
import Kernel
import Pictures
import Recurrence
import Storage

/// Exports and deletes Tracking's data of an account.
struct TrackingDataHandler: AccountDataHandler {
    let database: Database
    let eraser: ItemEraser
    let memberships: ItemMembershipEnder
    let positions: PositionShareEnder
    let histories: HistorySweeper
    let credentials: CredentialCache
    let separations: SeparationHistoryService
    let clock: any WallClock
    let random: any RandomSource

    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] {
        let now = clock.now
        let visible = try OverviewStore.page(of: person, after: nil, limit: Limits.itemsPerList, now: now, in: tx)
        let items = visible.filter { $0.access == .own }
        let sources = try SourceStore.page(of: person, after: nil, limit: Limits.sourcesPerAccount, in: tx)
        let since = Instant(millisecondsSince1970: 0)
        let positions = try PositionStore.positions(of: person, since: since, in: tx)
        return [
            (path: "tracking/items.json", contents: try items.map(ExportedItem.init).json(isReadable: true)),
            (
                path: "tracking/shared-items.json",
                contents: try visible.filter { $0.access != .own }.map(ExportedSharedItem.init).json(isReadable: true)
            ),
            (path: "tracking/sources.json", contents: try sources.map(ExportedSource.init).json(isReadable: true)),
            (path: "tracking/phones.json", contents: try positions.map(ExportedPosition.init).json(isReadable: true)),
            (path: "tracking/defaults.json", contents: try ExportedDefaults(of: person, in: tx).json(isReadable: true)),
            (
                path: "tracking/item-alerts.json",
                contents: try ItemAlertStore.all(of: person, in: tx).map(ExportedItemAlert.init).json(isReadable: true)
            ),
            (path: "tracking/alerts.json", contents: try ExportedAlerts(of: person, in: tx).json(isReadable: true)),
            (
                path: "tracking/live-links.json",
                contents: try LiveLinkStore.page(
                    of: person, before: nil, limit: Limits.pageSizeMaximum, in: tx
                ).map(ExportedLiveLink.init).json(isReadable: true)
            ),
            (
                path: "tracking/people.json",
                contents: try ExportedPeople(of: person, now: now, in: tx).json(isReadable: true)
            ),
            (
                path: "tracking/parkings.json",
                contents: try items.flatMap { try ExportedParking.all(of: $0.item.id, in: tx) }.json(isReadable: true)
            ),
            (
                path: "tracking/lost-items.json",
                contents: try items.compactMap { try ExportedLostItem($0.item, in: tx) }.json(isReadable: true)
            ),
        ]
    }

    func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName? {
        let count = try ItemStore.count(of: person, in: tx) + ItemMemberStore.count(sharedWith: person, in: tx)
        return count > 0 ? .tracking : nil
    }

    /// The history, and the stays and trips, of each item, and the distances of items to the person's phones.
    func attachments(of person: PersonID) async throws -> [ExportAttachment] {
        let items = try await database.read { tx in
            try ItemStore.ids(of: person, in: tx).compactMap { try ItemStore.item($0, of: person, in: tx) }
        }
        try await separations.store(of: person)
        let distances = ExportAttachment(
            path: "tracking/distances.json",
            pieces: { [database] in SeparationExport(person: person, database: database) })
        let histories = items.flatMap { item in
            [
                ExportAttachment(
                    path: "tracking/histories/\(item.id).gpx",
                    pieces: { [database] in HistoryExport(item: item, for: person, format: .gpx, database: database) }),
                ExportAttachment(
                    path: "tracking/days/\(item.id).json",
                    pieces: { [database] in EpisodeExport(item: item.id, database: database) }),
            ]
        }
        return histories + [distances]
    }

    func checkErasure(of person: PersonID, in tx: Transaction) throws {}

    /// Revokes invitations to items and live links. Sources stay: they report positions and read none, and their
    /// secrets are in the settings of phones.
    func revokeGrants(of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction) throws {
        try memberships.revokeGrants(of: person, now: now, in: tx)
    }

    /// Keeps the pictures; the picture library deletes its own data.
    func erase(_ person: PersonID, in tx: Transaction) throws {
        let now = clock.now
        for item in try ItemStore.ids(of: person, in: tx) {
            let release = ID<Command>(at: now, random: self.random)
            try eraser.erase(item, of: person, deletingPicture: false, fixes: 0, release: release, now: now, in: tx)
        }
        for id in try ItemMemberStore.items(sharedWith: person, in: tx) {
            // The item's owner may delete it at the same time.
            guard let item = try? ItemStore.lock(id, of: person, requires: .see, in: tx) else { continue }
            try memberships.end(person, of: item, by: person, now: now, in: tx)
        }
        try positions.endAll(with: person, now: now, in: tx)
        try PositionViewStore.deleteAll(of: person, in: tx)
        // The account is deleted at once, regardless of the length of its histories. The remaining positions have no
        // owner.
        try ItemStore.removeOwner(person, in: tx)
        try QuarantineStore.deleteAll(of: person, in: tx)
        try PositionStore.deleteAll(of: person, in: tx)
        try SourceStore.deleteAll(of: person, in: tx)
        try GeofenceStore.deleteAll(of: person, in: tx)
        try SafePlaceStore.deleteAll(of: person, in: tx)
        try AlertStore.deleteAll(of: person, in: tx)
        try LiveLinkStore.deleteAll(of: person, in: tx)
        try ItemAlertStore.deleteAll(of: person, in: tx)
        try SeparationHistoryStore.deleteAll(of: person, in: tx)
        try ItemDefaultsStore.deleteAll(of: person, in: tx)
        tx.afterCommit { [credentials] in credentials.dropAll() }
    }

    /// Removes short histories before the response. Housekeeping removes the rest of long ones, also after a crash.
    func afterErasure() async throws {
        for _ in 0..<Limits.slicesWithDeletion {
            guard try await histories.sweepPart() else { return }
        }
    }
}

private struct ExportedItem: Encodable {
    let id: ID<Item>
    let name: String
    let pictureId: ID<Picture>?
    let trackerId: String?
    let locateMinutes: Int
    let lostMetres: Int
    let alertMetres: Int
    let walkMetres: Int
    let keepDays: Int?
    let silentHours: Int?
    let parkedSince: Instant?
    let createdAt: Instant

    init(_ stored: ItemOverviewRow) {
        let item = stored.item
        id = item.id
        name = item.name
        pictureId = item.pictureID
        trackerId = stored.tracker?.id
        locateMinutes = item.settings.locateMinutes
        lostMetres = item.settings.lostMetres
        alertMetres = item.settings.alertMetres
        walkMetres = item.settings.walkMetres
        keepDays = item.settings.keepDays
        silentHours = item.settings.silentHours
        parkedSince = stored.parkedSince
        createdAt = item.createdAt
    }
}

/// An item of another person.
private struct ExportedSharedItem: Encodable {
    let id: ID<Item>
    let name: String
    let owner: String?
    let access: String

    init(_ stored: ItemOverviewRow) {
        id = stored.item.id
        name = stored.item.name
        owner = stored.ownerName
        access = stored.access.rawValue
    }
}

/// A past or present parking of an item.
private struct ExportedParking: Encodable {
    let itemId: ID<Item>
    let startedAt: Instant
    let endedAt: Instant?
    /// The position at the start; `nil` when it wasn't known then.
    let at: Instant?
    let latitude: Double?
    let longitude: Double?
    let accuracyMetres: Double?

    static func all(of item: ID<Item>, in tx: Transaction) throws -> [ExportedParking] {
        try ParkingHistoryStore.parkings(of: item, since: Instant(millisecondsSince1970: 0), in: tx).map {
            let position = $0.start.position
            return ExportedParking(
                itemId: item, startedAt: $0.start.since, endedAt: $0.endedAt, at: position?.at,
                latitude: position?.coordinate.latitude, longitude: position?.coordinate.longitude,
                accuracyMetres: position?.accuracyMetres)
        }
    }
}

/// A source without its secrets.
private struct ExportedSource: Encodable {
    let id: ID<Source>
    let kind: String
    let itemId: ID<Item>?
    let lastSeenAt: Instant?
    let createdAt: Instant

    init(_ source: Source) {
        id = source.id
        kind = source.kind.rawValue
        itemId = source.itemID
        lastSeenAt = source.lastSeenAt
        createdAt = source.createdAt
    }
}

private struct ExportedPosition: Encodable {
    let at: Instant
    let latitude: Double
    let longitude: Double

    init(_ position: PhoneFix) {
        at = position.at
        latitude = position.coordinate.latitude
        longitude = position.coordinate.longitude
    }
}

/// The settings for new items.
private struct ExportedDefaults: Encodable {
    let locateMinutes: Int
    let lostMetres: Int
    let alertMetres: Int
    let walkMetres: Int

    init(of person: PersonID, in tx: Transaction) throws {
        let settings = try ItemDefaultsStore.defaults(of: person, in: tx).settings
        locateMinutes = settings.locateMinutes
        lostMetres = settings.lostMetres
        alertMetres = settings.alertMetres
        walkMetres = settings.walkMetres
    }
}

/// An alert about an item with its evidence.
private struct ExportedItemAlert: Encodable {
    let id: ID<ItemAlert>
    let itemId: ID<Item>
    let kind: String
    let at: Instant
    let evidence: AlertEvidence

    init(_ alert: ItemAlert) {
        id = alert.id
        itemId = alert.item
        kind = alert.kind.rawValue
        at = alert.at
        evidence = alert.evidence
    }
}

/// The alert mode, the safe places and the rules about them.
private struct ExportedAlerts: Encodable {
    struct Place: Encodable {
        let id: ID<SafePlace>
        let name: String
        let latitude: Double
        let longitude: Double
        let radiusMetres: Int
        let outline: [String]
        let createdAt: Instant

        init(_ place: SafePlace) {
            id = place.id
            name = place.name
            latitude = place.centre.latitude
            longitude = place.centre.longitude
            radiusMetres = place.radiusMetres
            outline = place.outline.map(PlaceOutline.text)
            createdAt = place.createdAt
        }
    }

    struct Rule: Encodable {
        let id: ID<Geofence>
        let itemId: ID<Item>
        let placeId: ID<SafePlace>
        let kind: String
        let dwellMinutes: Int
        let days: [String]
        let from: String?
        let until: String?
        let by: String?
        let timeZone: String

        init(_ geofence: Geofence) {
            let settings = geofence.settings
            id = geofence.id
            itemId = geofence.item
            placeId = geofence.place
            kind = settings.kind.rawValue
            dwellMinutes = settings.dwellMinutes
            days = settings.days.map(\.code)
            from = settings.from?.text
            until = settings.until?.text
            by = settings.by?.text
            timeZone = settings.timeZone.identifier
        }
    }

    let mode: String
    let safePlaces: [Place]
    let rules: [Rule]

    init(of person: PersonID, in tx: Transaction) throws {
        mode = try AlertStore.mode(of: person, in: tx).rawValue
        safePlaces = try SafePlaceStore.page(of: person, after: nil, limit: Limits.safePlacesPerAccount, in: tx)
            .map(Place.init)
        rules = try GeofenceStore.all(of: person, in: tx).map(Rule.init)
    }
}

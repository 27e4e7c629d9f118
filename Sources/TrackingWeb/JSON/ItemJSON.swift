import Kernel
import Pictures
import Tracking
import TrackerProtocol
import WebCore

/// An item as JSON.
struct ItemJSON: Encodable {
    let id: ID<Item>
    let name: String
    @Nullable var pictureId: ID<Picture>?
    @Nullable var tracker: TrackerJSON?
    @Nullable var lastFix: FixJSON?
    let lost: Bool
    /// The distance from the phone in metres.
    @Nullable var distance: Double?
    /// The time since which every phone has been farther away than the alert's distance.
    @Nullable var tooFarSince: Instant?
    /// The time since which the item is parked.
    @Nullable var parkedSince: Instant?
    let settings: ItemSettingsJSON
    /// What the reader may do with the item: `see`, `locate`, `manage` or `own`.
    let access: String
    let version: Int64

    init(_ overview: ItemOverview) {
        id = overview.item.id
        name = overview.item.name
        _pictureId = Nullable(wrappedValue: overview.item.pictureID)
        _tracker = Nullable(wrappedValue: overview.tracker.map(TrackerJSON.init))
        _lastFix = Nullable(wrappedValue: overview.lastFix.map(FixJSON.init))
        lost = overview.lost
        _distance = Nullable(wrappedValue: overview.distanceMetres)
        _tooFarSince = Nullable(wrappedValue: overview.tooFarSince)
        _parkedSince = Nullable(wrappedValue: overview.parkedSince)
        settings = ItemSettingsJSON(overview.item.settings)
        access = overview.access.rawValue
        version = overview.item.version
    }
}

/// An item's settings as JSON: whole minutes, metres, days and hours.
struct ItemSettingsJSON: Encodable {
    let locateMinutes: Int
    let lostMetres: Int
    let alertMetres: Int
    let walkMetres: Int
    @Nullable var keepDays: Int?
    @Nullable var silentHours: Int?

    init(_ settings: ItemSettings) {
        locateMinutes = settings.locateMinutes
        lostMetres = settings.lostMetres
        alertMetres = settings.alertMetres
        walkMetres = settings.walkMetres
        _keepDays = Nullable(wrappedValue: settings.keepDays)
        _silentHours = Nullable(wrappedValue: settings.silentHours)
    }
}

/// A tracker as JSON.
struct TrackerJSON: Encodable {
    let id: String
    let state: String
    let mode: String
    /// The battery level in whole percent.
    @Nullable var battery: Int?
    @Nullable var lastSeenAt: Instant?
    let wanted: String
    let pending: Bool

    init(_ status: TrackerStatus) {
        id = status.id
        state = status.state.rawValue
        mode = status.mode.rawValue
        _battery = Nullable(wrappedValue: status.batteryPercent)
        _lastSeenAt = Nullable(wrappedValue: status.lastSeenAt)
        wanted = status.wanted.rawValue
        pending = status.pending
    }
}

/// A position fix as JSON: degrees, metres, metres per second, whole percent.
struct FixJSON: Encodable {
    let id: ID<Fix>
    let at: Instant
    let latitude: Double
    let longitude: Double
    @Nullable var accuracy: Double?
    @Nullable var altitude: Double?
    @Nullable var speed: Double?
    @Nullable var heading: Double?
    @Nullable var battery: Int?
    let source: String

    init(_ fix: Fix) {
        id = fix.id
        at = fix.at
        latitude = fix.coordinate.latitude
        longitude = fix.coordinate.longitude
        _accuracy = Nullable(wrappedValue: fix.accuracyMetres)
        _altitude = Nullable(wrappedValue: fix.altitudeMetres)
        _speed = Nullable(wrappedValue: fix.speedMetresPerSecond)
        _heading = Nullable(wrappedValue: fix.headingDegrees)
        _battery = Nullable(wrappedValue: fix.batteryPercent)
        source = fix.source.rawValue
    }
}

/// A command as JSON.
struct CommandJSON: Encodable {
    let id: ID<Command>
    let kind: String
    let state: String
    @Nullable var expiresAt: Instant?
    let version: Int64

    init(_ command: Command) {
        id = command.id
        kind = command.kind.rawValue
        state = command.state.rawValue
        _expiresAt = Nullable(wrappedValue: command.expiresAt)
        version = command.version
    }
}

/// The navigation link to an item as JSON.
struct NavigationJSON: Encodable {
    let url: String
    let mode: String

    init(_ link: NavigationLink) {
        url = link.url
        mode = link.mode.rawValue
    }
}

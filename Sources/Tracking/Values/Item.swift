package import Kernel
package import Pictures

/// An object that its owner tracks.
package struct Item: Sendable, Equatable {
    package let id: ID<Item>
    package let owner: PersonID
    /// The owner's name for the item (see `DisplayName`).
    package let name: String
    /// The photo; `nil` for the placeholder.
    package let pictureID: ID<Picture>?
    package let settings: ItemSettings
    /// Increases by one with each change by the owner; fixes don't count.
    package let version: Int64
    package let createdAt: Instant

    package init(
        id: ID<Item>, owner: PersonID, name: String, pictureID: ID<Picture>?, settings: ItemSettings, version: Int64,
        createdAt: Instant
    ) {
        self.id = id
        self.owner = owner
        self.name = name
        self.pictureID = pictureID
        self.settings = settings
        self.version = version
        self.createdAt = createdAt
    }
}

/// The owner's settings of one item.
package struct ItemSettings: Sendable, Equatable {
    /// Minutes between two *locate* commands, 1 to 1440.
    package var locateMinutes: Int
    /// The distance in metres from the phone beyond which the item is *lost*, 1 to 100,000.
    package var lostMetres: Int
    /// The distance in metres from the phone beyond which the owner gets an alert, 1 to 100,000.
    package var alertMetres: Int
    /// The longest distance in metres for walking; beyond it, navigation uses public transport. 0 to 100,000.
    package var walkMetres: Int
    /// Days for which fixes are kept, 1 to 3650; `nil` keeps them forever.
    package var keepDays: Int?
    /// Hours without a report after which people are notified, 1 to 168; `nil` for never.
    package var silentHours: Int?

    /// Creates settings; omitted values get the product's defaults.
    package init(
        locateMinutes: Int = 10, lostMetres: Int = 5, alertMetres: Int = 10, walkMetres: Int = 2_000,
        keepDays: Int? = nil, silentHours: Int? = nil
    ) {
        self.locateMinutes = locateMinutes
        self.lostMetres = lostMetres
        self.alertMetres = alertMetres
        self.walkMetres = walkMetres
        self.keepDays = keepDays
        self.silentHours = silentHours
    }

    /// The product's defaults: every 10 minutes, 5 m, 10 m, 2,000 m.
    package static let standard = ItemSettings()
}

/// An account's settings for new items.
package struct ItemDefaults: Sendable, Equatable {
    package let settings: ItemSettings
    /// Increases by one with each change; 1 before the first.
    package let version: Int64

    package init(settings: ItemSettings, version: Int64) {
        self.settings = settings
        self.version = version
    }
}

/// The change of one field in a PATCH request.
package enum FieldChange<Value: Sendable>: Sendable {
    /// The field is absent and keeps its value.
    case unchanged
    /// The field is null.
    case clear
    case set(Value)
}

extension FieldChange: Equatable where Value: Equatable {}

/// The data of a new item, before validation.
package struct ItemInput: Sendable {
    package let name: String
    /// A picture of the owner's library.
    package let pictureID: ID<Picture>?

    package init(name: String, pictureID: ID<Picture>? = nil) {
        self.name = name
        self.pictureID = pictureID
    }
}

/// A change of an item, before validation.
package struct ItemPatch: Sendable {
    /// The new name; clearing it is an error at `name`.
    package let name: FieldChange<String>
    /// The new picture; clearing it restores the placeholder.
    package let pictureID: FieldChange<ID<Picture>>
    /// The new settings; clearing all of them restores the account's defaults.
    package let settings: FieldChange<SettingsPatch>

    package init(
        name: FieldChange<String> = .unchanged, pictureID: FieldChange<ID<Picture>> = .unchanged,
        settings: FieldChange<SettingsPatch> = .unchanged
    ) {
        self.name = name
        self.pictureID = pictureID
        self.settings = settings
    }
}

/// A change of an item's settings. Clearing a setting restores the account's default. The service checks the ranges and
/// names an invalid setting as `settings.lostMetres`.
package struct SettingsPatch: Sendable, Equatable {
    package let locateMinutes: FieldChange<Int>
    package let lostMetres: FieldChange<Int>
    package let alertMetres: FieldChange<Int>
    package let walkMetres: FieldChange<Int>
    /// Clearing it keeps fixes forever.
    package let keepDays: FieldChange<Int>
    /// Clearing it turns the notification off.
    package let silentHours: FieldChange<Int>

    package init(
        locateMinutes: FieldChange<Int> = .unchanged, lostMetres: FieldChange<Int> = .unchanged,
        alertMetres: FieldChange<Int> = .unchanged, walkMetres: FieldChange<Int> = .unchanged,
        keepDays: FieldChange<Int> = .unchanged, silentHours: FieldChange<Int> = .unchanged
    ) {
        self.locateMinutes = locateMinutes
        self.lostMetres = lostMetres
        self.alertMetres = alertMetres
        self.walkMetres = walkMetres
        self.keepDays = keepDays
        self.silentHours = silentHours
    }
}

/// An item with all data of its row in the list and its details page.
package struct ItemOverview: Sendable, Equatable {
    package let item: Item
    /// The tracker; `nil` before one is paired.
    package let tracker: TrackerStatus?
    package let lastFix: Fix?
    /// Whether the item is farther from the phone than ``ItemSettings/lostMetres``; false for an unknown distance.
    package let lost: Bool
    /// The distance in metres from the phone to the item.
    package let distanceMetres: Double?
    /// The phone from which the distance is measured; `nil` for an unknown distance.
    package let distanceFrom: DistanceOrigin?
    /// The reason for an unknown distance; `nil` for a known one.
    package let unknownReason: DistanceUnknown?
    /// Whether the tracker's battery is at ``Battery/lowPercent`` or below.
    package let isBatteryLow: Bool
    /// Whether an active tracker has not reported for more than two intervals.
    package let isSilent: Bool
    /// The start of the separation from the owner's phones by the alert rule; `nil` for none.
    package let tooFarSince: Instant?
    /// The state that the list shows; `nil` for none.
    package let presence: Presence?
    /// The time since which the item is parked; `nil` for an item that isn't.
    package let parkedSince: Instant?
    /// The start of lost mode; `nil` while it is off.
    package let lostSince: Instant?
    /// Where the last position is, in words; `nil` without a position.
    package private(set) var place: PlaceDescription?
    /// What the reader may do with the item.
    package let access: ItemAccess
    /// The name of the owner; `nil` for the owner.
    package let ownerName: String?
    /// Whether other people can see the item.
    package let isShared: Bool

    package init(
        item: Item, tracker: TrackerStatus?, lastFix: Fix?, lost: Bool, distanceMetres: Double?,
        distanceFrom: DistanceOrigin? = nil, unknownReason: DistanceUnknown?, isBatteryLow: Bool, isSilent: Bool,
        tooFarSince: Instant? = nil,
        presence: Presence? = nil, parkedSince: Instant? = nil, lostSince: Instant? = nil,
        place: PlaceDescription? = nil, access: ItemAccess = .own, ownerName: String? = nil, isShared: Bool = false
    ) {
        self.item = item
        self.tracker = tracker
        self.lastFix = lastFix
        self.lost = lost
        self.distanceMetres = distanceMetres
        self.distanceFrom = distanceFrom
        self.unknownReason = unknownReason
        self.isBatteryLow = isBatteryLow
        self.isSilent = isSilent
        self.tooFarSince = tooFarSince
        self.presence = presence
        self.parkedSince = parkedSince
        self.lostSince = lostSince
        self.place = place
        self.access = access
        self.ownerName = ownerName
        self.isShared = isShared
    }
}

extension ItemOverview {
    /// Returns the same item with another description of its place.
    func with(place: PlaceDescription) -> ItemOverview {
        var item = self
        item.place = place
        return item
    }
}

/// The state of an item relative to its owner's phone, as the list shows it.
package enum Presence: String, Sendable, CaseIterable {
    /// Within the item's `lostMetres`.
    case near
    /// Farther, but in a safe place, or, with *Only when sure*, without a proved separation.
    case apart
    /// Farther, but near the phone of another person who can see it.
    case withOther
    /// Farther.
    case lost
    /// The tracker doesn't report.
    case noNews
}

/// The phone from which distances are measured.
package enum DistanceOrigin: Sendable, Equatable {
    /// The phone or browser that sends the request.
    case thisDevice
    /// Another signed-in device, by its name: `Chrome on Android`.
    case device(String)
    /// A position source of the person.
    case source(SourceKind)

    /// The name of the device or app, the same in all languages; `nil` for this device.
    package var name: String? {
        switch self {
        case .thisDevice: nil
        case .device(let name): name
        case .source(.owntracks): "OwnTracks"
        case .source(.osmand): "Traccar / OsmAnd"
        }
    }
}

/// The reason for an unknown distance between phone and item.
package enum DistanceUnknown: String, Sendable, CaseIterable {
    /// The item has no tracker and never had a position.
    case noTracker
    /// The tracker has not sent a position yet.
    case noFix
    /// No phone of the account has a recent position.
    case noPhonePosition
}

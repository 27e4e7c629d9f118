package import Kernel
package import Pictures

/// A thing that its owner wants to find again.
package struct Item: Sendable, Equatable {
    /// The item's id.
    package let id: ID<Item>
    /// The account that it belongs to.
    package let owner: PersonID
    /// What the owner calls it (see `DisplayName`).
    package let name: String
    /// Its photo; `nil` shows the placeholder.
    package let pictureID: ID<Picture>?
    /// Its settings, defaults filled in.
    package let settings: ItemSettings
    /// Grows by one with each change that the owner makes; fixes don't count.
    package let version: Int64
    /// When it was added.
    package let createdAt: Instant

    /// Makes an item from its parts.
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

/// What the owner may set for one item.
package struct ItemSettings: Sendable, Equatable {
    /// Minutes between two locate requests, 1 to 1440.
    package var locateMinutes: Int
    /// Farther than so many metres from the phone it is *lost*, 1 to 100,000.
    package var lostMetres: Int
    /// Farther than so many metres from the phone its owner is warned, 1 to 100,000.
    package var alertMetres: Int
    /// Up to so many metres one walks there, beyond one takes public transport; 0 to 100,000.
    package var walkMetres: Int
    /// Days for which its fixes are kept, 1 to 3650; `nil` keeps them for ever.
    package var keepDays: Int?

    /// Makes settings; what is left out has its default.
    package init(
        locateMinutes: Int = 10, lostMetres: Int = 5, alertMetres: Int = 10, walkMetres: Int = 2_000,
        keepDays: Int? = nil
    ) {
        self.locateMinutes = locateMinutes
        self.lostMetres = lostMetres
        self.alertMetres = alertMetres
        self.walkMetres = walkMetres
        self.keepDays = keepDays
    }

    /// The product's defaults, where an account has none of its own: every 10 minutes, 5 m, 10 m, 2,000 m.
    package static let standard = ItemSettings()
}

/// What an account's new items start with.
package struct ItemDefaults: Sendable, Equatable {
    /// The settings.
    package let settings: ItemSettings
    /// Grows by one with each change; 1 before the first.
    package let version: Int64

    /// Makes defaults.
    package init(settings: ItemSettings, version: Int64) {
        self.settings = settings
        self.version = version
    }
}

/// What a PATCH says of one field.
package enum FieldChange<Value: Sendable>: Sendable {
    /// The field was absent: it keeps its value.
    case keep
    /// The field was null.
    case clear
    /// The field has a new value.
    case set(Value)
}

extension FieldChange: Equatable where Value: Equatable {}

/// What a new item is made of.
package struct ItemInput: Sendable {
    /// The name as typed; checked by the service.
    package let name: String
    /// A picture of the owner's library.
    package let pictureID: ID<Picture>?

    /// Makes the input.
    package init(name: String, pictureID: ID<Picture>? = nil) {
        self.name = name
        self.pictureID = pictureID
    }
}

/// A change of an item.
package struct ItemPatch: Sendable {
    /// The new name; clearing it is an error at `name`.
    package let name: FieldChange<String>
    /// The new picture; clearing it brings the placeholder back.
    package let pictureID: FieldChange<ID<Picture>>
    /// The new settings; clearing all of them brings every default of the account back.
    package let settings: FieldChange<SettingsPatch>

    /// Makes a patch; what is left out is kept.
    package init(
        name: FieldChange<String> = .keep, pictureID: FieldChange<ID<Picture>> = .keep,
        settings: FieldChange<SettingsPatch> = .keep
    ) {
        self.name = name
        self.pictureID = pictureID
        self.settings = settings
    }
}

/// A change of an item's settings. Clearing one brings the account's default back; ranges are checked by the service, which
/// names a wrong one `settings.lostMetres`.
package struct SettingsPatch: Sendable, Equatable {
    /// See ``ItemSettings/locateMinutes``.
    package let locateMinutes: FieldChange<Int>
    /// See ``ItemSettings/lostMetres``.
    package let lostMetres: FieldChange<Int>
    /// See ``ItemSettings/alertMetres``.
    package let alertMetres: FieldChange<Int>
    /// See ``ItemSettings/walkMetres``.
    package let walkMetres: FieldChange<Int>
    /// See ``ItemSettings/keepDays``; clearing it keeps fixes for ever.
    package let keepDays: FieldChange<Int>

    /// Makes a patch; what is left out is kept.
    package init(
        locateMinutes: FieldChange<Int> = .keep, lostMetres: FieldChange<Int> = .keep,
        alertMetres: FieldChange<Int> = .keep, walkMetres: FieldChange<Int> = .keep,
        keepDays: FieldChange<Int> = .keep
    ) {
        self.locateMinutes = locateMinutes
        self.lostMetres = lostMetres
        self.alertMetres = alertMetres
        self.walkMetres = walkMetres
        self.keepDays = keepDays
    }
}

/// An item with everything that its row in the list and its details show.
package struct ItemOverview: Sendable, Equatable {
    /// The item.
    package let item: Item
    /// Its tracker; `nil` before one is paired.
    package let tracker: TrackerStatus?
    /// Its last position.
    package let lastFix: Fix?
    /// Farther from the phone than the item's ``ItemSettings/lostMetres``; false where the distance is unknown.
    package let lost: Bool
    /// From the phone to the item.
    package let distanceMetres: Double?
    /// Why there is no distance; `nil` where there is one.
    package let unknownReason: DistanceUnknown?
    /// The tracker's battery is at ``Battery/lowPercent`` or below.
    package let isBatteryLow: Bool
    /// An active tracker has not reported for more than two intervals.
    package let isSilent: Bool
    /// Since when it has been too far from its owner's phones, by the alerts' reckoning; `nil` while it isn't.
    package let tooFarSince: Instant?
    /// The state that the list shows; `nil` for none.
    package let presence: Presence?

    /// Makes an overview from its parts.
    package init(
        item: Item, tracker: TrackerStatus?, lastFix: Fix?, lost: Bool, distanceMetres: Double?,
        unknownReason: DistanceUnknown?, isBatteryLow: Bool, isSilent: Bool, tooFarSince: Instant? = nil,
        presence: Presence? = nil
    ) {
        self.item = item
        self.tracker = tracker
        self.lastFix = lastFix
        self.lost = lost
        self.distanceMetres = distanceMetres
        self.unknownReason = unknownReason
        self.isBatteryLow = isBatteryLow
        self.isSilent = isSilent
        self.tooFarSince = tooFarSince
        self.presence = presence
    }
}

/// The state of an item relative to its owner's phone, as the list shows it.
package enum Presence: String, Sendable, CaseIterable {
    /// No farther than the item's setting.
    case near
    /// Farther, and explained: by a safe place, or, with *Only when sure*, by positions that prove no separation.
    case apart
    /// Farther.
    case lost
    /// The tracker doesn't report.
    case noNews
}

/// Why the distance between phone and item is not known.
package enum DistanceUnknown: String, Sendable, CaseIterable {
    /// The item has no tracker, and never had a position.
    case noTracker
    /// The tracker has not sent a position yet.
    case noFix
    /// No phone of the account has told its position lately.
    case noPhonePosition
}

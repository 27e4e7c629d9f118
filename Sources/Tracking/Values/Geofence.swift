package import Kernel
package import Recurrence

/// A rule of an item about a safe place: a notification when it arrives, leaves, or hasn't arrived in time.
package struct Geofence: Sendable, Equatable {
    package let id: ID<Geofence>
    package let item: ID<Item>
    /// The person who made the rule, and who owns the place.
    package let owner: PersonID
    package let place: ID<SafePlace>
    package let placeName: String
    package let settings: GeofenceSettings
    /// Increases by one with each change.
    package let version: Int64
    package let createdAt: Instant
}

/// The kinds of rules about a place.
package enum GeofenceKind: String, Sendable, CaseIterable {
    /// The item arrives.
    case arrive
    /// The item leaves.
    case leave
    /// The item hasn't arrived by a time of the day.
    case absent
}

/// What a rule about a place reports, and when.
package struct GeofenceSettings: Sendable, Equatable {
    package let kind: GeofenceKind
    /// Minutes that the item must remain on the other side of the border, within `Limits.dwellMinutes`.
    package let dwellMinutes: Int
    /// The days on which the rule reports; never empty.
    package let days: [Weekday]
    /// The start of the hours in which the rule reports; `nil` with ``until`` for the whole day.
    package let from: LocalTime?
    /// The end of the hours; before ``from`` for hours over midnight.
    package let until: LocalTime?
    /// The time by which the item should arrive; only with ``GeofenceKind/absent``.
    package let by: LocalTime?
    /// The time zone of the days and times.
    package let timeZone: LocalTimeZone
}

/// The data of a new or changed rule, before validation.
package struct GeofenceInput: Sendable {
    package let place: ID<SafePlace>?
    package let kind: GeofenceKind?
    /// Minutes; `nil` for none.
    package let dwellMinutes: Int?
    /// The codes of RFC 5545: `MO` to `SU`; `nil` for all days.
    package let days: [String]?
    /// `08:00`; `nil` or empty for the whole day.
    package let from: String?
    package let until: String?
    package let by: String?
    /// A name of the IANA database; `nil` for the household's, or UTC.
    package let timeZone: String?

    package init(
        place: ID<SafePlace>?, kind: GeofenceKind?, dwellMinutes: Int? = nil, days: [String]? = nil,
        from: String? = nil, until: String? = nil, by: String? = nil, timeZone: String? = nil
    ) {
        self.place = place
        self.kind = kind
        self.dwellMinutes = dwellMinutes
        self.days = days
        self.from = from
        self.until = until
        self.by = by
        self.timeZone = timeZone
    }
}

/// An item's rules, and the places that a new rule can use.
package struct GeofenceListing: Sendable {
    package let item: Item
    package let geofences: [Geofence]
    package let places: [SafePlace]
    /// The time zone of the actor's household; `nil` for none.
    package let timeZone: String?
}

package import Kernel

/// The modes of the separation alerts.
package enum AlertMode: String, Sendable, CaseIterable {
    /// An alert for each pair of positions beyond the limit.
    case everyTime
    /// An alert only when neither inaccurate nor old positions can explain the distance.
    case whenSure
}

/// The reason for offering a change of the alert mode.
package enum AlertOffer: Sendable, Equatable {
    /// The person sees an item with a tracker and hasn't chosen a mode. Until then, no separation alert is sent.
    case firstChoice
    /// The account chose *Every time* and got its first alerts.
    case afterAlerts
}

/// An area in which an item may be without its owner: a circle, or a polygon.
package struct SafePlace: Sendable, Equatable {
    package let id: ID<SafePlace>
    /// The owner's name for the place (see `DisplayName`).
    package let name: String
    /// The centre of the circle, which encloses a polygon.
    package let centre: Coordinate
    /// The radius in metres, within `Limits.safePlaceRadiusMetres`.
    package let radiusMetres: Int
    /// The corners of a polygon in order, `Limits.outlineCorners` of them; empty for a circle.
    package let outline: [Coordinate]
    /// Increases by one with each change.
    package let version: Int64
    package let createdAt: Instant

    package init(
        id: ID<SafePlace>, name: String, centre: Coordinate, radiusMetres: Int, outline: [Coordinate] = [],
        version: Int64, createdAt: Instant
    ) {
        self.id = id
        self.name = name
        self.centre = centre
        self.radiusMetres = radiusMetres
        self.outline = outline
        self.version = version
        self.createdAt = createdAt
    }

    /// The default radius in metres.
    package static let standardRadiusMetres = 100
}

/// The positions that a new safe place can copy.
package struct KnownPositions: Sendable, Equatable {
    /// The phone's position, as for distances; `nil` without one.
    package let phone: Coordinate?
    /// The requested item's position; `nil` without one.
    package let chosen: Coordinate?
    /// The first items with a position, in the order of their creation.
    package let items: [KnownItemPosition]
}

/// The last position of an item.
package struct KnownItemPosition: Sendable, Equatable {
    package let item: Item
    package let coordinate: Coordinate
}

/// The data of a new safe place, before validation.
package struct SafePlaceInput: Sendable {
    package let name: String
    /// Degrees north of the equator.
    package let latitude: Double
    /// Degrees east of Greenwich.
    package let longitude: Double
    /// Metres; `nil` for ``SafePlace/standardRadiusMetres``.
    package let radiusMetres: Int?
    /// The corners of a polygon as text, such as `50.77,6.08`; without any, the place is a circle.
    package let outline: [String]

    package init(
        name: String, latitude: Double, longitude: Double, radiusMetres: Int? = nil, outline: [String] = []
    ) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
        self.outline = outline
    }
}

/// A change of a safe place. Clearing a field other than the radius is an error at that field.
package struct SafePlacePatch: Sendable {
    package let name: FieldChange<String>
    package let latitude: FieldChange<Double>
    package let longitude: FieldChange<Double>
    /// The new radius in metres; clearing it restores ``SafePlace/standardRadiusMetres``.
    package let radiusMetres: FieldChange<Int>
    /// The new corners of a polygon; clearing them makes the place a circle.
    package let outline: FieldChange<[String]>

    package init(
        name: FieldChange<String> = .unchanged, latitude: FieldChange<Double> = .unchanged,
        longitude: FieldChange<Double> = .unchanged, radiusMetres: FieldChange<Int> = .unchanged,
        outline: FieldChange<[String]> = .unchanged
    ) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
        self.outline = outline
    }
}

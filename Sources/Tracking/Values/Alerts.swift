package import Kernel

/// How an account wants to be warned that an item is too far away.
package enum AlertMode: String, Sendable, CaseIterable {
    /// Whenever the positions say so.
    case everyTime
    /// Only when neither inexact nor old positions can be the reason.
    case whenSure
}

/// Why a person is asked when they want to be alerted.
package enum AlertOffer: Sendable, Equatable {
    /// They have a tracker and haven't chosen a mode.
    case firstChoice
    /// They chose *Every time* and got their first alerts.
    case afterAlerts
}

/// A place where an item may be without its owner: a circle.
package struct SafePlace: Sendable, Equatable {
    /// Its id.
    package let id: ID<SafePlace>
    /// What its owner calls it (see `DisplayName`).
    package let name: String
    /// The middle of the circle.
    package let centre: Coordinate
    /// Metres from the middle to the edge: `Limits.safePlaceRadiusMetres`.
    package let radiusMetres: Int
    /// Grows by one with each change.
    package let version: Int64
    /// When it was added.
    package let createdAt: Instant

    /// Makes a place from its parts.
    package init(
        id: ID<SafePlace>, name: String, centre: Coordinate, radiusMetres: Int, version: Int64, createdAt: Instant
    ) {
        self.id = id
        self.name = name
        self.centre = centre
        self.radiusMetres = radiusMetres
        self.version = version
        self.createdAt = createdAt
    }

    /// The radius of a place where none was said, in metres.
    package static let standardRadiusMetres = 100
}

/// What a new safe place is made of; checked by the service.
package struct SafePlaceInput: Sendable {
    /// The name as typed.
    package let name: String
    /// Degrees north of the equator.
    package let latitude: Double
    /// Degrees east of Greenwich.
    package let longitude: Double
    /// Metres; `nil`: ``SafePlace/standardRadiusMetres``.
    package let radiusMetres: Int?

    /// Makes the input.
    package init(name: String, latitude: Double, longitude: Double, radiusMetres: Int? = nil) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
    }
}

/// A change of a safe place; clearing anything but the radius is an error at that field.
package struct SafePlacePatch: Sendable {
    /// The new name.
    package let name: FieldChange<String>
    /// The new latitude of the middle.
    package let latitude: FieldChange<Double>
    /// The new longitude of the middle.
    package let longitude: FieldChange<Double>
    /// The new radius in metres; clearing it brings ``SafePlace/standardRadiusMetres`` back.
    package let radiusMetres: FieldChange<Int>

    /// Makes a patch; what is left out is kept.
    package init(
        name: FieldChange<String> = .keep, latitude: FieldChange<Double> = .keep,
        longitude: FieldChange<Double> = .keep, radiusMetres: FieldChange<Int> = .keep
    ) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
    }
}

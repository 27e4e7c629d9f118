package import Kernel

/// An alert about an item that a person got, with everything that decided it.
package struct ItemAlert: Sendable, Equatable {
    /// The same as the id of the person's notification.
    package let id: ID<ItemAlert>
    package let item: ID<Item>
    package let kind: ItemAlertKind
    /// The time of the decision.
    package let at: Instant
    package let evidence: AlertEvidence
}

/// The rules that cause alerts about items.
package enum ItemAlertKind: String, Sendable, CaseIterable {
    /// Item and phone are too far apart.
    case separation
    /// The battery fell to ``Battery/lowPercent``.
    case batteryLow
    /// The tracker didn't report for the item's `silentHours`.
    case silent
    /// A parked item is somewhere else.
    case moved
    /// The item arrived at a place.
    case arrived
    /// The item left a place.
    case left
    /// The item wasn't at a place by a time.
    case notArrived
}

/// What a rule compared: positions with their accuracy, limits and settings at the time of the decision.
package struct AlertEvidence: Sendable, Equatable, Codable {
    /// The compared positions.
    package var positions: [Position]
    /// The distance that was compared, in metres.
    package var distanceMetres: Double?
    /// The limit that the distance exceeded, in metres.
    package var limitMetres: Int?
    /// The alert mode of a separation.
    package var mode: String?
    /// The battery level in whole percent.
    package var percent: Int?
    /// The item's setting for silence, in hours.
    package var silentHours: Int?
    /// The start of the state that caused the alert: the last report before a silence, or the parking.
    package var since: Instant?
    /// The place of a rule about a place.
    package var area: Area?
    /// The dwell of such a rule, in minutes.
    package var dwellMinutes: Int?
    /// The time of the day by which the item should have arrived: `08:00`.
    package var by: String?
    /// The time of the day from which arrivals counted: `00:00`, or later when clocks are set forward at midnight.
    package var start: String?

    package init(
        positions: [Position] = [], distanceMetres: Double? = nil, limitMetres: Int? = nil, mode: AlertMode? = nil,
        percent: Int? = nil, silentHours: Int? = nil, since: Instant? = nil
    ) {
        self.positions = positions
        self.distanceMetres = distanceMetres
        self.limitMetres = limitMetres
        self.mode = mode?.rawValue
        self.percent = percent
        self.silentHours = silentHours
        self.since = since
    }

    /// The area of a place.
    package struct Area: Sendable, Equatable, Codable {
        package let name: String
        package let latitude: Double
        package let longitude: Double
        package let radiusMetres: Int
        /// The corners of a polygon, each with latitude and longitude; empty for a circle.
        package let outline: [[Double]]
    }

    /// One compared position.
    package struct Position: Sendable, Equatable, Codable {
        /// Whose position it is.
        package enum Role: String, Sendable, Codable {
            case item
            case phone
            /// The remembered position of a parked item.
            case parked
        }

        package let role: Role
        package let at: Instant
        package let latitude: Double
        package let longitude: Double
        /// The radius of uncertainty in metres as reported; `nil` when the device sent none.
        package let accuracyMetres: Double?
        /// The name of a phone: `Chrome on Android`; `nil` for items, and in alerts of earlier versions.
        package var device: String?

        package init(
            role: Role, at: Instant, coordinate: Coordinate, accuracyMetres: Double?, device: String? = nil
        ) {
            self.device = device
            self.role = role
            self.at = at
            latitude = coordinate.latitude
            longitude = coordinate.longitude
            self.accuracyMetres = accuracyMetres
        }

        package var coordinate: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }
    }
}

extension AlertEvidence.Position {
    init(_ role: Role, _ sample: PositionSample, device: String? = nil) {
        self.init(
            role: role, at: sample.at, coordinate: sample.coordinate, accuracyMetres: sample.accuracyMetres,
            device: device)
    }
}

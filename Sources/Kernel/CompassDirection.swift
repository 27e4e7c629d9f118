import Foundation

/// The eight directions of a compass.
package enum CompassDirection: String, Sendable, CaseIterable {
    case north
    case northEast
    case east
    case southEast
    case south
    case southWest
    case west
    case northWest

    /// - Parameter degrees: clockwise from north.
    init(degrees: Double) {
        let count = Double(Self.allCases.count)
        let sector = Int((degrees / 360 * count).rounded()) % Self.allCases.count
        self = Self.allCases[sector < 0 ? sector + Self.allCases.count : sector]
    }

    /// Returns the direction from one position to another one: the initial bearing of the great circle.
    package init(from start: Coordinate, to end: Coordinate) {
        let radians = Double.pi / 180
        let (first, second) = (start.latitude * radians, end.latitude * radians)
        let turn = (end.longitude - start.longitude) * radians
        let bearing = atan2(
            sin(turn) * cos(second), cos(first) * sin(second) - sin(first) * cos(second) * cos(turn))
        self.init(degrees: bearing / radians)
    }

    /// Returns `340 m north of Home` in the translator's language.
    package func text(metres: Double, of place: String, _ t: Translator) -> String {
        Translator.filled(pattern(t), ["distance": DistanceText.of(metres, t), "place": place])
    }

    private func pattern(_ t: Translator) -> String {
        switch self {
        case .north: t("{distance} north of {place}")
        case .northEast: t("{distance} northeast of {place}")
        case .east: t("{distance} east of {place}")
        case .southEast: t("{distance} southeast of {place}")
        case .south: t("{distance} south of {place}")
        case .southWest: t("{distance} southwest of {place}")
        case .west: t("{distance} west of {place}")
        case .northWest: t("{distance} northwest of {place}")
        }
    }
}

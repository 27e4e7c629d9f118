import Foundation
package import Kernel

/// Where a position is, in words: from the reader's safe places, otherwise an address or the coordinates.
package enum PlaceDescription: Sendable, Equatable {
    /// In a safe place.
    case inside(name: String)
    /// Not far from a safe place: `340 m north of Home`.
    case near(name: String, metres: Double, direction: CompassDirection)
    /// What the geocoder answered.
    case address(String)
    case coordinates(Coordinate)
}

/// The eight directions of a compass.
package enum CompassDirection: Int, Sendable, CaseIterable {
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
        self = Self(rawValue: sector < 0 ? sector + Self.allCases.count : sector) ?? .north
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
}

/// Names positions by a person's safe places.
package struct PlaceNames: Sendable {
    let places: [SafePlace]

    package init(_ places: [SafePlace]) { self.places = places }

    /// Returns the description of a position. Of several safe places around it, the smallest one counts.
    package func description(of position: Coordinate) -> PlaceDescription {
        let around = places.filter {
            SafeCircle(centre: $0.centre, radiusMetres: $0.radiusMetres).contains(position)
        }
        if let smallest = around.min(by: { $0.radiusMetres < $1.radiusMetres }) { return .inside(name: smallest.name) }
        let distances = places.map { (place: $0, metres: $0.centre.distanceMetres(to: position)) }
        guard let nearest = distances.min(by: { $0.metres < $1.metres }), nearest.metres <= Limits.nearbyPlaceMetres
        else { return .coordinates(position) }
        return .near(
            name: nearest.place.name, metres: nearest.metres,
            direction: CompassDirection(from: nearest.place.centre, to: position))
    }
}

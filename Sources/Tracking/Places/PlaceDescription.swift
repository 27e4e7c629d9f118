import Accounts
package import Kernel
import Storage

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

/// Names positions by a person's safe places.
package struct PlaceNames: Sendable {
    let places: [SafePlace]
    var addresses = KnownAddresses()

    package init(_ places: [SafePlace]) { self.places = places }

    /// Returns the names that a person uses.
    static func all(for actor: Actor, in tx: Transaction) throws -> PlaceNames {
        try all(for: actor.person, in: tx)
    }

    static func all(for person: PersonID, in tx: Transaction) throws -> PlaceNames {
        PlaceNames(try SafePlaceStore.page(of: person, after: nil, limit: Limits.safePlacesPerAccount, in: tx))
    }

    /// Returns the description of a position. Of several safe places around it, the smallest one counts.
    package func description(of position: Coordinate) -> PlaceDescription {
        let around = places.filter { $0.area.contains(position) }
        if let smallest = around.min(by: { $0.radiusMetres < $1.radiusMetres }) { return .inside(name: smallest.name) }
        let distances = places.map { (place: $0, metres: $0.centre.distanceMetres(to: position)) }
        guard let nearest = distances.min(by: { $0.metres < $1.metres }), nearest.metres <= Limits.nearbyPlaceMetres
        else { return addresses.resolve(.coordinates(position)) }
        return .near(
            name: nearest.place.name, metres: nearest.metres,
            direction: CompassDirection(from: nearest.place.centre, to: position))
    }
}

extension PlaceDescription {
    /// The words of a notification about the position, which is written in the reader's language when it is read.
    var noticeDetails: [String: String] {
        switch self {
        case .inside(let name): ["placeName": name]
        case .near(let name, let metres, let direction):
            [
                "placeName": name, "placeMetres": String(Int(metres.rounded())), "placeDirection": direction.rawValue,
            ]
        case .address(let text): ["placeName": text]
        case .coordinates: [:]
        }
    }
}

package import Kernel
package import Recurrence

/// What a package fits into.
package enum PackageSize: String, Sendable, Hashable, CaseIterable {
    case bag
    case backpack
    /// The boot of a car.
    case boot
}

/// One end of a package's way.
package struct PackageEnd: Sendable, Hashable {
    /// The exact point; `nil` without one, and for readers who aren't the owner or the carrier.
    package var point: Coordinate?
    /// The centre of a circle of ``Limits/placeAreaMetres`` around the point, which everyone may know; `nil` without a
    /// point.
    package var area: Coordinate?
    /// When a person or a shop is there, in the owner's words.
    package var openingTimes: String?

    package static let unknown = PackageEnd()
}

/// Where a package goes, beside the words for its origin and destination.
package struct PackageRoute: Sendable, Hashable {
    package var origin = PackageEnd.unknown
    package var destination = PackageEnd.unknown
    /// `nil` if the owner didn't say it.
    package var size: PackageSize?

    package static let unknown = PackageRoute()

    /// The route for readers who aren't parties: without the exact points.
    package var withoutPoints: PackageRoute {
        var route = self
        route.origin.point = nil
        route.destination.point = nil
        return route
    }

    /// Whether travellers can compare both ends with their trips.
    var hasAreas: Bool { origin.area != nil && destination.area != nil }

    /// The great-circle distance between the ends in metres, as precise as the reader may know them; `nil` unless both
    /// are known.
    package var distanceMetres: Double? {
        guard let from = origin.point ?? origin.area, let to = destination.point ?? destination.area else { return nil }
        return from.distanceMetres(to: to)
    }
}

/// An end of a new package that isn't validated yet.
package struct PackageEndInput: Sendable {
    /// Degrees. A point needs both; `nil` for none.
    package var latitude: Double?
    package var longitude: Double?
    /// At most ``Limits/openingTimesCharacters`` characters on one line; blank text means none.
    package var openingTimes: String?

    package init(latitude: Double? = nil, longitude: Double? = nil, openingTimes: String? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.openingTimes = openingTimes
    }

    /// The time zone of solar time at the point; `nil` without a point.
    package var timeZone: LocalTimeZone? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude).map(LocalTimeZone.init(at:))
    }

    /// Returns the end without an area; reports errors at `…Latitude`, `…Longitude` and `…OpeningTimes`.
    /// - Parameter name: `from` or `to`.
    func validated(_ name: String, _ problems: inout FieldErrors<CarrepsaMessage>) -> PackageEnd {
        var end = PackageEnd()
        switch (latitude, longitude) {
        case (nil, nil): break
        case (let latitude?, let longitude?):
            end.point = Coordinate(latitude: latitude, longitude: longitude)
            if end.point == nil { problems.refuse(name + "Latitude", .pointInvalid) }
        case (nil, _?): problems.refuse(name + "Latitude", .pointIncomplete)
        case (_?, nil): problems.refuse(name + "Longitude", .pointIncomplete)
        }
        do throws(TextValidation.Failure) {
            end.openingTimes = try TextValidation.line(
                openingTimes ?? "", characters: Limits.openingTimesCharacters, bytes: Limits.placeBytes)
        } catch {
            if error != .empty { problems.refuse(name + "OpeningTimes", .openingTimesInvalid) }
        }
        return end
    }
}

/// A position on the WGS 84 ellipsoid.
package struct Coordinate: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    package let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    package let longitude: Double

    /// The mean radius of the Earth, in metres (IUGG's R1).
    package static let earthRadiusMetres = 6_371_008.8

    /// Whether the position is 0° N 0° E to within 11 metres. It is in the open sea, and receivers report it without a
    /// fix, some with rounding errors.
    package var isNullIsland: Bool { abs(latitude) < 1e-4 && abs(longitude) < 1e-4 }

    /// Returns `nil` when a number is not finite or out of range.
    package init?(latitude: Double, longitude: Double) {
        guard (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

import Foundation

// In its own file because the trigonometric functions need Foundation.
extension Coordinate {
    /// Returns the great-circle distance to `other`, in metres, by the haversine formula.
    package func distanceMetres(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let latitudeHalf = sin((other.latitude - latitude) * radians / 2)
        let longitudeHalf = sin((other.longitude - longitude) * radians / 2)
        let chord =
            latitudeHalf * latitudeHalf
            + cos(latitude * radians) * cos(other.latitude * radians) * longitudeHalf * longitudeHalf
        return 2 * Self.earthRadiusMetres * asin(min(1, chord.squareRoot()))
    }
}

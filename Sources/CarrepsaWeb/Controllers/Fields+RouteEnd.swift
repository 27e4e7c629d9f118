import Carrepsa
import WebCore

extension Fields {
    /// Reads the end of a route.
    /// - Parameters:
    ///   - name: `from` or `to`, with which the names of its fields begin.
    ///   - hasTimes: whether the end has opening times.
    mutating func routeEnd(_ name: String, hasTimes: Bool) -> PackageEndInput {
        PackageEndInput(
            latitude: double(name + "Latitude", in: -90...90).value,
            longitude: double(name + "Longitude", in: -180...180).value,
            openingTimes: hasTimes ? string(name + "OpeningTimes").value : nil)
    }
}

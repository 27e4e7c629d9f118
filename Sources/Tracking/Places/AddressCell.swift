import Kernel

/// A square of about 100 metres, for which one address is requested: the geocoder doesn't learn exact positions.
struct AddressCell: Hashable, Sendable {
    private static let steps = 1_000.0

    /// Thousandths of a degree.
    let latitude: Int
    let longitude: Int

    init(latitude: Int, longitude: Int) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ position: Coordinate) {
        latitude = Int((position.latitude * Self.steps).rounded())
        longitude = Int((position.longitude * Self.steps).rounded())
    }

    /// The centre; `nil` for a cell that isn't on Earth.
    var centre: Coordinate? {
        Coordinate(latitude: Double(latitude) / Self.steps, longitude: Double(longitude) / Self.steps)
    }
}

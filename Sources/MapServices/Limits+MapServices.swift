package import Kernel

extension Limits {
    /// Places that a search by words returns.
    package static let placesFound = 5
    /// Seconds for one request of the geocoder.
    static let geocoderSeconds: Int64 = 10
    /// Bytes of a response of the geocoder.
    static let geocoderBytes = 64 * 1024
    /// Seconds between two requests of the geocoder: Nominatim's usage policy allows one a second.
    static let geocoderSpacingSeconds: Int64 = 1
    /// The longest time in seconds that a search waits until the geocoder may be asked.
    static let geocoderWaitSeconds: Int64 = 4
    /// Characters of the name of a found place.
    static let foundPlaceCharacters = 200
    /// Seconds for one request of the router. A page waits for it.
    static let routerSeconds: Int64 = 2
    /// The longest distance by road in metres that a response may have: more than once around the Earth.
    static let roadMetres: Double = 50_000_000
    /// Bytes of a response of the router.
    static let routerBytes = 256 * 1024
}

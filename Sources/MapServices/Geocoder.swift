package import Kernel

/// Finds the address of a position, and places by their address.
package protocol Geocoder: Sendable {
    /// Returns a short address; `nil` where there is none.
    /// - Throws: Errors of the network or the service; the request can be repeated.
    func address(of position: Coordinate) async throws -> String?

    /// Returns the places that a text may mean, the best first, at most ``Limits/placesFound``.
    /// - Parameter language: The language of the places' names, as a code of BCP 47.
    /// - Throws: ``MapServiceBusy``; errors of the network or the service.
    func places(_ text: String, language: String) async throws -> [FoundPlace]
}

/// A place that a geocoder found.
package struct FoundPlace: Sendable, Hashable {
    package let name: String
    package let point: Coordinate

    package init(name: String, point: Coordinate) {
        self.name = name
        self.point = point
    }
}

/// Too many requests wait for a map service.
package struct MapServiceBusy: Error, Sendable {
    package init() {}
}

/// A map service doesn't understand this request (status 400). It may answer another one.
package struct MapServiceRefusal: Error, Sendable {
    package init() {}
}

import Accounts
import Carrepsa
import Kernel

/// What the map of a form with two ends needs beside the form's values.
struct RouteFormMap: Sendable {
    /// Where the map opens while no end is set; `nil` if unknown.
    let start: Coordinate?
    /// Whether places are found by their address.
    let findsPlaces: Bool
}

/// Reads what the maps of forms with two ends need.
struct RouteFormMaps: Sendable {
    let trips: TripService
    let findsPlaces: Bool

    func map(for actor: Actor) async throws -> RouteFormMap {
        RouteFormMap(start: try await trips.likelyPlace(of: actor), findsPlaces: findsPlaces)
    }
}

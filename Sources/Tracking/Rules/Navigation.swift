package import Accounts
package import Kernel

/// The link that opens a maps app in navigation to an item.
package struct NavigationLink: Sendable, Equatable {
    /// The means of travel.
    package enum Mode: String, Sendable, CaseIterable {
        case walking
        case transit
    }

    package let url: String
    package let mode: Mode

    /// Creates the link of a maps app to a position.
    /// - Parameters:
    ///   - distanceMetres: The distance from the phone; `nil` for unknown, which selects walking.
    ///   - walkMetres: The longest distance for walking.
    package init(app: MapsApp, destination: Coordinate, distanceMetres: Double?, walkMetres: Int) {
        let isFar = distanceMetres.map { Separation.isFarther($0, thanMetres: walkMetres) } ?? false
        mode = isFar ? .transit : .walking
        let place = PlainDecimal.text(destination.latitude) + "," + PlainDecimal.text(destination.longitude)
        switch app {
        case .apple:
            url = "https://maps.apple.com/?daddr=\(place)&dirflg=\(isFar ? "r" : "w")"
        case .google:
            let travel = "&travelmode=\(mode.rawValue)&dir_action=navigate"
            url = "https://www.google.com/maps/dir/?api=1&destination=\(place)\(travel)"
        }
    }
}

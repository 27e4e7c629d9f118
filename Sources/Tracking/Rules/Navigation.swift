package import Accounts
package import Kernel

/// How to get to an item.
package struct NavigationLink: Sendable, Equatable {
    /// How one goes there.
    package enum Mode: String, Sendable, CaseIterable {
        /// On foot.
        case walking
        /// By public transport.
        case transit
    }

    /// Opens the maps app in navigation.
    package let url: String
    /// How one goes there.
    package let mode: Mode

    /// Makes the link of a maps app to a place.
    /// - Parameters:
    ///   - distanceMetres: from the phone; `nil` where unknown, which means walking.
    ///   - walkMetres: up to this distance one walks.
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

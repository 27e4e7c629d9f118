import Accounts
import Carrepsa
import Kernel
import WebCore

/// A link that opens a point in the reader's maps app.
struct PlaceLink: Sendable {
    let placeLabel: String
    let placeText: String
    let placeURL: String

    /// - Parameter text: what is shown; `nil` for the degrees.
    init(_ label: String, _ place: Coordinate, text: String? = nil, app: MapsApp?) {
        placeLabel = label
        placeText = text ?? "\(place.latitude), \(place.longitude)"
        placeURL = Self.url(place, app: app)
    }

    /// Returns the links to the exact points of a package that the reader knows.
    /// - Parameter address: the destination in words; `nil` for the degrees.
    static func all(_ route: PackageRoute, address: String?, app: MapsApp?, _ t: Translator) -> [PlaceLink] {
        let origin = route.origin.point.map { PlaceLink(t("From"), $0, app: app) }
        let destination = route.destination.point.map { PlaceLink(t("To"), $0, text: address, app: app) }
        return [origin, destination].compactMap(\.self)
    }

    /// Returns the address of a point: the way there in the app that the reader chose, or the point in the one that the
    /// phone chooses.
    static func url(_ place: Coordinate, app: MapsApp?) -> String {
        let degrees = "\(place.latitude),\(place.longitude)"
        return switch app {
        case .apple?: "https://maps.apple.com/?daddr=\(degrees)"
        case .google?: "https://www.google.com/maps/dir/?api=1&destination=\(degrees)"
        case nil: "geo:\(degrees)"
        }
    }

    /// Returns the link that searches an address without a point in such an app.
    static func url(address: String, app: MapsApp?) -> String {
        let query = PercentEncoding.encoded(address)
        return switch app {
        case .apple?: "https://maps.apple.com/?daddr=\(query)"
        case .google?: "https://www.google.com/maps/dir/?api=1&destination=\(query)"
        case nil: "geo:0,0?q=\(query)"
        }
    }
}

import Kernel
import Pictures
import Tracking

/// The addresses of Tracking's pages.
enum TrackingPath {
    static let items = "/tracking/items"
    static let newItem = "/tracking/items/new"
    static let sources = "/tracking/sources"
    static let newSource = "/tracking/sources/new"
    static let quarantine = "/tracking/quarantine"

    static func item(_ id: ID<Item>) -> String { "\(items)/\(id)" }
    static func source(_ id: ID<Source>) -> String { "\(sources)/\(id)" }
    static func picture(_ id: ID<Picture>, size: PictureSize) -> String { "/pictures/\(id)?size=\(size.rawValue)" }
}

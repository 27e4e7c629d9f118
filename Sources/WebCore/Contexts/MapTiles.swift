import Accounts
import Foundation
import Kernel
package import MapFiles

/// The pictures below the marks of maps.
package struct MapTiles: Sendable {
    /// The URL template of the tiles, with `{z}`, `{x}`, `{y}`; `nil` for none. Maps then show a grid.
    package let url: String?
    /// The attribution that the tiles' licence requires.
    package let attribution: String
    /// The link of the attribution; `nil` for none.
    package let attributionURL: String?
    /// The file that this server reads the tiles from; `nil` for a tile service.
    package let file: MapFile?

    /// The tiles of OpenStreetMap.
    package static let openStreetMap = MapTiles(
        url: "https://tile.openstreetmap.org/{z}/{x}/{y}.png", attribution: "© OpenStreetMap contributors",
        attributionURL: "https://www.openstreetmap.org/copyright")
    package static let none = MapTiles(url: nil, attribution: "", attributionURL: nil)

    /// The tiles of a service.
    package init(url: String?, attribution: String, attributionURL: String?) {
        self.url = url
        self.attribution = attribution
        self.attributionURL = attributionURL
        file = nil
    }

    /// The tiles of a file.
    /// - Parameter attribution: replaces that of the file.
    package init(_ file: MapFile, attribution: String?) {
        self.file = file
        // The version lets browsers keep the tiles for a year.
        url = MapTilesRoute.prefix + "/{z}/{x}/{y}?v=\(file.version)"
        self.attribution = attribution ?? file.metadata.attribution?.text ?? ""
        attributionURL = attribution == nil ? file.metadata.attribution?.url : nil
    }

    /// The origin of the tiles for the Content Security Policy, with `{s}` as a wildcard; `nil` for tiles on this
    /// server.
    package var origin: String? {
        guard let url, let scheme = url.range(of: "://") else { return nil }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }.replacing("{s}", with: "*")
        let allowed = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:*[]".contains($0)) }
        return allowed && !host.isEmpty ? "\(url[..<scheme.lowerBound])://\(host)" : nil
    }
}

/// The attributes of a map's element that say where its tiles are (`map-tiles`).
package struct MapTilesView: Sendable {
    package let tilesURL: String?
    package let attribution: String?
    package let attributionURL: String?
    /// The zoom levels of a map file, between which the browser scales its tiles; `nil` for a tile service.
    package let zooms: Zooms?
    /// West, south, east and north of a map file with commas between; `nil` for a tile service.
    package let bounds: String?
    /// What an administrator of a server without tiles can do; `nil` for everyone else.
    package let advice: String?

    /// The lowest and the highest zoom level.
    package struct Zooms: Sendable {
        package let lowest: Int
        package let highest: Int
    }

    package init(_ context: some WebContext) {
        let tiles = context.site.tiles
        tilesURL = tiles.url
        attribution = tiles.url == nil || tiles.attribution.isEmpty ? nil : tiles.attribution
        attributionURL = tiles.attributionURL
        let metadata = tiles.file?.metadata
        zooms = metadata.map { Zooms(lowest: $0.minimumZoom, highest: $0.maximumZoom) }
        bounds = metadata?.bounds.map { "\($0.west),\($0.south),\($0.east),\($0.north)" }
        let isAdministrator = context.identity?.account.isOperator ?? false
        advice =
            tiles.url == nil && isAdministrator
            ? context.t("No map is set. Set HOMEWARD_MAP_FILE or HOMEWARD_TILES_URL on the server.") : nil
    }
}

import MapFiles
import WebCore

extension Setting {
    /// The map file that this server reads the tiles from.
    package static let mapFile = Setting(
        "HOMEWARD_MAP_FILE",
        "A file with the map's tiles as pictures (PNG, JPEG or WebP): MBTiles, or PMTiles version 3. The server reads "
            + "the tiles from it, so that browsers request nothing from a tile service."
    )
    package static let tilesURL = Setting(
        "HOMEWARD_TILES_URL", standard: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
        "The URL of the map's tiles, with {z}, {x} and {y}, or none for maps without a background. {r} becomes @2x on "
            + "screens of double density."
    )
    package static let tilesAttribution = Setting(
        "HOMEWARD_TILES_ATTRIBUTION", standard: "© OpenStreetMap contributors",
        "The attribution that the map shows. With HOMEWARD_MAP_FILE, the default is the file's own."
    )
}

extension ServerSettings {
    private static let noTiles = "none"

    /// - Throws: ``SettingError`` for a file that can't be used, and for a URL without the parts that vary.
    static func mapTiles(_ text: (Setting) -> String?) throws(SettingError) -> MapTiles {
        let (url, attribution) = (text(.tilesURL), text(.tilesAttribution))
        if let path = text(.mapFile) {
            guard url == nil else {
                throw SettingError(.mapFile, "give either this or \(Setting.tilesURL.name), not both")
            }
            do {
                return MapTiles(try MapFile(path: path), attribution: attribution)
            } catch {
                throw SettingError(.mapFile, "\(path) \(error)")
            }
        }
        guard let url else {
            let standard = MapTiles.openStreetMap
            guard let attribution else { return standard }
            return MapTiles(url: standard.url, attribution: attribution, attributionURL: nil)
        }
        guard url != noTiles else { return .none }
        guard ["{z}", "{x}", "{y}"].allSatisfy(url.contains) else {
            throw SettingError(.tilesURL, "must hold {z}, {x} and {y}")
        }
        return MapTiles(url: url, attribution: attribution ?? Setting.tilesAttribution.standard, attributionURL: nil)
    }
}

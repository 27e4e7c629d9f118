import Foundation

extension Setting {
    /// The URL of the geocoder.
    package static let geocoderURL = Setting(
        "HOMEWARD_GEOCODER_URL",
        "A geocoder with Nominatim's interface, without /reverse and /search: https://nominatim.example.org. It names "
            + "positions that are near no safe place, and learns them to about 100 m. It finds the addresses that people "
            + "search for in Carrepsa, and learns those. Without it, nothing of this leaves the server."
    )
    /// The URL of the router.
    package static let routerURL = Setting(
        "HOMEWARD_ROUTER_URL",
        "A router with OSRM's interface, without /table: https://router.example.org. It measures the detours of "
            + "Carrepsa's trips by road, and learns their ends to about 1 km and the public circles of packages. Without "
            + "it, detours are straight lines."
    )
}

extension ServerSettings {
    /// Returns the URL of a map service without a slash at its end; `nil` for none.
    /// - Throws: ``SettingError`` for a text that isn't a URL.
    static func mapServiceURL(
        _ setting: Setting, _ text: (Setting) -> String?
    ) throws(SettingError) -> String? {
        guard let address = text(setting) else { return nil }
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host() != nil,
            url.query() == nil
        else { throw SettingError(setting, "give a URL with http or https") }
        return address.hasSuffix("/") ? String(address.dropLast()) : address
    }
}

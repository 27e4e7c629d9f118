import Foundation

extension Setting {
    /// The URL of the geocoder.
    package static let geocoderURL = Setting(
        "HOMEWARD_GEOCODER_URL",
        "A geocoder with Nominatim's interface, without /reverse: https://nominatim.example.org. It names positions that "
            + "are near no safe place, and learns them to about 100 m. Without it, no position leaves the server."
    )
}

extension ServerSettings {
    /// - Throws: ``SettingError`` for a text that isn't a URL.
    static func geocoderURL(_ text: (Setting) -> String?) throws(SettingError) -> String? {
        guard let address = text(.geocoderURL) else { return nil }
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host() != nil,
            url.query() == nil
        else { throw SettingError(.geocoderURL, "give a URL with http or https") }
        return address.hasSuffix("/") ? String(address.dropLast()) : address
    }
}

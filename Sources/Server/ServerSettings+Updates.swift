import Foundation

extension Setting {
    /// The document that names the newest version.
    package static let updateURL = Setting(
        "HOMEWARD_UPDATE_URL",
        "The https address of a document with the newest version: the index Packages of an apt repository, or JSON "
            + "such as {\"version\": \"1.2.3\"}. The server reads it once a day, and administrators see that an update is "
            + "available. Without it, the server doesn't check for updates."
    )
}

extension ServerSettings {
    static func updateURL(_ text: (Setting) -> String?) throws(SettingError) -> String? {
        guard let address = text(.updateURL) else { return nil }
        guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
            parts.scheme == "https" || parts.scheme == "http" && isThisComputer(host)
        else { throw SettingError(.updateURL, "give an address with https") }
        return address
    }
}

import Foundation
import Kernel

extension NewSource {
    /// Returns the content of the QR code that sets up the app: OwnTracks' inline configuration, or the URL for OsmAnd
    /// and Traccar Client.
    /// - Parameter baseURL: `HOMEWARD_URL`, without a slash at the end.
    package func setupText(baseURL: String) -> String {
        guard let user, let passphrase else { return baseURL + path }
        let configuration = OwnTracksConfiguration(
            url: baseURL + path, username: user, password: secret, encryptionKey: passphrase
        )
        guard let json = try? configuration.json() else { return baseURL + path }
        let inline = Data(json).base64EncodedString()
            .replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        return "owntracks:///config?inline=\(inline)"
    }
}

/// OwnTracks' `configuration` message; mode 3 is HTTP.
private struct OwnTracksConfiguration: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case mode, url, auth, username, password, encryptionKey
    }

    let type = "configuration"
    let mode = 3
    let url: String
    let auth = true
    let username: String
    let password: String
    let encryptionKey: String
}

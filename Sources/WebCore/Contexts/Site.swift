import Foundation

/// The public address of the server and the settings that its pages depend on.
package struct Site: Sendable {
    /// The public origin, without a trailing slash: `https://home.example`.
    package let url: String
    package let tiles: MapTiles
    /// The proxies that may name the client.
    package let trustedProxies: TrustedProxies

    package init(url: String, tiles: MapTiles = .openStreetMap, trustedProxies: TrustedProxies = .none) {
        self.url = url
        self.tiles = tiles
        self.trustedProxies = trustedProxies
    }

    /// Whether the public origin is HTTPS.
    package var isSecure: Bool { url.hasPrefix("https://") }
}

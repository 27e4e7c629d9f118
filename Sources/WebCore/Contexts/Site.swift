import Foundation

/// The public address of the server and the settings that its pages depend on.
package struct Site: Sendable {
    /// The public origin, without a trailing slash: `https://home.example`.
    package let url: String
    /// The URL template of map tiles, with `{z}`, `{x}`, `{y}`.
    package let tilesURL: String
    /// The attribution that the tiles' licence requires.
    package let tilesAttribution: String
    /// The link of the attribution; `nil` for none.
    package let tilesAttributionURL: String?
    /// The proxies whose `X-Forwarded-For` is trusted.
    package let trustedProxies: TrustedProxies

    /// The tiles of OpenStreetMap.
    package static let standardTilesURL = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
    package static let standardTilesAttribution = "© OpenStreetMap contributors"
    package static let standardTilesAttributionURL = "https://www.openstreetmap.org/copyright"

    package init(
        url: String, tilesURL: String = Self.standardTilesURL, tilesAttribution: String = Self.standardTilesAttribution,
        tilesAttributionURL: String? = Self.standardTilesAttributionURL, trustedProxies: TrustedProxies = .none
    ) {
        self.url = url
        self.tilesURL = tilesURL
        self.tilesAttribution = tilesAttribution
        self.tilesAttributionURL = tilesAttributionURL
        self.trustedProxies = trustedProxies
    }

    /// Whether the public origin is HTTPS.
    package var isSecure: Bool { url.hasPrefix("https://") }

    /// The origin of the tiles for the Content Security Policy, with `{s}` as a wildcard; `nil` for tiles on this
    /// server.
    package var tilesOrigin: String? {
        guard let scheme = tilesURL.range(of: "://") else { return nil }
        let rest = tilesURL[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }.replacing("{s}", with: "*")
        let allowed = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:*[]".contains($0)) }
        return allowed && !host.isEmpty ? "\(tilesURL[..<scheme.lowerBound])://\(host)" : nil
    }
}

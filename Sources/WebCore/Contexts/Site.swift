package import Accounts
import Foundation

/// Where this server is and how it looks from outside.
package struct Site: Sendable {
    /// The origin that people type, without a slash at its end: `https://home.example`.
    package let url: String
    /// Where map tiles come from, with `{z}`, `{x}`, `{y}`.
    package let tilesURL: String
    /// Whom the tiles' makers want named.
    package let tilesAttribution: String
    /// Where that name leads; `nil` for nowhere.
    package let tilesAttributionURL: String?
    /// From whom `X-Forwarded-For` is believed.
    package let trustedProxies: TrustedProxies
    /// The browser's session cookie.
    package let sessionCookie: SessionCookie
    /// Who may create an account, for the pages that offer it.
    package let registration: RegistrationPolicy.Mode

    /// OpenStreetMap's own tiles.
    package static let standardTilesURL = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
    /// Their makers.
    package static let standardTilesAttribution = "© OpenStreetMap contributors"
    /// Their terms.
    package static let standardTilesAttributionURL = "https://www.openstreetmap.org/copyright"

    /// Describes a site.
    package init(
        url: String, tilesURL: String = Self.standardTilesURL, tilesAttribution: String = Self.standardTilesAttribution,
        tilesAttributionURL: String? = Self.standardTilesAttributionURL, trustedProxies: TrustedProxies = .none,
        registration: RegistrationPolicy.Mode = .open
    ) {
        self.url = url
        self.tilesURL = tilesURL
        self.tilesAttribution = tilesAttribution
        self.tilesAttributionURL = tilesAttributionURL
        self.trustedProxies = trustedProxies
        self.registration = registration
        sessionCookie = SessionCookie(isSecure: url.hasPrefix("https://"))
    }

    /// Whether the way to a new account is shown.
    /// - Parameter destination: where the person goes then: the page of an invitation lets them in where one is needed.
    package func offersRegistration(destination: String = "") -> Bool {
        switch registration {
        case .open: true
        case .invitation: InvitationPath.code(in: destination) != nil
        case .closed: false
        }
    }

    /// Whether people reach it over https.
    package var isSecure: Bool { url.hasPrefix("https://") }

    /// The origin of the tiles for the content security policy, `{s}` written as a wildcard; `nil` for tiles of our own.
    package var tilesOrigin: String? {
        guard let scheme = tilesURL.range(of: "://") else { return nil }
        let rest = tilesURL[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }.replacing("{s}", with: "*")
        let allowed = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:*[]".contains($0)) }
        return allowed && !host.isEmpty ? "\(tilesURL[..<scheme.lowerBound])://\(host)" : nil
    }
}

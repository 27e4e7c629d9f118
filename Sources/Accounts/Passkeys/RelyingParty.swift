import Crypto
import Foundation

/// This website as a WebAuthn relying party.
struct RelyingParty: Sendable, Equatable {
    /// The host, to which credentials are bound (WebAuthn Level 2, 5.1.2: the RP ID).
    let id: String
    /// The origin of the site's pages: scheme, host, and the port unless it is the scheme's default.
    let origin: String

    /// - Parameter siteURL: the base URL from the settings. Upper case and a default port are accepted.
    init(siteURL: String) {
        let parts = URLComponents(string: siteURL)
        let scheme = parts?.scheme?.lowercased() ?? ""
        let host = parts?.host?.lowercased() ?? ""
        let usual = scheme == "https" ? 443 : 80
        let port = parts?.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        id = host
        origin = "\(scheme)://\(host)\(port)"
    }

    var idHash: [UInt8] { Array(SHA256.hash(data: Array(id.utf8))) }
}

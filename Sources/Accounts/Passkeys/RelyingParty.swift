import Crypto
import Foundation

/// This website as authenticators know it.
struct RelyingParty: Sendable, Equatable {
    /// The host, to which credentials are bound (WebAuthn Level 2, 5.1.2: the RP ID).
    let id: String
    /// What browsers call the place of a page: scheme, host, and the port unless it is the scheme's own.
    let origin: String

    /// - Parameter siteURL: as people type it.
    init(siteURL: String) {
        let parts = URLComponents(string: siteURL)
        let scheme = parts?.scheme?.lowercased() ?? ""
        let host = parts?.host?.lowercased() ?? ""
        let usual = scheme == "https" ? 443 : 80
        let port = parts?.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        id = host
        origin = "\(scheme)://\(host)\(port)"
    }

    /// SHA-256 of the id.
    var idHash: [UInt8] { Array(SHA256.hash(data: Array(id.utf8))) }
}

import Foundation
import Kernel

/// Identifies the sender to a push service: VAPID (RFC 8292), a JWT signed with ES256.
enum PushSignature {
    /// Returns the `Authorization` header.
    /// - Parameters:
    ///   - origin: the push service's origin, `https://fcm.googleapis.com`.
    ///   - contact: a `mailto:` or `https:` URL.
    static func header(origin: String, contact: String, now: Instant, key: PushKey) throws -> String {
        let expiry = now.adding(seconds: Limits.pushSignatureSeconds).millisecondsSince1970 / 1_000
        let text = signedText(origin: origin, expiresAtSeconds: expiry, contact: contact)
        return "vapid t=\(text).\(Base64URL.encoded(try key.sign(text))), k=\(key.publicText)"
    }

    /// Returns the signed part of the JWT: header and claims.
    static func signedText(origin: String, expiresAtSeconds: Int64, contact: String) -> String {
        var claims = JSONText()
        claims.object { json in
            json.member("aud", origin)
            json.member("exp", expiresAtSeconds)
            json.member("sub", contact)
        }
        let header = Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8)
        return "\(Base64URL.encoded(header)).\(Base64URL.encoded(claims.bytes))"
    }

    /// Returns the administrator's contact for push services: the site itself. A site on plain http gets a `mailto:`
    /// URL, because some push services reject http here.
    static func contact(site: String) -> String {
        if site.hasPrefix("https://") { return site }
        let host = URLComponents(string: site)?.host ?? "localhost"
        return "mailto:operator@\(host)"
    }
}

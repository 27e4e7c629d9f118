import Foundation
import Kernel

/// Says to a push service who sends: VAPID (RFC 8292), a JWT signed with ES256.
enum PushSignature {
    /// The Authorization header.
    /// - Parameters:
    ///   - origin: the push service's, `https://fcm.googleapis.com`.
    ///   - contact: a `mailto:` or `https:` address.
    static func header(origin: String, contact: String, now: Instant, key: PushKey) throws -> String {
        let expiry = now.adding(seconds: Limits.pushSignatureSeconds).millisecondsSince1970 / 1_000
        let text = signedText(origin: origin, expiresAtSeconds: expiry, contact: contact)
        return "vapid t=\(text).\(Base64URL.text(try key.sign(text))), k=\(key.publicText)"
    }

    /// Header and claims, as they are signed.
    static func signedText(origin: String, expiresAtSeconds: Int64, contact: String) -> String {
        var claims = JSONText()
        claims.object { json in
            json.member("aud", origin)
            json.member("exp", expiresAtSeconds)
            json.member("sub", contact)
        }
        let header = Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8)
        return "\(Base64URL.text(header)).\(Base64URL.text(claims.bytes))"
    }

    /// How a push service reaches who runs this site: by the site itself. One that runs on this computer has no
    /// address of its own, and some services refuse plain http here.
    static func contact(site: String) -> String {
        if site.hasPrefix("https://") { return site }
        let host = URLComponents(string: site)?.host ?? "localhost"
        return "mailto:operator@\(host)"
    }
}

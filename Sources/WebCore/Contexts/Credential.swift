package import Accounts
import Hummingbird
package import HTTPTypes

/// How a request shows who sends it: by one thing or the other, never both.
package struct Credential: Sendable, Equatable {
    /// The secret, unchecked.
    package let token: String
    /// In which header it came.
    package let kind: Session.Kind

    /// Reads the bearer token, or else the session cookie: with a bearer, cookies are ignored.
    package init?(in fields: HTTPFields, cookieName: String) {
        if let bearer = Self.bearerToken(in: fields) {
            self.init(token: bearer, kind: .bearer)
        } else if let cookie = Cookies.value(of: cookieName, in: fields), !cookie.isEmpty {
            self.init(token: cookie, kind: .cookie)
        } else {
            return nil
        }
    }

    private init(token: String, kind: Session.Kind) {
        self.token = token
        self.kind = kind
    }

    /// The token of `Authorization: Bearer`.
    package static func bearerToken(in fields: HTTPFields) -> String? {
        guard let header = fields[.authorization], header.utf8.count > 7 else { return nil }
        // The scheme's name may be in capitals; no other byte becomes one of these letters by this bit.
        guard header.utf8.prefix(7).elementsEqual("bearer ".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        return header.dropFirst(7).trimmingSpaces()
    }
}

/// Cookies as RFC 6265 writes them in a request.
enum Cookies {
    static func value(of name: String, in fields: HTTPFields) -> String? {
        for header in fields[values: .cookie] {
            for pair in header.split(separator: ";") {
                let text = pair.trimmingSpaces()
                guard text.utf8.count > name.utf8.count, text.hasPrefix(name) else { continue }
                let rest = text.dropFirst(name.count)
                if rest.first == "=" { return String(rest.dropFirst()) }
            }
        }
        return nil
    }
}

/// The cookie that holds a browser's session token.
package struct SessionCookie: Sendable {
    private static let lifetimeSeconds = 400 * 24 * 60 * 60
    private let isSecure: Bool

    /// - Parameter isSecure: whether the site is reached over https. The `__Host-` prefix, which ties the cookie to this
    ///   very host, is only allowed then; plain http is for localhost alone.
    package init(isSecure: Bool) { self.isSecure = isSecure }

    /// The cookie's name.
    package var name: String { isSecure ? "__Host-homeward" : "homeward-session" }

    /// The `Set-Cookie` value that signs a browser in, or renews its cookie.
    package func issuing(_ token: String) -> String { "\(name)=\(token); Max-Age=\(Self.lifetimeSeconds)\(attributes)" }

    /// The `Set-Cookie` value that signs a browser out.
    package var clearing: String { "\(name)=; Max-Age=0\(attributes)" }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "") }
}

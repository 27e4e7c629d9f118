package import Accounts
import Hummingbird
package import HTTPTypes
import Kernel

/// The credential of a request: a bearer token or a session cookie, never both.
package struct Credential: Sendable, Equatable {
    /// The secret, not verified.
    package let token: String
    package let kind: Session.Kind

    /// Reads the bearer token, else the session cookie. With a bearer token, cookies are ignored.
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
        // The scheme's name is case-insensitive; no other byte becomes one of these letters when this bit is set.
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

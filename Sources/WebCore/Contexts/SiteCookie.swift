package import HTTPTypes
package import Hummingbird

/// A cookie that the site sets. Browsers send it with requests that the site's own pages cause, and with links to the
/// site (`SameSite=Lax`).
package struct SiteCookie: Sendable {
    /// The name over plain HTTP, which is for localhost only.
    private let plainName: String
    private let secureName: String
    private let path: String
    /// `nil`: until the browser is closed.
    private let lifetimeSeconds: Int?
    private let isReadByScripts: Bool
    private let isStrict: Bool

    /// - Parameters:
    ///   - secureName: the name on HTTPS. By default, the name with the prefix `__Host-`, which ties the cookie to this
    ///     host: another host of the domain can't set it (RFC 6265bis, section 4.1.3.2). It requires the path `/`.
    ///   - lifetimeSeconds: `nil` for a cookie that the browser deletes when it is closed.
    ///   - isStrict: whether no request that another site causes has the cookie, links included.
    package init(
        _ name: String, secureName: String? = nil, path: String = "/", lifetimeSeconds: Int?,
        isReadByScripts: Bool = false, isStrict: Bool = false
    ) {
        plainName = name
        self.secureName = secureName ?? "__Host-\(name)"
        self.path = path
        self.lifetimeSeconds = lifetimeSeconds
        self.isReadByScripts = isReadByScripts
        self.isStrict = isStrict
    }

    /// Returns the name on a site.
    package func name(on site: Site) -> String { site.isSecure ? secureName : plainName }

    /// Returns the value in the request; `nil` for none.
    package func value(_ context: some WebContext) -> String? { context.cookie(name(on: context.site)) }

    fileprivate func header(_ value: String, lifetimeSeconds: Int?, on site: Site) -> String {
        Cookie(
            name: name(on: site), value: value, maxAge: lifetimeSeconds, path: path, secure: site.isSecure,
            httpOnly: !isReadByScripts, sameSite: isStrict ? .strict : .lax
        ).description
    }

    /// Returns the header that sets the cookie.
    fileprivate func setting(_ value: String, on site: Site) -> String {
        header(value, lifetimeSeconds: lifetimeSeconds, on: site)
    }

    /// Returns the header that deletes the cookie.
    fileprivate func clearing(on site: Site) -> String { header("", lifetimeSeconds: 0, on: site) }
}

extension HTTPFields {
    /// Makes the browser store a cookie.
    package mutating func set(_ cookie: SiteCookie, to value: String, on site: Site) {
        self[values: .setCookie].append(cookie.setting(value, on: site))
    }

    /// Makes the browser delete a cookie.
    package mutating func clear(_ cookie: SiteCookie, on site: Site) {
        self[values: .setCookie].append(cookie.clearing(on: site))
    }
}

extension Response {
    /// Makes the browser delete a cookie that it sent.
    package mutating func clear(_ cookie: SiteCookie, sentWith context: some WebContext) {
        guard cookie.value(context) != nil else { return }
        headers.clear(cookie, on: context.site)
    }
}

extension SiteCookie {
    /// The token of the session. Each page renews the cookie.
    package static let session = SiteCookie(
        "homeward-session", secureName: "__Host-homeward", lifetimeSeconds: 400 * 24 * 60 * 60)

    /// Marks a browser that wasn't closed since its session began or was last unlocked.
    static let open = SiteCookie("homeward-open", lifetimeSeconds: nil)

    /// Read by the page's script: this tab was just unlocked or signed in.
    static let fresh = SiteCookie("homeward-fresh", lifetimeSeconds: 60, isReadByScripts: true)

    /// The id of the app that opened a shared page. Not a secret.
    static let openerApp = SiteCookie("homeward-app", secureName: "homeward-app", lifetimeSeconds: nil)

    /// The toast that a redirect passes to the next page. That page deletes the cookie.
    static let toast = SiteCookie("homeward-toast", lifetimeSeconds: 60)
}

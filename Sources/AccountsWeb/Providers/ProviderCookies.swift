import Hummingbird
import WebCore

/// The cookies of a sign-in at a provider. With `Lax`, they are sent when the provider redirects the browser back, but
/// not with posts that another website causes.
enum ProviderCookie: String {
    /// The secret that binds an attempt to this browser.
    case attempt = "homeward-provider"
    /// The code of an offered identity.
    case offer = "homeward-offer"

    private func name(_ site: Site) -> String { site.isSecure ? "__Host-\(rawValue)" : rawValue }

    private func attributes(_ site: Site) -> String {
        "; Path=/; HttpOnly; SameSite=Lax" + (site.isSecure ? "; Secure" : "")
    }

    func value(_ context: some WebContext) -> String? { context.cookie(name(context.site)) }

    fileprivate func setting(_ value: String, seconds: Int64, _ site: Site) -> String {
        "\(name(site))=\(value); Max-Age=\(seconds)\(attributes(site))"
    }

    fileprivate func clearing(_ site: Site) -> String { "\(name(site))=; Max-Age=0\(attributes(site))" }
}

extension Response {
    mutating func set(_ cookie: ProviderCookie, _ value: String, seconds: Int64, _ context: some WebContext) {
        headers[values: .setCookie].append(cookie.setting(value, seconds: seconds, context.site))
    }

    mutating func clear(_ cookie: ProviderCookie, _ context: some WebContext) {
        guard cookie.value(context) != nil else { return }
        headers[values: .setCookie].append(cookie.clearing(context.site))
    }
}

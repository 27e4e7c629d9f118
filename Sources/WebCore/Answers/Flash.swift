import Foundation
import Kernel

/// A toast that a redirect passes to the next page in a cookie. That page deletes the cookie.
enum Flash {
    private static let lifetimeSeconds = 60

    /// On HTTPS, the prefix ties the cookie to this host: another host of the same domain can't set it.
    private static func name(_ site: Site) -> String { site.isSecure ? "__Host-homeward-toast" : "homeward-toast" }

    static func setting(_ toast: ShellToast, _ site: Site) -> String {
        let text = (try? JSONEncoder().encode(toast)).map { $0.base64EncodedString() } ?? ""
        let value = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "\(name(site))=\(value); Max-Age=\(lifetimeSeconds)\(attributes(site))"
    }

    static func clearing(_ site: Site) -> String { "\(name(site))=; Max-Age=0\(attributes(site))" }

    /// A request that only fetches a page to cache it doesn't consume the toast.
    static func isWaiting(_ context: some WebContext) -> Bool {
        context.isDocument && context.cookie(name(context.site)) != nil
    }

    /// The toast of the previous redirect. The cookie comes from the client, so its links must be paths of this server.
    static func toast(_ context: some WebContext) -> ShellToast? {
        guard context.isDocument, let value = context.cookie(name(context.site)) else { return nil }
        var text = value.replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        guard let data = Data(base64Encoded: text), JSONSyntax.isValid(Array(data)),
            let toast = try? JSONDecoder().decode(ShellToast.self, from: data)
        else { return nil }
        for url in [toast.undoURL, toast.linkURL].compactMap({ $0 }) where LocalPath(url) == nil { return nil }
        return toast
    }

    private static func attributes(_ site: Site) -> String {
        "; Path=/; HttpOnly; SameSite=Lax" + (site.isSecure ? "; Secure" : "")
    }
}

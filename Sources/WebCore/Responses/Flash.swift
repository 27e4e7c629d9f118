import Foundation
import Kernel

/// A toast that a redirect passes to the next page in a cookie. That page deletes the cookie.
enum Flash {
    /// Returns the value of ``SiteCookie/toast``.
    static func encoded(_ toast: ShellToast) -> String {
        (try? JSONEncoder().encode(toast)).map { Base64URL.encoded($0) } ?? ""
    }

    /// A request that only fetches a page to cache it doesn't consume the toast.
    static func isWaiting(_ context: some WebContext) -> Bool {
        context.isDocument && SiteCookie.toast.value(context) != nil
    }

    /// The toast of the previous redirect. The cookie comes from the client, so its links must be paths of this server.
    static func toast(_ context: some WebContext) -> ShellToast? {
        guard context.isDocument, let value = SiteCookie.toast.value(context) else { return nil }
        guard let toast = Base64URL.decoded(value).flatMap({ JSONSyntax.decoded(ShellToast.self, $0) }) else {
            return nil
        }
        for url in [toast.undoURL, toast.linkURL].compactMap({ $0 }) where LocalPath(url) == nil { return nil }
        return toast
    }
}

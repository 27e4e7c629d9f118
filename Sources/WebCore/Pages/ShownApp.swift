import HTTPTypes

/// Which app's face a page wears that all of them share: settings, and what went wrong, look like the app from which they
/// were opened, and lead back there.
enum ShownApp {
    private static let cookie = "homeward-app"

    /// The id of the page's own app, else of the one it was opened from; `nil` where nothing tells.
    static func id(_ context: some WebContext) -> String? {
        if let own = context.web.appID(ofPath: context.path) { return own }
        // Two apps may be open at once: the page with the link knows better than a cookie, which all windows share.
        let site = context.site.url
        if let from = context.header(.referer), from.hasPrefix(site + "/") {
            let path = from.dropFirst(site.utf8.count).prefix { $0 != "?" && $0 != "#" }
            if let id = context.web.appID(ofPath: String(path)) { return id }
        }
        return context.cookie(cookie)
    }

    /// The cookie for the pages that are opened from this one; `nil` where the browser knows already.
    static func setting(_ context: some WebContext) -> String? {
        guard let id = id(context), id != context.cookie(cookie) else { return nil }
        return "\(cookie)=\(id); Path=/; HttpOnly; SameSite=Lax" + (context.site.isSecure ? "; Secure" : "")
    }
}

extension WebContext {
    /// Name, accent and tabs of the app that a page belongs to, or for one that all apps share, of the app from which it
    /// was opened; `nil` where that is none. The tab below which the settings are found has the id `settings`.
    package var appMenu: AppMenu? { ShownApp.id(self).flatMap { web.menu(ofApp: $0, app) } }
}

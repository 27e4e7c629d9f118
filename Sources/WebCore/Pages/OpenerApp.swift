import HTTPTypes

/// The app whose appearance a shared page has: settings and error pages keep the appearance of the app that opened
/// them, and link back to it.
enum OpenerApp {
    /// The id of the page's own app, else of the app that opened it; `nil` if unknown.
    static func id(_ context: some WebContext) -> String? {
        if let own = context.web.appID(ofPath: context.path) { return own }
        // Two apps may be open at once: the referring page is more reliable than a cookie, which all windows share.
        let site = context.site.url
        if let from = context.header(.referer), from.hasPrefix(site + "/") {
            let path = from.dropFirst(site.utf8.count).prefix { $0 != "?" && $0 != "#" }
            if let id = context.web.appID(ofPath: String(path)) { return id }
        }
        return SiteCookie.openerApp.value(context)
    }

    /// Sets the cookie for the pages that are opened from this one, unless the browser already has it.
    static func remember(in headers: inout HTTPFields, _ context: some WebContext) {
        guard let id = id(context), id != SiteCookie.openerApp.value(context) else { return }
        headers.set(.openerApp, to: id, on: context.site)
    }
}

extension WebContext {
    /// The name, accent and tabs of the page's app; for a shared page, of the app that opened it; `nil` for none. The
    /// tab that contains the settings has the id `settings`.
    /// Children use Family only.
    package var appMenu: AppMenu? {
        (isChild ? "family" : OpenerApp.id(self)).flatMap { web.menu(ofApp: $0, app) }
    }
}

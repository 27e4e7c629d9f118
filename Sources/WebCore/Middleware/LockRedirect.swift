import Accounts
import HTTPTypes
package import Hummingbird
import Kernel

extension WebContext {
    /// Whether a page is loaded by a browser that was restarted since it was last unlocked.
    var isLaunch: Bool {
        let head = app.head
        guard head.method == .get, isLoad else { return false }
        return SiteCookie.open.value(self) == nil
    }

    /// Whether the response fills a window, directly or by a script that submits a page's forms. Not an image, a stream
    /// or a fragment.
    var isDocument: Bool { isLoad || (face == .page && app.head.headerFields[.hxRequest] == "true") }

    /// Whether the browser loads the response into a window.
    var isLoad: Bool {
        let fields = app.head.headerFields
        guard face == .page, fields[.hxRequest] == nil else { return false }
        if let mode = fields[.secFetchMode] { return mode == "navigate" }
        let accept = fields[.accept] ?? "*/*"
        return accept.contains("text/html") || (accept.contains("*/*") && !isNonPageResource)
    }

    /// Whether the request is an act of the person, which postpones the lock: a page loaded into a window, a submitted
    /// form, or a page's report that the person typed, tapped or scrolled. What a page requests by itself isn't:
    /// positions, updates, prefetched forms, queued changes.
    var isActivity: Bool {
        let fields = app.head.headerFields
        if fields[.homewardActivity] != nil { return true }
        guard fields[.secPurpose] == nil else { return false }
        return isLoad || (isDocument && app.head.method != .get)
    }

    // For clients that accept any type: these paths never return a page.
    private var isNonPageResource: Bool { path == LiveRoute.path || path.hasPrefix("/pictures/") }
}

extension Response {
    /// Marks the browser as unlocked, so that a later launch can be detected. Call it whenever a session begins or is
    /// unlocked.
    package mutating func recordUnlock(_ context: some WebContext) {
        headers.set(.open, to: "1", on: context.site)
        headers.set(.fresh, to: "1", on: context.site)
    }
}

/// A tab that no page of ours opened may be a new launch. It gets nothing but a page with the script that checks the
/// mark of the tab, and that continues to the requested address if the tab has it.
enum LaunchGuard {
    /// Whether the request is held back until the tab has shown its mark. Links on our own pages need no mark.
    static func isHeldBack(_ context: AppContext) -> Bool {
        context.head.method == .get && context.isLoad && context.identity?.session.locksAutomatically == true
            && !isOpenedByOwnPage(context)
    }

    /// The service worker, which opens a window for a notification, is the referrer of that window, but no page.
    private static func isOpenedByOwnPage(_ context: AppContext) -> Bool {
        let fields = context.head.headerFields
        let referrer = fields[.referer]
        if referrer == context.site.url + OfflineRoutes.worker { return false }
        if let site = fields[.secFetchSite] { return site == "same-origin" }
        return referrer?.hasPrefix(context.site.url + "/") ?? false
    }

    /// The page that replaces the response.
    /// - Throws: the errors of rendering.
    static func page(_ context: AppContext) throws -> Response {
        try Responses.page(context, template: "tab-gate", LaunchGuardView(context))
    }
}

/// The page that continues to the requested address as soon as the tab has shown its mark.
struct LaunchGuardView {
    let shell: Shell
    let destination: String
    let label: String

    init(_ context: AppContext) {
        shell = Shell(
            context, title: AppMenu.bare.name, menu: context.appMenu ?? .bare, isLargeTitle: false, isNarrow: true,
            hasTabs: false)
        destination = LocalPath(context.uri.string)?.text ?? "/"
        label = context.t("Continue")
    }
}

/// Redirects a locked session to the lock screen.
enum LockRedirect {
    /// The redirect to the lock screen, which returns to the requested page; `nil` if the error is the response.
    static func response(_ context: AppContext) -> Response? {
        guard context.isDocument else { return nil }
        let isReading = context.head.method == .get || context.head.method == .head
        return Responses.seeOther(context, to: place(returning: isReading ? context.uri.string : nil))
    }

    /// The path of the lock screen.
    static func place(returning path: String?) -> String {
        guard let path = path.flatMap({ LocalPath($0)?.text }), path != "/" else { return "/lock" }
        return "/lock?return=" + PercentEncoding.encoded(path, keepingSlashes: true)
    }
}

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

/// Covers responses other than pages (downloads, pictures, redirects to other sites) at a launch. The script of a page
/// checks the mark of its tab. These responses have no script, so a page with that script is shown first.
enum LaunchGuard {
    /// Whether `response` is held back until the tab has shown its mark. Links on our own pages need no mark.
    static func isHeldBack(_ response: Response, _ context: AppContext) -> Bool {
        guard context.head.method == .get, context.isLoad, context.identity?.session.locksAutomatically == true,
            !isOpenedByOwnPage(context), !redirectsToOwnPage(response, context)
        else { return false }
        return response.headers[.contentType] != Responses.htmlType
    }

    private static func isOpenedByOwnPage(_ context: AppContext) -> Bool {
        let fields = context.head.headerFields
        if let site = fields[.secFetchSite] { return site == "same-origin" }
        return fields[.referer]?.hasPrefix(context.site.url + "/") ?? false
    }

    // A redirect has no content, and its target is checked when it is requested.
    private static func redirectsToOwnPage(_ response: Response, _ context: AppContext) -> Bool {
        guard let place = response.headers[.location] else { return false }
        return LocalPath(place) != nil || place.hasPrefix(context.site.url + "/")
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

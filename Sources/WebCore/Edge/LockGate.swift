import Accounts
import HTTPTypes
package import Hummingbird
import Kernel

/// What a browser keeps, and shows, so that the server knows a new launch from a page that was open all the time.
struct LaunchCookies: Sendable {
    private static let freshSeconds = 60
    private let prefix: String
    private let attributes: String

    init(isSecure: Bool) {
        prefix = isSecure ? "__Host-" : ""
        attributes = "; Path=/; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    /// A browser forgets it when it is closed, unlike the session's cookie.
    var openName: String { prefix + "homeward-open" }

    /// Read by the page's script: this tab was just let in, however it got here.
    var freshName: String { prefix + "homeward-fresh" }

    /// The `Set-Cookie` values that let a browser in.
    var opening: [String] {
        [
            "\(openName)=1\(attributes); HttpOnly",
            "\(freshName)=1; Max-Age=\(Self.freshSeconds)\(attributes)",
        ]
    }
}

extension WebContext {
    /// Whether a page is loaded by a browser that was started since it was let in.
    var isLaunch: Bool {
        let head = app.head
        guard head.method == .get, isLoad else { return false }
        let cookies = LaunchCookies(isSecure: site.isSecure)
        return Cookies.value(of: cookies.openName, in: head.headerFields) == nil
    }

    /// Whether the answer is going to fill a window, also by way of a script that sends a page's forms; not an image, a
    /// stream, or a part of a page.
    var isDocument: Bool { isLoad || (face == .page && app.head.headerFields[.hxRequest] == "true") }

    /// Whether the answer is going to fill a window.
    var isLoad: Bool {
        let fields = app.head.headerFields
        guard face == .page, fields[.hxRequest] == nil else { return false }
        if let mode = fields[.secFetchMode] { return mode == "navigate" }
        let accept = fields[.accept] ?? "*/*"
        return accept.contains("text/html") || (accept.contains("*/*") && !isBareResource)
    }

    // A client that takes anything: what is no page at these paths is not to become one.
    private var isBareResource: Bool { path == LiveRoute.path || path.hasPrefix("/pictures/") }
}

extension Response {
    /// Notes in the browser that this session was let in just now: a new launch is told from it. To be set wherever a
    /// session begins or its lock is opened.
    package mutating func noteOpening(_ context: some WebContext) {
        headers[values: .setCookie] += LaunchCookies(isSecure: context.site.isSecure).opening
    }
}

/// Covers responses other than pages (a download, a picture, a redirect to another site) at a launch. A page's own
/// script asks for the mark of its tab. These responses have no script, so a page with that script is shown first.
enum TabGate {
    /// Whether `response` is to be held back until the tab has shown its mark. What one of our own pages leads to needs
    /// none.
    static func holdsBack(_ response: Response, _ context: AppContext) -> Bool {
        guard context.head.method == .get, context.isLoad, context.identity?.session.locksByItself == true,
            !isOpenedByOwnPage(context), !leadsToOwnPage(response, context)
        else { return false }
        return response.headers[.contentType] != Answer.htmlType
    }

    private static func isOpenedByOwnPage(_ context: AppContext) -> Bool {
        let fields = context.head.headerFields
        if let site = fields[.secFetchSite] { return site == "same-origin" }
        return fields[.referer]?.hasPrefix(context.site.url + "/") ?? false
    }

    // A redirect holds nothing itself, and where it leads is asked about there.
    private static func leadsToOwnPage(_ response: Response, _ context: AppContext) -> Bool {
        guard let place = response.headers[.location] else { return false }
        return LocalPath(place) != nil || place.hasPrefix(context.site.url + "/")
    }

    /// The page in its place.
    /// - Throws: the errors of rendering.
    static func page(_ context: AppContext) throws -> Response {
        try Answer.page(context, template: "tab-gate", TabGatePage(context))
    }
}

/// Continues to the requested address as soon as the tab has shown its mark.
struct TabGatePage {
    let shell: Shell
    let destination: String
    let label: String

    init(_ context: AppContext) {
        let strings = WebStrings.of(context.language)
        shell = Shell(
            context, title: AppMenu.bare.name, menu: context.appMenu ?? .bare, isLargeTitle: false, isNarrow: true,
            hasTabs: false)
        destination = LocalPath(context.uri.string)?.text ?? "/"
        label = strings.goOn
    }
}

/// Where a locked session is sent.
enum LockGate {
    /// The lock's page, from where one comes back to what was asked for; `nil` where the error itself is the answer.
    static func answer(_ context: AppContext) -> Response? {
        guard context.isDocument else { return nil }
        let isReading = context.head.method == .get || context.head.method == .head
        return Answer.seeOther(context, to: place(returning: isReading ? context.uri.string : nil))
    }

    /// The lock's page.
    static func place(returning path: String?) -> String {
        guard let path = path.flatMap({ LocalPath($0)?.text }), path != "/" else { return "/lock" }
        return "/lock?return=" + PercentEncoding.component(path)
    }
}

package import HTTPTypes
package import Hummingbird

/// Whom a route answers.
package enum RouteAccess: String, Sendable {
    /// Devices, health, static files: no session is looked at.
    case device
    /// Everybody; a session is loaded if there is one.
    case open
    /// Only grown-ups who are signed in.
    case signedIn
    /// Everybody who is signed in, children too.
    case signedInOrChild
}

/// One route of the server.
package struct RouteEntry: Sendable, Hashable {
    /// The method.
    package let method: HTTPRequest.Method
    /// The pattern: `/tracking/items/{id}`.
    package let path: String
    /// Whom it answers.
    package let access: RouteAccess
    /// Whether a locked session is answered, too.
    package let isServedWhileLocked: Bool

    // HEAD comes with GET.
    func methods(for path: String) -> [HTTPRequest.Method] {
        guard matches(path) else { return [] }
        return method == .get ? [.get, .head] : [method]
    }

    private func matches(_ path: String) -> Bool {
        let wanted = self.path.split(separator: "/")
        let given = path.split(separator: "/")
        if wanted.last == "**" {
            guard given.count >= wanted.count else { return false }
        } else if wanted.count != given.count {
            return false
        }
        return zip(wanted, given).allSatisfy { $0 == $1 || $0.first == "{" || $0 == "**" }
    }
}

/// Where a module adds its routes.
package struct Routes {
    /// For devices: no session, no cookie, no check of the sender's website; errors are JSON.
    package let device: RouteGroup<AppContext>
    /// For everybody: a session is loaded if there is one.
    package let open: RouteGroup<AppContext>
    /// For grown-ups who are signed in: others are sent to the sign-in page, programs get 401; a child gets 403. What
    /// doesn't say otherwise is closed to children.
    package let signedIn: RouteGroup<SignedInContext>
    /// The same for children as well. Each handler sees to it that a child only gets at what is for children.
    package let everyone: RouteGroup<SignedInContext>
    /// The same, and for a locked session, too: the lock itself, and signing out. Of everything else a locked session
    /// gets nothing: a browser is sent to the lock, programs get 423.
    package let whileLocked: RouteGroup<SignedInContext>
    /// As ``open``, and for a locked session, too: signing in anew.
    package let openWhileLocked: RouteGroup<AppContext>
    let list: RouteList

    /// Adds a short cut for one of the device routes.
    package func addExpress(_ route: ExpressRoute) { list.express.append(route) }
}

/// A part of the product that answers requests.
package protocol WebModule: Sendable {
    /// Its templates and static files.
    var embedded: EmbeddedFiles { get }
    /// Adds its routes.
    func addRoutes(to routes: Routes)
    /// What the services below it say when they refuse something, in the reader's words; `nil` for a sentence that
    /// isn't theirs. So the page of another module can show it, and the one that says that something went wrong.
    func translation(of message: String, to language: Language) -> String?
    /// The patterns of the routes (`/tracking/items/{id}`) whose GET answers a browser may keep and show to the same
    /// person without a connection. Nothing that is secret, short-lived, or tells how to reach somebody else.
    var keptOffline: [String] { get }
    /// The app that the module is: the first part of its pages' paths, and the id of its menu; `nil` for none.
    var appID: String? { get }
    /// Name, accent and tabs of the app for whoever asks; `nil` for none. The tab below which the settings are found is
    /// called `settings` (``AppMenu/withSettings(below:)``).
    func menu(_ context: AppContext) -> AppMenu?
    /// Paths of the app's pages, with all below them, that are settings: they wear the face of the app from which the
    /// settings were opened.
    var settingsPaths: [String] { get }
}

extension WebModule {
    /// No app.
    package var appID: String? { nil }

    /// No app.
    package func menu(_ context: AppContext) -> AppMenu? { nil }

    /// None.
    package var settingsPaths: [String] { [] }

    /// Nothing is kept.
    package var keptOffline: [String] { [] }

    /// Nothing of its own to say.
    package func translation(of message: String, to language: Language) -> String? { nil }
}

/// A group of routes that keeps a list of what is added to it.
package struct RouteGroup<Context: RequestContext>: RouterMethods {
    let base: any RouterMethods<Context>
    let list: RouteList
    let access: RouteAccess
    var isServedWhileLocked = false

    /// Adds a route.
    @discardableResult
    package func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == Context {
        list.entries.append(
            RouteEntry(method: method, path: path.description, access: access, isServedWhileLocked: isServedWhileLocked)
        )
        base.on(path, method: method, responder: responder)
        return self
    }

    /// Adds a middleware for the routes that come after it.
    @discardableResult
    package func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self {
        _ = base.add(middleware: middleware)
        return self
    }
}

/// The list, while it is being made.
final class RouteList {
    var entries: [RouteEntry] = []
    var express: [ExpressRoute] = []
}

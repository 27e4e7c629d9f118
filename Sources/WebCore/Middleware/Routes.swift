package import Accounts
package import HTTPTypes
package import Hummingbird

/// The clients that a route serves.
package enum RouteAccess: String, Sendable {
    /// Devices, health, static files: no session is loaded.
    case device
    /// Everyone; a session is loaded if there is one.
    case open
    /// Signed-in adults.
    case signedIn
    /// Everyone who is signed in, including children.
    case signedInOrChild
    /// The same, and shared devices.
    case signedInOrShared
    /// Shared devices only.
    case sharedDevice
    /// Signed-in administrators of the server.
    case administrator
}

/// One route of the server.
package struct RouteEntry: Sendable, Hashable {
    package let method: HTTPRequest.Method
    /// The pattern: `/tracking/items/{id}`.
    package let path: String
    package let access: RouteAccess
    /// Whether the route also serves a locked session.
    package let isServedWhileLocked: Bool
    /// An access token needs one of these scopes; empty where no token is served.
    package let tokenScopes: Set<AccessScope>

    // HEAD comes with GET.
    var methods: [String] { (method == .get ? [.get, .head] : [method]).map(\.rawValue) }
}

/// The route groups that a module adds its routes to.
package struct Routes {
    /// For devices: no session, no cookie, no check of the request's origin; errors are JSON.
    package let device: RouteGroup<AppContext>
    /// For everyone: a session is loaded if there is one.
    package let open: RouteGroup<AppContext>
    /// For signed-in adults: browsers without a session are redirected to the sign-in page, programs get 401; a child
    /// gets 403. The default: children have access to other groups only.
    package let signedIn: RouteGroup<SignedInContext>
    /// For administrators of the server; other adults and children get 403.
    package let administrators: RouteGroup<SignedInContext>
    /// Like ``signedIn``, also for children. Each handler makes sure that a child only reaches data for children.
    package let everyone: RouteGroup<SignedInContext>
    /// Like ``everyone``, also for shared devices: what every page needs.
    package let everyDevice: RouteGroup<SignedInContext>
    /// For shared devices. They reach these, ``everyDevice`` and ``device``; on all other routes, they aren't signed
    /// in.
    package let sharedDevices: RouteGroup<SignedInContext>
    /// The same as ``everyone``, also for a locked session: the lock screen and signing out. On all other routes, a
    /// locked session is redirected to the lock screen in a browser, and gets 423 in a program.
    package let whileLocked: RouteGroup<SignedInContext>
    /// Like ``open``, also for a locked session: signing in again.
    package let openWhileLocked: RouteGroup<AppContext>
    let list: RouteList

    /// Adds a fast path for one of the device routes.
    package func addFastPath(_ route: FastPathRoute) { list.express.append(route) }
}

/// A part of the product that has routes.
package protocol WebModule: Sendable {
    /// The module's templates and static files.
    var embedded: EmbeddedFiles { get }
    func addRoutes(to routes: Routes)
    /// The patterns of the routes (`/tracking/items/{id}`) whose GET responses a browser may cache, and show to the
    /// same person without a connection. Exclude secrets, short-lived data and the contact details of other people.
    var offlinePaths: [String] { get }
    /// The id of the module's app: the first part of its pages' paths, and the id of its menu; `nil` for none.
    var appID: String? { get }
    /// The name, accent and tabs of the app for this request; `nil` for none. The tab that contains the settings has
    /// the id `settings` (``AppMenu/withSettings(below:)``).
    func menu(_ context: AppContext) -> AppMenu?
    /// The paths of settings pages, including all paths below them. Such pages keep the appearance of the app from
    /// which the settings were opened.
    var settingsPaths: [String] { get }
    /// What limits the rows that a person creates with each route for POST and PUT: `POST /tracking/items`.
    var creationRules: [String: CreationRule] { get }
}

extension WebModule {
    package var appID: String? { nil }

    /// The default: no menu.
    package func menu(_ context: AppContext) -> AppMenu? { nil }

    package var settingsPaths: [String] { [] }

    package var offlinePaths: [String] { [] }

    package var creationRules: [String: CreationRule] { [:] }
}

/// A group of routes that records the routes added to it.
package struct RouteGroup<Context: WebContext>: RouterMethods {
    let base: any RouterMethods<Context>
    let list: RouteList
    let access: RouteAccess
    var isServedWhileLocked = false
    var tokenAccess = TokenAccess.none

    /// Returns the same group for routes that also serve access tokens.
    package func serving(_ tokens: TokenAccess) -> Self {
        var group = self
        group.tokenAccess = tokens
        return group
    }

    /// Adds a route and records it in the list of routes.
    @discardableResult
    package func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == Context {
        let scopes = tokenAccess.scopes(for: method, path.description)
        list.entries.append(
            RouteEntry(
                method: method, path: path.description, access: access, isServedWhileLocked: isServedWhileLocked,
                tokenScopes: scopes))
        base.on(path, method: method, responder: TokenScopeResponder(base: responder, scopes: scopes))
        return self
    }

    /// Adds a middleware for the routes that are added after it.
    @discardableResult
    package func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self {
        _ = base.add(middleware: middleware)
        return self
    }
}

/// The list of routes while it is built.
final class RouteList {
    var entries: [RouteEntry] = []
    var express: [FastPathRoute] = []
}

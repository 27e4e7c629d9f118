import HTTPTypes
import Hummingbird
package import Kernel
package import Logging
package import Storage
import Synchronization

/// What all handlers share, and how a server is put together from modules.
package final class Web: Sendable {
    /// Where this server is and how it looks from outside.
    package let site: Site
    /// The templates.
    package let renderer: Renderer
    /// Styles, scripts, icons.
    package let files: StaticFiles
    /// The stream of live changes; to be run as a service.
    package let live: LiveHub
    /// What is counted.
    package let metrics: WebMetrics
    /// The time.
    package let clock: any WallClock
    /// Randomness.
    package let random: any RandomSource
    /// For what belongs to no request.
    package let logger: Logger

    let sessions: any SessionAuthority
    let offline: OfflineKeeping
    private let database: Database
    private let modules: [any WebModule]
    private let routeTable = Mutex<[RouteEntry]>([])

    /// Puts the shared parts together.
    /// - Parameter onRender: hears of each page that is rendered.
    /// - Throws: `Renderer.Failure` for templates that can't be used.
    package init(
        site: Site, sessions: any SessionAuthority, database: Database, modules: [any WebModule], clock: any WallClock,
        random: any RandomSource, logger: Logger, onRender: Renderer.Observer? = nil
    ) throws {
        self.site = site
        self.sessions = sessions
        self.database = database
        self.modules = modules
        self.clock = clock
        self.random = random
        self.logger = logger
        let embedded = [EmbeddedFiles(Embedded.base64)] + modules.map(\.embedded)
        renderer = try Renderer(embedded, onRender: onRender)
        files = StaticFiles(embedded)
        offline = OfflineKeeping(modules.flatMap(\.keptOffline))
        metrics = WebMetrics()
        live = LiveHub(database: database, sessions: sessions, logger: logger)
    }

    /// Builds the responder of all modules' routes. To be called once.
    package func responder() -> Edge {
        let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)
        let list = RouteList()
        let deviceGroup = router.group().add(middleware: ErrorAnswers(asJSON: true))
        let openGroup = router.group().add(middleware: SessionCheck(web: self))
        let everyoneGroup = router.group().add(middleware: SessionCheck(web: self)).group(context: SignedInContext.self)
        let openLock = router.group().add(middleware: SessionCheck(web: self, servesLocked: true))
        let lockGroup = router.group().add(middleware: SessionCheck(web: self, servesLocked: true))
            .group(context: SignedInContext.self)
        let grownUpGroup = router.group().add(middleware: SessionCheck(web: self)).group(context: SignedInContext.self)
            .add(middleware: GrownUpCheck())
        let routes = Routes(
            device: RouteGroup(base: deviceGroup, list: list, access: .device, isServedWhileLocked: true),
            open: RouteGroup(base: openGroup, list: list, access: .open),
            signedIn: RouteGroup(base: grownUpGroup, list: list, access: .signedIn),
            everyone: RouteGroup(base: everyoneGroup, list: list, access: .signedInOrChild),
            whileLocked: RouteGroup(
                base: lockGroup, list: list, access: .signedInOrChild, isServedWhileLocked: true),
            openWhileLocked: RouteGroup(base: openLock, list: list, access: .open, isServedWhileLocked: true),
            list: list
        )
        CoreRoutes(web: self, database: database).add(to: routes, plain: router)
        for module in modules { module.addRoutes(to: routes) }
        routeTable.withLock { $0 = list.entries }
        // The groups map their own errors. This middleware is only for paths without a route; it knows the session,
        // so that a launch is covered there, too.
        router.add(middleware: SessionCheck(web: self, checksOrigin: false))
        let quiet = list.entries.filter { $0.access == .device }.map(\.path)
        return Edge(
            web: self, router: router.buildResponder(), quietRoutes: Set(quiet), expressRoutes: list.express
        )
    }

    /// All routes, once the responder was built.
    package var routes: [RouteEntry] { routeTable.withLock { $0 } }

    /// The patterns of the routes whose GET answers a browser may keep and show without a connection.
    package var keptOffline: Set<String> { offline.routes }

    /// The same error in the reader's words, whichever module its sentences come from.
    package func translated(_ error: AppError, to language: Language) -> AppError {
        guard language != .english else { return error }
        return error.saying { english in
            for module in modules {
                if let words = module.translation(of: english, to: language) { return words }
            }
            return CommonRefusals.translation(of: english, to: language) ?? english
        }
    }

    /// The id of the app whose page it is; `nil` for what all apps share.
    func appID(ofPath path: String) -> String? {
        if path == "/" { return AppMenu.homeID }
        let isBelow = { (parent: String) in path == parent || path.hasPrefix(parent + "/") }
        guard let module = modules.first(where: { $0.appID.map { isBelow("/\($0)") } ?? false }) else { return nil }
        return module.settingsPaths.contains(where: isBelow) ? nil : module.appID
    }

    /// An app's menu for whoever asks; `nil` for what is no app.
    func menu(ofApp id: String, _ context: AppContext) -> AppMenu? {
        modules.first { $0.appID == id }?.menu(context)
    }

    /// What can be done at a path; empty for a path that isn't there.
    func allowedMethods(path: String) -> [String] {
        Set(routes.flatMap { $0.methods(for: path) }.map(\.rawValue)).sorted()
    }
}

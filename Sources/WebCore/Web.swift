package import Accounts
package import Backups
import HTTPTypes
import Hummingbird
package import Jobs
package import Kernel
package import Logging
package import Storage
import Synchronization
import Translations

/// Called before each page is rendered, with the name of its template and the type of its view model.
package typealias RenderObserver = @Sendable (_ template: String, _ model: Any.Type) -> Void

/// The objects that all handlers share. Assembles the server from its modules.
package final class Web: Sendable {
    package let site: Site
    /// The stream of live changes; run it as a service.
    package let live: LiveHub
    package let metrics: WebMetrics
    package let clock: any WallClock
    package let random: any RandomSource
    /// For log entries outside of requests.
    package let logger: Logger

    /// Authenticates the digests of idempotent requests.
    let digestKey: BodyDigestKey
    /// What limits the rows that a person creates with each route for POST and PUT.
    package let creationRules: [String: CreationRule]
    /// Multiplies the budgets of the routes.
    let limitFactor: Int
    let onRender: RenderObserver?
    let sessions: any SessionAuthority
    let registration: RegistrationStateReader
    let offline: OfflineCachePolicy
    /// The queues whose state the metrics show.
    let jobQueues: [JobQueue]
    let untrustedProxy: UntrustedProxy
    /// The state of the backups, which the metrics show.
    let backups: BackupStatusReader?
    /// The metrics of other modules at a time.
    let otherMetrics: @Sendable (Instant) -> [MetricFamily]
    private let assets: Assets
    private let draining = Atomic(false)
    private let database: Database
    private let modules: [any WebModule]
    private let routeList = Mutex<(entries: [RouteEntry], table: RouteTable)>(([], RouteTable()))

    /// - Parameters:
    ///   - digestKey: the key of the digests of idempotent requests, the same on all nodes.
    ///   - registration: who can create an account; everyone by default.
    ///   - jobQueues: the queues whose state is shown in the metrics.
    ///   - backups: the state of the backups that is shown in the metrics.
    ///   - otherMetrics: returns further metrics for a request at the given time. It must not wait.
    ///   - limitFactor: multiplies the budgets of the routes.
    ///   - onRender: called for each rendered page.
    /// - Throws: `Renderer.Failure` for templates that can't be used; `Translations.Failure` for a language without
    ///   usable translations.
    package init(
        site: Site, sessions: any SessionAuthority, digestKey: BodyDigestKey,
        registration: RegistrationStateReader? = nil, database: Database,
        modules: [any WebModule], jobQueues: [JobQueue] = [], backups: BackupStatusReader? = nil,
        otherMetrics: @escaping @Sendable (Instant) -> [MetricFamily] = { _ in [] },
        clock: any WallClock, random: any RandomSource, logger: Logger,
        untrustedProxy: UntrustedProxy = UntrustedProxy(), limitFactor: Int = 1, onRender: RenderObserver? = nil
    ) throws {
        self.site = site
        self.sessions = sessions
        self.digestKey = digestKey
        self.registration =
            registration ?? RegistrationStateReader(policy: RegistrationPolicy(), database: database, clock: clock)
        self.database = database
        self.modules = modules
        self.jobQueues = jobQueues
        self.backups = backups
        self.otherMetrics = otherMetrics
        self.clock = clock
        self.random = random
        self.logger = logger
        self.untrustedProxy = untrustedProxy
        self.limitFactor = limitFactor
        creationRules = modules.reduce(into: [:]) { rules, module in
            rules.merge(module.creationRules) { first, _ in first }
        }
        self.onRender = onRender
        try Translations.check()
        assets = try Assets.of([EmbeddedFiles(Embedded.base64)] + modules.map(\.embedded))
        offline = OfflineCachePolicy(modules.flatMap(\.offlinePaths))
        metrics = WebMetrics()
        live = LiveHub(database: database, sessions: sessions, logger: logger)
    }

    /// Whether the server is about to stop, so that balancers should send requests elsewhere.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Says at `/health/ready` that the server is about to stop.
    package func drain() { draining.store(true, ordering: .relaxed) }

    /// Builds the responder of all modules' routes. Call it once.
    package func responder() -> RootResponder {
        let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)
        let list = RouteList()
        let deviceGroup = router.group().add(middleware: ErrorMiddleware(asJSON: true))
        let openGroup = router.group().add(middleware: SessionMiddleware(web: self))
        let everyoneGroup = router.group().add(middleware: SessionMiddleware(web: self)).group(
            context: SignedInContext.self)
        let openLock = router.group().add(middleware: SessionMiddleware(web: self, servesLocked: true))
        let lockGroup = router.group().add(middleware: SessionMiddleware(web: self, servesLocked: true))
            .group(context: SignedInContext.self)
        let adultGroup = router.group().add(middleware: SessionMiddleware(web: self)).group(
            context: SignedInContext.self
        )
        .add(middleware: AdultOnlyMiddleware())
        let administratorGroup = router.group().add(middleware: SessionMiddleware(web: self)).group(
            context: SignedInContext.self
        )
        .add(middleware: AdministratorOnlyMiddleware())
        let everyDeviceGroup = router.group().add(middleware: SessionMiddleware(web: self, servesSharedDevices: true))
            .group(context: SignedInContext.self)
        let sharedDeviceGroup = router.group().add(middleware: SessionMiddleware(web: self, servesSharedDevices: true))
            .group(context: SignedInContext.self)
            .add(middleware: SharedDeviceOnlyMiddleware())
        let routes = Routes(
            device: RouteGroup(base: deviceGroup, list: list, access: .device, isServedWhileLocked: true),
            open: RouteGroup(base: openGroup, list: list, access: .open),
            signedIn: RouteGroup(base: adultGroup, list: list, access: .signedIn),
            administrators: RouteGroup(base: administratorGroup, list: list, access: .administrator),
            everyone: RouteGroup(base: everyoneGroup, list: list, access: .signedInOrChild),
            everyDevice: RouteGroup(base: everyDeviceGroup, list: list, access: .signedInOrShared),
            sharedDevices: RouteGroup(base: sharedDeviceGroup, list: list, access: .sharedDevice),
            whileLocked: RouteGroup(
                base: lockGroup, list: list, access: .signedInOrChild, isServedWhileLocked: true),
            openWhileLocked: RouteGroup(base: openLock, list: list, access: .open, isServedWhileLocked: true),
            list: list
        )
        CoreRoutes(web: self, database: database).add(to: routes, plain: router)
        for module in modules { module.addRoutes(to: routes) }
        let table = RouteTable(list.entries)
        routeList.withLock { [entries = list.entries] in $0 = (entries, table) }
        // The groups map their own errors. This middleware only serves paths without a route; it loads the session, so
        // that a launch is covered there, too.
        router.add(middleware: SessionMiddleware(web: self, checksOrigin: false))
        let quiet = list.entries.filter { $0.access == .device }.map(\.path)
        return RootResponder(
            web: self, router: router.buildResponder(), quietRoutes: Set(quiet), fastPathRoutes: list.express
        )
    }

    package var renderer: Renderer { assets.renderer }

    /// Parses the templates in the default language, for which the first page would wait otherwise, and compresses the
    /// static files.
    package func prepareAssets() {
        do {
            try renderer.prepare(.english)
        } catch {
            logger.critical("The templates can't be used", metadata: ["error": "\(error)"])
        }
        files.compress()
    }

    package var files: StaticFiles { assets.files }

    /// All routes; empty before ``responder()`` was called.
    package var routes: [RouteEntry] { routeList.withLock { $0.entries } }

    /// The patterns of the routes whose GET responses a browser may cache and show without a connection.
    package var offlinePaths: Set<String> { offline.routes }

    /// The id of the app that a path belongs to; `nil` for a shared page.
    func appID(ofPath path: String) -> String? {
        if path == "/" { return AppMenu.homeID }
        let isBelow = { (parent: String) in path == parent || path.hasPrefix(parent + "/") }
        guard let module = modules.first(where: { $0.appID.map { isBelow("/\($0)") } ?? false }) else { return nil }
        return module.settingsPaths.contains(where: isBelow) ? nil : module.appID
    }

    /// An app's menu for this request; `nil` for an unknown app.
    func menu(ofApp id: String, _ context: AppContext) -> AppMenu? {
        modules.first { $0.appID == id }?.menu(context)
    }

    /// The methods of a path; empty for an unknown path.
    func allowedMethods(path: String) -> [String] {
        routeList.withLock { $0.table }.methods(of: path).sorted()
    }
}

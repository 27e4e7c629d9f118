import Backups
import HTTPTypes
import Hummingbird
import Kernel
import Logging
import NIOCore
import Storage

/// The routes that belong to no app: static files, health, metrics, the live stream.
struct CoreRoutes: Sendable {
    let web: Web
    let database: Database

    func add(to routes: Routes, plain: some RouterMethods<AppContext>) {
        routes.device
            .get("/static/{version}/**", use: file)
            .get("/favicon.ico", use: favicon)
            .get("/health/live", use: isLive)
            .get("/health/ready", use: isReady)
            .get("/metrics", use: metrics)
        MapTilesRoute(file: web.site.tiles.file, clock: web.clock).add(to: routes)
        OfflineRoutes(web: web).add(to: routes)
        routes.everyDevice.get(RouterPath(LiveRoute.path), use: LiveRoute(web: web).stream)
    }

    @Sendable private func file(_ request: Request, _ context: AppContext) async throws -> Response {
        let name = context.parameters.getCatchAll().joined(separator: "/")
        let version = context.parameters.get("version") ?? ""
        guard let response = web.files.response(version: version, name: name, head: context.head) else {
            throw AppError.notFound
        }
        return response
    }

    @Sendable private func favicon(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let response = web.files.response(version: "", name: "icons/home-180.png", head: context.head) else {
            throw AppError.notFound
        }
        return response
    }

    private struct Health: Encodable {
        let status: String
        /// How the client's address is known; for ``isLive(_:_:)``.
        var client: ClientAddressSource?
    }

    @Sendable private func isLive(_ request: Request, _ context: AppContext) async throws -> Response {
        try Responses.json(context, Health(status: "ok", client: context.clientAddressSource))
    }

    @Sendable private func isReady(_ request: Request, _ context: AppContext) async throws -> Response {
        // With 404, HAProxy keeps the node's connections (`http-check disable-on-404`); with 503, it ends them.
        guard !web.isDraining else {
            throw AppError(.notFound, context.t("Not possible right now. Try again in a moment."))
        }
        do {
            _ = try await database.read { try $0.row("SELECT 1 AS ok") }
        } catch {
            context.logger.error("The database can't be reached", metadata: ["error": "\(error)"])
            throw AppError(.unavailable, context.t("Not possible right now. Try again in a moment."))
        }
        let status = database.status
        guard status.isClockRight else {
            context.logger.error(
                "This computer's clock differs from the database's",
                metadata: ["millisecondsBehind": "\(status.clockMilliseconds)"])
            throw AppError(.unavailable, context.t("Not possible right now. Try again in a moment."))
        }
        return try Responses.json(context, Health(status: "ok"))
    }

    private var transactionTimes: MetricFamily {
        var family = MetricFamily(
            "homeward_store_transaction_seconds", .histogram,
            help: "Time that the caller of a transaction waited, including the queue.")
        for (kind, times) in [("read", database.readTimes), ("write", database.writeTimes)] {
            let counts = times.counts
            family.add(
                groups: counts.groups, bounds: TransactionTimes.bounds, sum: counts.seconds, labels: [("kind", kind)])
        }
        return family
    }

    @Sendable private func metrics(_ request: Request, _ context: AppContext) async throws -> Response {
        let text = web.metrics.exposition(
            liveListeners: web.live.listenerCount, store: database.status, jobs: web.jobQueues,
            backups: await web.backups?.recent(), others: [transactionTimes] + web.otherMetrics(web.clock.now),
            now: web.clock.now)
        return Responses.bytes(context, Array(text.utf8), mediaType: "text/plain; version=0.0.4; charset=utf-8")
    }
}

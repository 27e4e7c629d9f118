import HTTPTypes
package import Hummingbird
import Kernel
import Logging
import NIOCore

/// Hummingbird's context of a request, from which an ``AppContext`` is made.
package struct RootContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// The outermost responder: method override, routing, headers, metrics and the access log.
package struct RootResponder: HTTPResponder {
    let web: Web
    let router: RouterResponder<AppContext>
    private let security: SecurityHeaders
    private let quietRoutes: Set<String>
    private let fastPathRoutes: [FastPathRoute]
    private let taken: Response
    private let clock = ContinuousClock()

    /// - Parameter quietRoutes: the routes whose successful responses are logged at debug only.
    init(
        web: Web, router: RouterResponder<AppContext>, quietRoutes: Set<String>, fastPathRoutes: [FastPathRoute]
    ) {
        self.web = web
        self.router = router
        self.quietRoutes = quietRoutes
        self.fastPathRoutes = fastPathRoutes
        security = SecurityHeaders(web.site)
        var taken = Response(status: .ok)
        security.add(to: &taken)
        self.taken = taken
    }

    /// Responds to one request.
    /// - Throws: only when the client can't receive a response any more.
    package func respond(to original: Request, context root: RootContext) async throws -> Response {
        let started = clock.now
        // Decided without an asynchronous call, whose frames the connection's task would keep.
        if let (route, query) = fastPath(of: original),
            let taken = try await respondFast(to: original, query, by: route, root, since: started)
        {
            return taken
        }
        return try await routeInOwnTask(original, root, since: started)
    }

    private func fastPath(of original: Request) -> (FastPathRoute, query: Substring)? {
        for route in fastPathRoutes {
            if let query = route.query(of: original.head) { return (route, query) }
        }
        return nil
    }

    /// The response of a fast path; `nil` if it declines the request.
    @inline(never)
    private func respondFast(
        to original: Request, _ query: Substring, by route: FastPathRoute, _ root: RootContext,
        since started: ContinuousClock.Instant
    ) async throws -> Response? {
        let checked = RequestHeadCheck(original)
        guard checked.problem == nil, let response = try await respond(to: checked.request, query, by: route, root)
        else { return nil }
        record(response.status, original.method, route.path, root.logger, clock.now - started)
        return response
    }

    /// Routes a request in a child task. A task keeps the memory of its deepest call until it ends, and the task of a
    /// connection lasts as long as the connection.
    @inline(never)
    private func routeInOwnTask(
        _ original: Request, _ root: RootContext, since started: ContinuousClock.Instant
    ) async throws -> Response {
        try await withThrowingTaskGroup(of: Response.self) { group in
            group.addTask { try await route(original, root, since: started) }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }

    private func route(
        _ original: Request, _ root: RootContext, since started: ContinuousClock.Instant
    ) async throws -> Response {
        let checked = RequestHeadCheck(original)
        let expected = ExpectedBody(of: checked.request, over: root.channel)
        if let problem = checked.problem {
            var response = try refuse(checked.request, problem, root, since: started)
            expected?.finish(&response)
            return response
        }
        var request = MethodOverride.apply(to: checked.request)
        if let expected { request.body = RequestBody(asyncSequence: expected) }
        let context = context(of: request, root)
        var response = try await router.respond(to: request, context: context)
        security.add(to: &response)
        if request.method == .head { StreamHeadResponse.finish(&response, over: root.channel) }
        expected?.finish(&response)
        record(
            response.status, request.method, context.endpointPath ?? "NotFound", context.logger, clock.now - started
        )
        return response
    }

    private func refuse(
        _ request: Request, _ problem: RequestHeadCheck.Problem, _ root: RootContext,
        since started: ContinuousClock.Instant
    ) throws -> Response {
        let context = context(of: request, root)
        var response = try ErrorMapping.response(to: problem.refusal(in: context.language), context)
        security.add(to: &response)
        if request.method == .head { StreamHeadResponse.finish(&response, over: root.channel) }
        record(response.status, request.method, "Refused", context.logger, clock.now - started)
        return response
    }

    private func respond(
        to request: Request, _ query: Substring, by route: FastPathRoute, _ root: RootContext
    ) async throws -> Response? {
        do {
            return try await route.handler(query) ? taken : nil
        } catch {
            let context = context(of: request, root)
            context.coreContext.endpointPath.value = route.path
            var response = try ErrorMapping.response(to: error, context, asJSON: true)
            security.add(to: &response)
            return response
        }
    }

    private func context(of request: Request, _ root: RootContext) -> AppContext {
        AppContext(
            source: AppContextSource(
                logger: root.logger,
                facts: RequestStorage(web: web, head: request.head, uri: request.uri, channel: root.channel)
            )
        )
    }

    private func record(
        _ status: HTTPResponse.Status, _ method: HTTPRequest.Method, _ route: String, _ logger: Logger,
        _ duration: Duration
    ) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        web.metrics.count(method: method, route: route, status: status.code, seconds: seconds)
        // One line for each fix of each tracker would hide all other lines; the metrics count them.
        let isQuiet = status.code < 400 && quietRoutes.contains(route)
        // The route, not the path: a path can contain a secret.
        logger.log(
            level: isQuiet ? .debug : .info, "Request",
            metadata: [
                "method": "\(method.rawValue)", "route": "\(route)", "status": "\(status.code)",
                "milliseconds": "\((seconds * 100_000).rounded() / 100)",
            ]
        )
    }
}

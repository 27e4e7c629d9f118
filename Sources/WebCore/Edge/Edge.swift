import HTTPTypes
package import Hummingbird
import Kernel
import Logging
import NIOCore

/// Hummingbird's own context of a request, before ours can be made.
package struct EdgeContext: RequestContext {
    /// Hummingbird's part.
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel

    /// Takes the connection over.
    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// The outermost responder: method override, routing, headers, metrics and the access log.
package struct Edge: HTTPResponder {
    let web: Web
    let router: RouterResponder<AppContext>
    private let security: SecurityHeaders
    private let quietRoutes: Set<String>
    private let clock = ContinuousClock()

    /// - Parameter quietRoutes: those whose good answers are only logged at debug.
    init(web: Web, router: RouterResponder<AppContext>, quietRoutes: Set<String>) {
        self.web = web
        self.router = router
        self.quietRoutes = quietRoutes
        security = SecurityHeaders(web.site)
    }

    /// Answers one request.
    /// - Throws: only what no answer can reach any more.
    package func respond(to original: Request, context edge: EdgeContext) async throws -> Response {
        let started = clock.now
        let request = MethodOverride.apply(to: original)
        let source = AppContextSource(
            logger: edge.logger, web: web, head: request.head, uri: request.uri, channel: edge.channel
        )
        let context = AppContext(source: source)
        var response = try await router.respond(to: request, context: context)
        security.add(to: &response)
        record(response.status, request.method, context, clock.now - started)
        return response
    }

    private func record(
        _ status: HTTPResponse.Status, _ method: HTTPRequest.Method, _ context: AppContext, _ duration: Duration
    ) {
        let route = context.endpointPath ?? "NotFound"
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        web.metrics.count(method: method, route: route, status: status.code, seconds: seconds)
        // One line for each fix of each tracker would drown all others; the metrics count them.
        let isQuiet = status.code < 400 && quietRoutes.contains(route)
        // The route, not the path: a path may hold a secret.
        context.logger.log(
            level: isQuiet ? .debug : .info, "Request",
            metadata: [
                "method": "\(method.rawValue)", "route": "\(route)", "status": "\(status.code)",
                "milliseconds": "\((seconds * 100_000).rounded() / 100)",
            ]
        )
    }
}

import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/ingest/osmand`: the positions of OsmAnd and Traccar Client.
struct OsmAndController: Sendable {
    let osmAnd: OsmAndIngestService
    let traccar: TraccarIngestService

    func addRoutes(to device: RouteGroup<AppContext>, _ routes: Routes) {
        device.get("/ingest/osmand", use: create)
        device.post("/ingest/osmand", use: create)
        routes.addFastPath(FastPathRoute("/ingest/osmand", handler: createFast))
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        if request.method == .post, isJSON(request) {
            let body = try await Body.bytes(request, limit: Limits.ingestBytes)
            return try response(to: await traccar.ingest(body: body), unknown: .notFound)
        }
        var pairs = context.queryItems()
        if pairs.isEmpty, request.method == .post {
            let body = try await Body.bytes(request, limit: Limits.ingestBytes)
            pairs = URLEncodedForm.pairs(of: body, lenient: true) ?? []
        }
        // OsmAnd sends positions with GET. HEAD has to respond like GET without storing anything (RFC 9110, 9.3.2),
        // because link previews and monitors use it.
        let result =
            request.method == .head
            ? try await osmAnd.recognize(query: pairs) : try await osmAnd.ingest(query: pairs)
        return try response(to: result, unknown: .badRequest)
    }

    /// The fast path for a position in a query. Declines only a query that can't be decoded, which has no effect.
    /// - Throws: The errors of ``create(_:_:)``.
    @Sendable func createFast(_ query: Substring) async throws -> Bool {
        guard let pairs = URLEncodedForm.pairs(of: String(query), lenient: true) else { return false }
        try requireAccepted(await osmAnd.ingest(query: pairs), unknown: .badRequest)
        return true
    }

    private func isJSON(_ request: Request) -> Bool {
        request.headers[.contentType]?.lowercased().hasPrefix("application/json") ?? false
    }

    private func response(to result: OsmAndResponse, unknown: HTTPResponse.Status) throws -> Response {
        try requireAccepted(result, unknown: unknown)
        return Response(status: .ok)
    }

    private func requireAccepted(_ result: OsmAndResponse, unknown: HTTPResponse.Status) throws {
        switch result {
        case .accepted: return
        case .malformed: throw AppError(.malformed, "This can’t be read.")
        case .unknownDevice:
            if unknown == .notFound { throw AppError.notFound }
            throw AppError(.malformed, "There is no such device.")
        }
    }
}

import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/ingest/hologram`: the messages that Hologram's cloud posts.
struct HologramController: Sendable {
    let hologramWebhook: HologramWebhookService

    func addRoutes(to device: RouteGroup<AppContext>) {
        device.post("/ingest/hologram", use: create)
        device.post("/ingest/hologram/{secret}", use: createByPath)
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        return try await ingest(secret: Credential.bearerToken(in: request.headers) ?? "", body: body)
    }

    /// For routes at Hologram that can't send a header. Logs of proxies may contain the path.
    @Sendable func createByPath(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        return try await ingest(secret: context.text("secret"), body: body)
    }

    private func ingest(secret: String, body: [UInt8]) async throws -> Response {
        switch try await hologramWebhook.ingest(secret: secret, body: body) {
        case .unauthorized: throw AppError(.unauthenticated, "This address doesn’t belong to this server.")
        case .malformed: throw AppError(.malformed, "This is not JSON.")
        case .accepted: return Response(status: .ok)
        }
    }
}

import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/ingest/owntracks`: the messages of OwnTracks.
struct OwnTracksController: Sendable {
    let ownTracks: OwnTracksIngestService

    func addRoutes(to device: RouteGroup<AppContext>) {
        device.post("/ingest/owntracks", use: create)
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let credential = BasicCredential(request.headers[.authorization]) else {
            return try unauthorized(context)
        }
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        let result = try await ownTracks.ingest(
            user: credential.user, password: credential.password, body: body
        )
        switch result {
        case .unauthorized: return try unauthorized(context)
        case .malformed: throw AppError(.malformed, "This is not JSON.")
        case .accepted(let array): return DeviceResponse.json(array, status: .ok)
        }
    }

    private func unauthorized(_ context: AppContext) throws -> Response {
        var response = try Responses.refusal(AppError(.unauthenticated, "User or password is wrong."), context)
        response.headers[.wwwAuthenticate] = "Basic realm=\"Homeward\", charset=\"UTF-8\""
        return response
    }
}

import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import TrackerProtocol
import WebCore

/// `/trackers`: the first contact of trackers, and their signed messages.
struct TrackerMessagesController: Sendable {
    let firstContacts: FirstContactService
    let trackerMessages: TrackerMessageService

    func addRoutes(to device: RouteGroup<AppContext>) {
        device.post("/trackers", use: createTracker)
        device.post("/trackers/{id}/messages", use: create)
    }

    @Sendable func createTracker(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        let response = try await firstContacts.create(body, clientAddress: context.clientAddress)
        return DeviceResponse.json(response, status: .created)
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.text("id")
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        let signature = HTTPField.Name(TrackerHTTP.signatureHeader)
        let reply = try await trackerMessages.receive(
            id, body: body, signature: signature.flatMap { request.headers[$0] }
        )
        guard !reply.body.isEmpty else {
            // A client that isn't authenticated as the tracker gets no signed response.
            if reply.status != 401 { throw AppError(.malformed, "This can’t be read.") }
            throw AppError(.unauthenticated, "This is not signed by that tracker.")
        }
        var response = DeviceResponse.json(reply.body, status: HTTPResponse.Status(code: reply.status))
        if let signature, let value = reply.signature { response.headers[signature] = value }
        return response
    }
}

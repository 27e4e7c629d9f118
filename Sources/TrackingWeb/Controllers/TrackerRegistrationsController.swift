import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/registration`: requests with which trackers bind themselves to items over Bluetooth.
struct TrackerRegistrationsController: Sendable {
    let registrations: TrackerRegistrationService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.post("{id}/registration", use: create)
    }

    /// Returns the register request that a page sends to a tracker over Bluetooth. Only scripts use it, so it is always
    /// JSON.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var fields = try await Fields.read(request, context)
        let input = RegistrationInput(
            publicKey: fields.require("publicKey"), codeHash: fields.require("codeHash"),
            challenge: fields.require("challenge")
        )
        try fields.check()
        if let release = try await registrations.release(of: id, input, by: context.change(fields)) {
            return try Responses.json(context, ReleaseJSON(release))
        }
        let registration = try await registrations.create(
            of: id, input, clientAddress: context.clientAddress, by: context.change(fields)
        )
        return try Responses.json(context, RegistrationJSON(registration), status: .created)
    }
}

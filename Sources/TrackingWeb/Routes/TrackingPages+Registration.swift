import Foundation
import Hummingbird
import Kernel
import Tracking
import WebCore

extension TrackingPages {
    /// Returns the register request that a page sends to a tracker over Bluetooth. Only scripts use it, so it is always
    /// JSON.
    @Sendable func requestRegistration(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var fields = try await Fields.read(request, context)
        let input = RegistrationInput(
            publicKey: fields.require("publicKey"), codeHash: fields.require("codeHash"),
            challenge: fields.require("challenge")
        )
        try fields.check()
        if let release = try await service.release(of: id, input, by: context.change(fields)) {
            return try Responses.json(context, ReleaseJSON(release))
        }
        let registration = try await service.registration(
            of: id, input, clientAddress: context.clientAddress, by: context.change(fields)
        )
        return try Responses.json(context, RegistrationJSON(registration), status: .created)
    }
}

/// The command that releases a tracker, as JSON for pages.
struct ReleaseJSON: Encodable {
    let tracker: String
    /// The command's frame in base64.
    let release: String

    init(_ release: TrackerRelease) {
        tracker = release.tracker.description
        self.release = Data(release.frame).base64EncodedString()
    }
}

/// A register request, as JSON for pages.
struct RegistrationJSON: Encodable {
    let tracker: String
    /// The packed request in base64.
    let request: String
    let expiresAt: Instant

    init(_ registration: TrackerRegistration) {
        tracker = registration.tracker.description
        request = Data(registration.request).base64EncodedString()
        expiresAt = registration.expiresAt
    }
}

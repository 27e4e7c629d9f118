import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/position`: the position of the phone that sends the request.
struct PhonePositionController: Sendable {
    let phonePositions: PhonePositionService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        tracking.put("position", use: update)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let position = try fields.phonePosition()
        try await phonePositions.report(position, by: context.change(fields))
        return Responses.noContent(context)
    }
}

extension Fields {
    /// Reads the position of a phone.
    /// - Throws: `AppError.invalid`.
    mutating func phonePosition() throws -> PhonePosition {
        let latitude = requireDouble("latitude", in: -90...90)
        let longitude = requireDouble("longitude", in: -180...180)
        let accuracy = double("accuracy")
        let at = instant("at")
        try check()
        guard let latitude, let longitude else { throw AppError.notFound }
        return PhonePosition(latitude: latitude, longitude: longitude, accuracyMetres: accuracy.value, at: at.value)
    }
}

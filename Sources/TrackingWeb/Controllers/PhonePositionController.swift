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
        let latitude = fields.requireDouble("latitude", in: -90...90)
        let longitude = fields.requireDouble("longitude", in: -180...180)
        let accuracy = fields.double("accuracy")
        let at = fields.instant("at")
        try fields.check()
        guard let latitude, let longitude else { throw AppError.notFound }
        let position = PhonePosition(
            latitude: latitude, longitude: longitude, accuracyMetres: accuracy.value, at: at.value
        )
        try await phonePositions.report(position, by: context.change(fields))
        return Responses.noContent(context)
    }
}

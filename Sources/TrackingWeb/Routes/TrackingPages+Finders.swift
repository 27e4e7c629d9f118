import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// The endpoints for finders, without authentication.
extension TrackingPages {
    @Sendable func showFound(_ request: Request, _ context: AppContext) async throws -> Response {
        do {
            let found = try await service.foundTracker(
                context.query("e") ?? "", clientAddress: context.clientAddress
            )
            return try Responses.of(
                context, template: "tracking-found", page: { FoundPage(context, found) },
                json: { FoundTrackerJSON(found) }
            )
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            return try Responses.page(context, template: "tracking-found", status: .notFound, FoundPage(context, nil))
        }
    }
}

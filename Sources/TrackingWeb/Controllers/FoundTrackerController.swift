import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/found`: what the finder of a tracker may know, without authentication.
struct FoundTrackerController: Sendable {
    let finders: FinderService

    func addRoutes(to routes: RouteGroup<AppContext>) {
        routes.get("/found", use: show)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        do {
            let found = try await finders.foundTracker(
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

import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/live/{secret}`: the page of a live link, without authentication. Unknown, expired, revoked and ended links get the
/// same response.
struct LiveLinkViewsController: Sendable {
    let views: LiveLinkViewService
    let hub: LiveLinkHub

    func addRoutes(to routes: RouteGroup<AppContext>) {
        routes.get("/live/{secret}", use: show)
        routes.get("/live/{secret}/events", use: events)
        routes.post("/live/{secret}/position", use: meet)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        try await notIndexed(context) {
            do {
                let secret = try context.text("secret")
                let view = try await views.view(secret, clientAddress: context.clientAddress)
                return try Responses.of(
                    context, template: "tracking-live", page: { LivePage(context, view, secret: secret) },
                    json: { LiveLinkViewJSON(view) }
                )
            } catch let error as AppError where error.code == .notFound && context.face != .json {
                return try Responses.page(
                    context, template: "tracking-live-gone", status: .notFound, LiveGonePage(context))
            }
        }
    }

    @Sendable func events(_ request: Request, _ context: AppContext) async throws -> Response {
        try await notIndexed(context) {
            let viewer = try await views.join(context.text("secret"), clientAddress: context.clientAddress)
            let hub = hub
            return try await EventStream.response(request, context, events: viewer.events) { hub.leave(viewer) }
        }
    }

    @Sendable func meet(_ request: Request, _ context: AppContext) async throws -> Response {
        try await notIndexed(context) {
            let secret = try context.text("secret")
            var fields = try await Fields.read(request, context)
            let latitude = fields.requireDouble("latitude", in: -90...90)
            let longitude = fields.requireDouble("longitude", in: -180...180)
            let accuracy = fields.double("accuracy", in: Limits.accuracyMetres).value
            try fields.check()
            guard let latitude, let longitude, let place = Coordinate(latitude: latitude, longitude: longitude)
            else { throw AppError.notFound }
            let hasMet = try await views.meet(
                secret, at: place, accuracyMetres: accuracy, clientAddress: context.clientAddress)
            return try Responses.json(context, MeetingJSON(hasMet: hasMet))
        }
    }

    private func notIndexed(_ context: AppContext, _ body: () async throws -> Response) async throws -> Response {
        do {
            var response = try await body()
            response.headers[.robots] = "noindex, nofollow"
            return response
        } catch let error as AppError {
            throw error.translated(to: context.language)
        }
    }
}

import Carrepsa
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// `/deliveries/{secret}`: the page of a package's recipient, without authentication. Unknown, revoked and expired
/// links get the same response.
struct DeliveriesController: Sendable {
    let deliveries: DeliveryViewService

    func addRoutes(to routes: RouteGroup<AppContext>) {
        routes.get("/deliveries/{secret}", use: show)
        routes.put("/deliveries/{secret}/instructions", use: updateInstructions)
        routes.post("/deliveries/{secret}/refusal", use: createRefusal)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        try await showingAbsence(context) {
            let secret = try context.text("secret")
            let view = try await deliveries.view(
                secret, clientAddress: context.clientAddress, mark: context.query("shown"))
            return try Responses.of(
                context, template: "carrepsa-delivery", fragment: "carrepsa-delivery-status",
                page: { DeliveryPage(context, view, secret: secret) }, json: { DeliveryJSON(view) })
        }
    }

    @Sendable func updateInstructions(_ request: Request, _ context: AppContext) async throws -> Response {
        var typed: String?
        return try await change(context, typed: { typed }, toast: context.t("Owner and carrier see it")) { secret in
            var fields = try await Fields.read(request, context)
            typed = fields.typed("leaveAt")
            let text = fields.string("leaveAt").value
            try fields.check()
            return try await deliveries.instruct(text, secret, clientAddress: context.clientAddress)
        }
    }

    @Sendable func createRefusal(_ request: Request, _ context: AppContext) async throws -> Response {
        try await change(context, typed: { nil }, toast: context.t("Refused. Owner and carrier are notified.")) {
            secret in
            _ = try await Fields.read(request, context, emptyAllowed: true)
            return try await deliveries.refuse(secret, clientAddress: context.clientAddress)
        }
    }

    private func change(
        _ context: AppContext, typed: () -> String?, toast: String, _ perform: (String) async throws -> DeliveryView
    ) async throws -> Response {
        try await showingAbsence(context) {
            let secret = try context.text("secret")
            return try await Responses.form(
                context, template: "carrepsa-delivery",
                page: { error in
                    let view = try await deliveries.view(secret, clientAddress: context.clientAddress)
                    return DeliveryPage(context, view, secret: secret, typed: typed(), error: error)
                },
                perform: {
                    let view = try await perform(secret)
                    return try Responses.changed(
                        context, json: { DeliveryJSON(view) }, seeOther: CarrepsaPath.delivery(secret),
                        toast: ShellToast(toast))
                })
        }
    }

    private func showingAbsence(_ context: AppContext, _ body: () async throws -> Response) async throws -> Response {
        do {
            var response: Response
            do {
                response = try await body()
            } catch let error as AppError where error.code == .notFound && context.face != .json {
                response = try Responses.page(
                    context, template: "carrepsa-delivery-gone", fragment: "carrepsa-delivery-gone-status",
                    status: context.face == .fragment ? .stopPolling : .notFound, DeliveryGonePage(context))
            }
            response.headers[.robots] = "noindex, nofollow"
            return response
        } catch let error as AppError {
            throw error.translated(to: context.language)
        }
    }
}

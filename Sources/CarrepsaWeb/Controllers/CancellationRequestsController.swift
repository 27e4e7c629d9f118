import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages/{id}/cancellation-request`: owner or carrier requests to cancel the delivery after the pickup,
/// agrees to the other's request, or retracts their own.
struct CancellationRequestsController: Sendable {
    let cancellations: CancellationService
    let responder: PackageActionResponder

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.post("{id}/cancellation-request", use: create)
        packages.delete("{id}/cancellation-request", use: destroy)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let redirect = responder.confirmation(
            .agreeCancellation, .requestCancellation, of: id, fields, context)
        {
            return redirect
        }
        return try await responder.showingErrors(id, context) {
            let package = try await cancellations.request(id, by: context.change(fields))
            let isCancelled = package.package.state == .cancelled
            return responder.created(
                package, context, toast: isCancelled ? context.t("Delivery cancelled") : context.t("{name} was asked"))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.showingErrors(id, context) {
            let package = try await cancellations.retract(id, by: context.change(fields))
            return responder.changed(package, context, toast: context.t("Taken back"))
        }
    }
}

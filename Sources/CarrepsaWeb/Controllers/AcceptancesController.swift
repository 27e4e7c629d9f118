import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages/{id}/acceptance`: a carrier accepts a package; carrier or owner cancels before the pickup.
struct AcceptancesController: Sendable {
    let acceptances: AcceptanceService
    let responder: PackageActionResponder

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.post("{id}/acceptance", use: create)
        packages.delete("{id}/acceptance", use: destroy)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let read = fields.isForm ? fields.strings("read", atMost: Limits.offerLines).value ?? [] : nil
        if let redirect = responder.confirmation(.accept, of: id, fields, context) { return redirect }
        return try await responder.showingErrors(id, context, form: { PackagePage.Sent(error: $0, read: read) }) {
            [fields] in
            let package = try await acceptances.accept(id, by: context.change(fields))
            return responder.created(
                package, context, list: CarrepsaPath.packages, toast: context.t("Accepted. {lock} is held."),
                linkLabel: context.t("Open delivery"))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let redirect = responder.confirmation(.cancelAcceptance, of: id, fields, context) { return redirect }
        return try await responder.showingErrors(id, context) {
            let package = try await acceptances.cancel(id, by: context.change(fields))
            // The carrier is a stranger now, but came from the list of deliveries.
            let list = package.role == .owner ? CarrepsaPath.mine : CarrepsaPath.deliveries
            return responder.changed(
                package, context, list: list, toast: context.t("Delivery cancelled. The package is offered again."))
        }
    }
}

import Accounts
import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages/{id}/pickup`, `/delivery` and `/delivery-report`: owner and carrier confirm the handovers.
struct HandoversController: Sendable {
    let handovers: HandoverService
    let responder: PackageActionResponder

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.post("{id}/pickup", use: createPickup)
        packages.post("{id}/delivery", use: createDelivery)
        packages.post("{id}/delivery-report", use: createDeliveryReport)
    }

    @Sendable func createPickup(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await confirm(.confirmPickup, request, context) { id, code, change in
            let package = try await handovers.confirmPickup(id, code: code, by: change)
            return responder.created(package, context, toast: context.t("On its way"))
        }
    }

    @Sendable func createDelivery(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await confirm(.confirmDelivery, request, context) { id, code, change in
            let package = try await handovers.confirmDelivery(id, code: code, by: change)
            let isCarrier = package.role == .carrier
            return responder.created(
                package, context,
                toast: isCarrier
                    ? context.t("It has arrived. You got the reward of {reward} and your deposit of {lock} back.")
                    : context.t("Delivered. {name} got the reward of {reward} and the deposit of {lock} back."))
        }
    }

    @Sendable func createDeliveryReport(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let redirect = responder.confirmation(.reportDelivery, of: id, fields, context) { return redirect }
        return try await responder.showingErrors(id, context) {
            let package = try await handovers.reportDelivery(id, by: context.change(fields))
            return responder.created(package, context, toast: context.t("{name} is asked to confirm"))
        }
    }

    private func confirm(
        _ action: PackageAction, _ request: Request, _ context: SignedInContext,
        _ perform: (ID<Package>, _ code: String?, Change) async throws -> Response
    ) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let code = fields.string("code")
        let typed = fields.typed("code")
        if let redirect = responder.confirmation(action, of: id, fields, context) { return redirect }
        return try await responder.showingErrors(id, context, form: { PackagePage.Sent(code: typed, error: $0) }) {
            [fields] in
            try fields.check()
            // This form requires a code, even if another button confirms without one.
            if fields.isForm, code.isNull { throw AppError.invalid("code", CarrepsaMessage.codeMissing.text) }
            return try await perform(id, code.value, context.change(fields))
        }
    }
}

import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages/{id}/handover-codes`: owner or carrier shows a code, which the other enters to prove the
/// handover.
struct HandoverCodesController: Sendable {
    let handovers: HandoverService
    let packages: PackageService
    let responder: PackageActionResponder
    let currency: Currency

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.post("{id}/handover-codes", use: create)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let step = fields.requireChoice("step", of: HandoverStep.self)
        return try await responder.showingErrors(id, context) { [fields] in
            try fields.check()
            guard let step else { throw AppError.notFound }
            let code = try await handovers.createCode(id, step: step, by: context.actor)
            let url = "\(context.site.url)\(CarrepsaPath.package(id))?code=\(code.code)"
            if context.face == .json {
                return try Responses.json(context, HandoverCodeJSON(code, url: url), status: .created)
            }
            let package = try await packages.details(of: id, for: context.actor)
            let page = try HandoverCodePage(
                context, package, code, url: url, t: context.t,
                formatter: context.carrepsaFormatter(currency))
            return try Responses.page(
                context, template: "carrepsa-code", fragment: "carrepsa-code-card", status: .created, page)
        }
    }
}

import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages/{id}/questions/{action}`: the confirmation page of an action that asks first, for browsers
/// without JavaScript.
struct ConfirmationsController: Sendable {
    let packages: PackageService
    let currency: Currency

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.get("{id}/questions/{action}", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        guard let action = PackageAction(rawValue: try context.text("action")) else { throw AppError.notFound }
        let package = try await packages.details(of: id, for: context.actor)
        let t = context.t
        // The answer must be about the version that the reader saw.
        if let version = context.query("version"), version != String(package.package.version) {
            return Responses.seeOther(
                context, to: CarrepsaPath.package(id),
                toast: ShellToast(t.message(CarrepsaMessage.stateMovedOn.text), isProblem: true))
        }
        let button = PackageActionButton.asking(
            action, package, t: t, formatter: context.carrepsaFormatter(currency))
        // The action is no longer possible; the package's page shows the current state.
        guard let button else { return Responses.seeOther(context, to: CarrepsaPath.package(id)) }
        return try Responses.page(
            context, template: "carrepsa-question", ConfirmationPage(context, package, button, t: t))
    }
}

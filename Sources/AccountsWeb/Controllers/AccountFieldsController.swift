import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/fields/{field}`: single fields of the account, each in a popup or on a page.
struct AccountFieldsController: Sendable {
    let responder: FieldSheetResponder

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account.get("fields/{field}", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let kind = FieldSheet.Kind(rawValue: try context.text("field")) else { throw AppError.notFound }
        let destination = Destination(context.query("return"), otherwise: "/account")
        let page = try await responder.page(context, kind, destination: destination)
        return try Responses.page(context, template: "accounts-popup", fragment: "accounts-popup-form", page)
    }
}

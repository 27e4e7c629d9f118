import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/fields/{field}`: single fields of the account, each in a popup or on a page.
struct AccountFieldsController: Sendable {
    let accounts: AccountReader
    let responder: FieldSheetResponder

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account.get("fields/{field}", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let kind = FieldSheet.Kind(rawValue: try context.text("field")) else { throw AppError.notFound }
        let account = try await accounts.account(context.actor)
        let destination = Destination(context.query("return"), otherwise: "/account")
        let page = try await responder.page(
            context, kind, value: account.value(of: kind), destination: destination, error: nil)
        return try Responses.page(context, template: "accounts-popup", fragment: "accounts-popup-form", page)
    }
}

extension Account {
    fileprivate func value(of kind: FieldSheet.Kind) -> String {
        switch kind {
        case .name: name
        case .phone: phone ?? ""
        case .email: email ?? ""
        }
    }
}

import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/fields/{field}`: single fields of the account, each in a popup or on a page.
struct AccountFieldsController: Sendable {
    let accounts: AccountReader
    let profiles: ProfileService
    let proofs: ProofService

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account.get("fields/{field}", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let kind = FieldSheet.Kind(rawValue: try context.text("field")) else { throw AppError.notFound }
        let account = try await accounts.account(context.actor)
        let destination = Destination(context.query("return"), otherwise: "/account")
        let page = try await page(
            context, kind, value: account.value(of: kind), destination: destination, error: nil)
        return try Responses.page(context, template: "accounts-popup", fragment: "accounts-popup-form", page)
    }

    /// Changes a field from a popup, which also shows the errors.
    func update(
        _ kind: FieldSheet.Kind, _ fields: Fields, _ changes: ProfileChanges, password: String?,
        _ context: SignedInContext
    ) async throws -> Response {
        let destination = Destination(fields.typed("return"), otherwise: "/account")
        let typed = fields.typed(kind.rawValue)
        var response = try await Responses.form(
            context, template: "accounts-popup", fragment: "accounts-popup-form",
            page: { error in
                try await page(context, kind, value: typed, destination: destination, error: error)
            },
            perform: {
                try await context.translating {
                    try fields.check()
                    if kind == .phone, case .clear = changes.phone {
                        throw AppError.invalid("phone", AccountMessage.phoneMissing.rawValue)
                    }
                    let account = try await profiles.update(
                        changes, ifVersion: context.ifMatch(), password: password, by: context.change(fields),
                        language: context.language.rawValue
                    )
                    return try Responses.changed(
                        context, version: account.version, json: { AccountJSON(account) },
                        seeOther: destination.path, toast: .saved(account, changes, context)
                    )
                }
            }
        )
        // The only error status at which scripts replace the form.
        if context.face == .fragment, response.status != .ok { response.status = .unprocessableContent }
        return response
    }

    private func page(
        _ context: SignedInContext, _ kind: FieldSheet.Kind, value: String, destination: Destination, error: AppError?
    ) async throws -> PopupPage {
        guard kind == .email else {
            return PopupPage(context, kind: kind, value: value, destination: destination, error: error)
        }
        let account = try await accounts.account(context.actor)
        let proof = try await proofs.state(of: context.actor, for: .changeEmail)
        return PopupPage(
            context, kind: kind, value: value, destination: destination, pendingEmail: account.pendingEmail,
            proof: proof, error: error)
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

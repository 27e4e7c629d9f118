import Accounts
import Hummingbird
import Kernel
import WebCore

/// Changes a single field of the account from its popup or page, and shows the errors there.
struct FieldSheetResponder: Sendable {
    let accounts: AccountReader
    let profiles: ProfileService
    let proofs: ProofService

    /// Changes a field.
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

    /// Returns the page of a field. The email's also shows the pending change and the required proof.
    func page(
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

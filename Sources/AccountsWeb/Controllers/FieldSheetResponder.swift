import Accounts
import Hummingbird
import Kernel
import WebCore

/// Changes a single field of the account from its popup or page, and shows the errors there.
struct FieldSheetResponder: Sendable {
    let accounts: AccountReader
    let profiles: ProfileService

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
                try await page(context, kind, typed: typed, destination: destination, error: error)
            },
            perform: {
                try await context.translating {
                    try fields.check()
                    if kind == .phone, case .clear = changes.phone {
                        throw AppError.invalid("phone", AccountMessage.phoneMissing.text)
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
    /// - Parameter typed: the submitted value; `nil` for the account's.
    func page(
        _ context: SignedInContext, _ kind: FieldSheet.Kind, typed: String? = nil, destination: Destination,
        error: AppError? = nil
    ) async throws -> PopupPage {
        let account: Account
        var proof: ProofState?
        if kind == .email {
            (account, proof) = try await profiles.accountWithEmailProof(of: context.actor)
        } else {
            account = try await accounts.account(context.actor)
        }
        return PopupPage(
            context, kind: kind, value: typed ?? account.value(of: kind), destination: destination,
            pendingEmail: kind == .email ? account.pendingEmail : nil, proof: proof, error: error)
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

import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// The routes for single fields of the account, each in a popup or on its own page, and for the fields that an app
/// requires.
extension AccountsPages {
    func addRequiredProfileRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("fields/{field}", use: showField)
            .get("apps/{app}", use: showRequiredProfile)
            .post("apps/{app}", use: enterApp)
    }

    @Sendable func showField(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let kind = FieldSheet.Kind(rawValue: try context.text("field")) else { throw AppError.notFound }
        let account = try await accounts.account(context.actor)
        let destination = Destination(context.query("return"), otherwise: "/account")
        let page = try await popupPage(
            context, kind, value: account.value(of: kind), destination: destination, error: nil)
        return try Responses.page(context, template: "accounts-popup", fragment: "accounts-popup-form", page)
    }

    private func popupPage(
        _ context: SignedInContext, _ kind: FieldSheet.Kind, value: String, destination: Destination, error: AppError?
    ) async throws -> PopupPage {
        guard kind == .email else {
            return PopupPage(context, kind: kind, value: value, destination: destination, error: error)
        }
        let account = try await accounts.account(context.actor)
        let proof = try await accounts.proofState(of: context.actor, for: .changeEmail)
        return PopupPage(
            context, kind: kind, value: value, destination: destination, pendingEmail: account.pendingEmail,
            proof: proof, error: error)
    }

    /// Changes a field from a popup, which also shows the errors.
    func updateInPopup(
        _ kind: FieldSheet.Kind, _ fields: Fields, _ changes: ProfileChanges, password: String?,
        _ context: SignedInContext
    ) async throws -> Response {
        let destination = Destination(fields.typed("return"), otherwise: "/account")
        let typed = fields.typed(kind.rawValue)
        var response = try await Responses.form(
            context, template: "accounts-popup", fragment: "accounts-popup-form",
            page: { error in
                try await popupPage(context, kind, value: typed, destination: destination, error: error)
            },
            perform: {
                try await context.translating {
                    try fields.check()
                    if kind == .phone, case .clear = changes.phone {
                        throw AppError.invalid("phone", AccountMessage.phoneMissing.rawValue)
                    }
                    let account = try await accounts.update(
                        changes, ifVersion: context.ifMatch(), password: password, by: context.change(fields),
                        language: context.language.rawValue
                    )
                    return try Responses.changed(
                        context, version: account.version, json: { AccountJSON(account) },
                        seeOther: destination.path, toast: savedToast(account, changes, context)
                    )
                }
            }
        )
        // The only error status at which scripts replace the form.
        if context.face == .fragment, response.status != .ok { response.status = .unprocessableContent }
        return response
    }

    // MARK: Required fields of an app

    @Sendable func showRequiredProfile(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let app = try app(context)
        let account = try await accounts.account(context.actor)
        let missing = app.missing(in: account)
        let destination = Destination(context.query("return"), otherwise: app.root)
        guard !missing.isEmpty else { return Responses.seeOther(context, to: destination.path) }
        let page = RequiredProfilePage(
            context, app: app, missing: missing, typed: .nothing, destination: destination, error: nil)
        return try Responses.page(context, template: "accounts-entrance", page)
    }

    @Sendable func enterApp(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let app = try app(context)
        var fields = try await Fields.read(request, context)
        let dateOfBirth = fields.string("dateOfBirth").value
        let phone = fields.string("phone").value
        let typed = ProfileFormState(fields)
        let destination = Destination(fields.typed("return"), otherwise: app.root)
        return try await Responses.form(
            context, template: "accounts-entrance",
            page: { error in
                let missing = app.missing(in: try await accounts.account(context.actor))
                return RequiredProfilePage(
                    context, app: app, missing: missing, typed: typed, destination: destination, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let account = try await accounts.enter(
                        app, dateOfBirth: dateOfBirth, phone: phone, by: context.change(fields))
                    return try Responses.changed(
                        context, version: account.version, json: { AccountJSON(account) }, seeOther: destination.path)
                }
            }
        )
    }

    private func app(_ context: SignedInContext) throws -> AppName {
        guard let app = AppName(rawValue: try context.text("app")) else { throw AppError.notFound }
        return app
    }
}

extension AppName {
    var root: String { self == .tracking ? "/tracking/items" : "/\(rawValue)" }
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

import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/password`: the password of a signed-in person.
struct PasswordController: Sendable {
    let passwords: PasswordService
    let confirmations: ConfirmationPartBuilder

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("password", use: show)
            .put("password", use: update)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(context, template: "accounts-password", try await page(context))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let current = fields.string("current").value
        let new = fields.string("password").value
        var removing: OtherSignInMethods = []
        if fields.boolean("removePasskeys").value ?? false { removing.insert(.passkeys) }
        if fields.boolean("removeIdentities").value ?? false { removing.insert(.identities) }
        if fields.boolean("signOutChildren").value ?? false { removing.insert(.childDevices) }
        return try await Responses.form(
            context, template: "accounts-password",
            page: { [removing] error in try await page(context, removing: removing, error: error) },
            perform: { [fields, removing] in
                try await context.translating {
                    try fields.check()
                    let token = try await passwords.change(
                        current: current, new: new, removing: removing, by: context.actor)
                    let toast = ShellToast(
                        context.t("Password changed. Open invitations and live links have ended."))
                    var response = Responses.removed(context, seeOther: "/account", toast: toast)
                    if let token { response.headers.set(.session, to: token, on: context.site) }
                    return response
                }
            }
        )
    }

    private func page(
        _ context: SignedInContext, removing: OtherSignInMethods = [], error: AppError? = nil
    ) async throws -> PasswordPage {
        let (methods, hasChildDevices) = try await passwords.signInMethodsWithChildDevices(of: context.actor)
        // The current password is always required where there is one.
        let part =
            methods.hasPassword
            ? nil
            : confirmations.partInPlaceOfPassword(
                context, for: .setPassword, methods: methods, destination: "/account/password")
        return PasswordPage(
            context, methods: methods, hasChildDevices: hasChildDevices, confirmation: part, removing: removing,
            error: error)
    }
}

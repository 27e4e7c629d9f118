import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/forgotten-password` and `/password-resets`: links for a new password.
struct PasswordResetsController: Sendable {
    let resets: PasswordResetService
    let sendsMail: Bool

    func addRoutes(to openWhileLocked: RouteGroup<AppContext>) {
        openWhileLocked
            .get("forgotten-password", use: new)
            .post("password-resets", use: create)
            .get("password-resets/{code}", use: show)
            .put("password-resets/{code}", use: update)
    }

    @Sendable func new(_ request: Request, _ context: AppContext) async throws -> Response {
        let isSent = context.query("sent") == "true"
        let page = ForgottenPage(context, sendsMail: sendsMail, isSent: isSent, email: "", error: nil)
        return try Responses.page(context, template: "accounts-forgotten", page)
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let email = fields.string("email").value
        let typed = fields.typed("email")
        return try await Responses.form(
            context, template: "accounts-forgotten",
            page: { error in
                ForgottenPage(context, sendsMail: sendsMail, isSent: false, email: typed, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await resets.request(
                        email: email, language: context.language.rawValue, clientAddress: context.clientAddress)
                    guard context.face == .json else {
                        return Responses.seeOther(context, to: "/forgotten-password?sent=true")
                    }
                    return Response(status: .accepted, headers: [.cacheControl: "private, no-store"])
                }
            }
        )
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        guard let details = try await resets.details(ofCode: code) else { return try Responses.linkGone(context) }
        return try Responses.page(context, template: "accounts-reset", page(context, code, details))
    }

    @Sendable func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        var fields = try await Fields.read(request, context)
        let password = fields.string("password").value
        let endsChildSessions = fields.boolean("signOutChildren").value ?? false
        do {
            return try await Responses.form(
                context, template: "accounts-reset",
                page: { error in
                    let details = try await resets.details(ofCode: code)
                    return page(context, code, details, isSigningOutChildren: endsChildSessions, error: error)
                },
                perform: { [fields] in
                    try await context.translating {
                        try fields.check()
                        try await resets.reset(
                            code: code, password: password, endsChildSessions: endsChildSessions)
                        let toast = ShellToast(context.t("Your password is set. Sign in with it."))
                        return Responses.removed(context, seeOther: "/sign-in", toast: toast)
                    }
                }
            )
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            return try Responses.linkGone(context)
        }
    }

    private func page(
        _ context: AppContext, _ code: String, _ details: PasswordResetDetails?, isSigningOutChildren: Bool = false,
        error: AppError? = nil
    ) -> ResetPage {
        ResetPage(
            context, code: code, hasChildDevices: details?.hasChildDevices ?? false,
            isSigningOutChildren: isSigningOutChildren, error: error)
    }
}

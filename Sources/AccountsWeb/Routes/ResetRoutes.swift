import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// The routes of forgotten passwords and of the links that verify an email or undo its change.
extension AccountsPages {
    func addResetRoutes(to routes: Routes) {
        routes.openWhileLocked
            .get("forgotten-password", use: showForgotten)
            .post("password-resets", use: requestReset)
            .get("password-resets/{code}", use: showReset)
            .put("password-resets/{code}", use: reset)
            .get("email-verifications/{code}", use: showVerification)
            .post("email-verifications/{code}", use: verify)
            .get("email-undos/{code}", use: showUndo)
            .post("email-undos/{code}", use: undoEmailChange)
    }

    @Sendable func showForgotten(_ request: Request, _ context: AppContext) async throws -> Response {
        let isSent = context.query("sent") == "true"
        let page = ForgottenPage(context, sendsMail: accounts.sendsMail, isSent: isSent, email: "", error: nil)
        return try Responses.page(context, template: "accounts-forgotten", page)
    }

    @Sendable func requestReset(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let email = fields.string("email").value
        let typed = fields.typed("email")
        return try await Responses.form(
            context, template: "accounts-forgotten",
            page: { error in
                ForgottenPage(context, sendsMail: accounts.sendsMail, isSent: false, email: typed, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await accounts.requestReset(
                        email: email, language: context.language.rawValue, clientAddress: context.clientAddress)
                    guard context.face == .json else {
                        return Responses.seeOther(context, to: "/forgotten-password?sent=true")
                    }
                    return Response(status: .accepted, headers: [.cacheControl: "private, no-store"])
                }
            }
        )
    }

    @Sendable func showReset(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        guard try await accounts.isResetCodeValid(code) else { return try linkGone(context) }
        return try Responses.page(context, template: "accounts-reset", try await resetPage(context, code))
    }

    private func resetPage(
        _ context: AppContext, _ code: String, isSigningOutChildren: Bool = false, error: AppError? = nil
    ) async throws -> ResetPage {
        let hasChildDevices = try await accounts.hasChildDevices(ofResetCode: code)
        return ResetPage(
            context, code: code, hasChildDevices: hasChildDevices, isSigningOutChildren: isSigningOutChildren,
            error: error)
    }

    @Sendable func reset(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        var fields = try await Fields.read(request, context)
        let password = fields.string("password").value
        let endsChildSessions = fields.boolean("signOutChildren").value ?? false
        do {
            return try await Responses.form(
                context, template: "accounts-reset",
                page: { error in
                    try await resetPage(context, code, isSigningOutChildren: endsChildSessions, error: error)
                },
                perform: { [fields] in
                    try await context.translating {
                        try fields.check()
                        try await accounts.reset(
                            code: code, password: password, endsChildSessions: endsChildSessions)
                        let toast = ShellToast(context.strings.passwordChosen)
                        return Responses.removed(context, seeOther: "/sign-in", toast: toast)
                    }
                }
            )
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            return try linkGone(context)
        }
    }

    @Sendable func showVerification(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = VerificationPage(context, code: try context.text("code"))
        return try Responses.page(context, template: "accounts-verification", page)
    }

    @Sendable func verify(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        do {
            _ = try await context.translating { try await accounts.verifyEmail(code: code) }
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            return try linkGone(context)
        }
        let next = context.isLetIn ? "/account" : "/sign-in"
        return Responses.removed(context, seeOther: next, toast: ShellToast(context.strings.emailConfirmed))
    }

    func linkGone(_ context: AppContext) throws -> Response {
        try Responses.page(context, template: "accounts-link-gone", status: .notFound, LinkGonePage(context))
    }
}

import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/sign-in` and `/session`: sign-in by email and password, and sign-out.
struct SessionsController: Sendable {
    let signIns: SignInService
    let sessions: SessionService
    let pages: SignInPageBuilder
    let responder: SignInResponder

    func addRoutes(to routes: Routes) {
        routes.openWhileLocked
            .get("sign-in", use: new)
            .post("session", use: create)
        routes.whileLocked.delete("session", use: destroy)
    }

    @Sendable func new(_ request: Request, _ context: AppContext) async throws -> Response {
        if context.isLetIn { return Responses.seeOther(context, to: context.pathAfterSignIn) }
        let page = try await pages.page(context, destination: Destination(context.query("return")))
        return try Responses.page(context, template: "accounts-sign-in", page)
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let email = fields.string("email").value
        let password = fields.string("password").value
        let destination = Destination(fields.typed("return"))
        let typedEmail = fields.typed("email")
        let offer = fields.typed("link").isEmpty ? nil : SiteCookie.identityOffer.value(context)
        return try await Responses.form(
            context, template: "accounts-sign-in",
            page: { error in
                try await pages.page(
                    context, email: typedEmail, destination: destination, isOffer: offer != nil,
                    error: error.withoutFieldErrors(context.language))
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let signedIn = try await context.web.metrics.countingFailures(of: .password) {
                        try await signIns.signIn(email: email, password: password, device: responder.device(context))
                    }
                    let toast = try await responder.acceptOffer(offer, of: signedIn, context)
                    return try await responder.signedIn(signedIn, context, destination: destination, toast: toast)
                }
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        // Signing out ignores errors in the form: it never fails.
        let fields = try? await Fields.read(request, context, emptyAllowed: true)
        let destination = Destination(fields?.typed("return"), otherwise: "/")
        try await sessions.signOut(context.actor)
        var response = Responses.removed(
            context, seeOther: destination.path, toast: ShellToast(context.t("You are signed out")))
        if context.session.kind == .cookie { response.endSession(context) }
        return response
    }
}

extension AppError {
    /// Returns the same error for a malformed email as for an unknown one: no field says which of the two was wrong.
    fileprivate func withoutFieldErrors(_ language: Language) -> AppError {
        guard code == .invalid, !fields.isEmpty else { return self }
        return AppError(.unauthenticated, AccountMessage.credentialsWrong.text).translated(to: language)
    }
}

import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/email-verifications/{code}` and `/account/verification`: links that confirm an email.
struct EmailVerificationsController: Sendable {
    let verifications: EmailVerificationService

    func addRoutes(to openWhileLocked: RouteGroup<AppContext>, account: RouterGroup<SignedInContext>) {
        openWhileLocked
            .get("email-verifications/{code}", use: show)
            .post("email-verifications/{code}", use: update)
        account.post("verification", use: create)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = VerificationPage(context, code: try context.text("code"))
        return try Responses.page(context, template: "accounts-verification", page)
    }

    @Sendable func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        do {
            _ = try await context.translating { try await verifications.verify(code: code) }
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            return try Responses.linkGone(context)
        }
        let next = context.isLetIn ? "/account" : "/sign-in"
        return Responses.removed(context, seeOther: next, toast: ShellToast(context.t("Email confirmed")))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let isSent = try await context.translating {
            try await verifications.request(context.actor, language: context.language.rawValue)
        }
        let destination = Destination(fields.typed("return"), otherwise: "/account")
        let toast = isSent ? ShellToast(context.t("A link is on its way")) : nil
        return Responses.removed(context, seeOther: destination.path, toast: toast)
    }
}

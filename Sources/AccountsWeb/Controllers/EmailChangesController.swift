import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/pending-email` and `/email-undos/{code}`: cancels or undoes a change of the email.
struct EmailChangesController: Sendable {
    let changes: EmailChangeService

    func addRoutes(to openWhileLocked: RouteGroup<AppContext>, account: RouterGroup<SignedInContext>) {
        openWhileLocked
            .get("email-undos/{code}", use: showUndo)
            .post("email-undos/{code}", use: createUndo)
        account.delete("pending-email", use: destroy)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await context.translating { try await changes.cancel(by: context.change(fields)) }
        let destination = Destination(fields.typed("return"), otherwise: "/account")
        let toast = ShellToast(context.t("Your email address stays as it is"))
        return Responses.removed(context, seeOther: destination.path, toast: toast)
    }

    @Sendable func showUndo(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        guard try await changes.isUndoCodeValid(code) else { return try Responses.linkGone(context) }
        return try Responses.page(context, template: "accounts-undo", UndoPage(context, code: code))
    }

    @Sendable func createUndo(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        _ = try await Fields.read(request, context, emptyAllowed: true)
        let reset: String
        do {
            reset = try await context.translating { try await changes.undo(code: code) }
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            return try Responses.linkGone(context)
        }
        let place = "/password-resets/\(PercentEncoding.encoded(reset))"
        return try Responses.created(
            context, location: place, json: { RedirectJSON(url: context.site.url + place) }, seeOther: place,
            toast: ShellToast(context.t("The previous address is used again. Now choose a new password.")))
    }
}

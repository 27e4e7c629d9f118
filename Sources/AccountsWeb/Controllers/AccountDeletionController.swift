import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/delete` and `DELETE /account`: the deletion of the account.
struct AccountDeletionController: Sendable {
    let deletions: AccountDeletionService
    let confirmations: ConfirmationPartBuilder

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("delete", use: show)
            .delete(use: destroy)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(context, template: "accounts-delete", try await page(context))
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let password = fields.string("password").value
        return try await Responses.form(
            context, template: "accounts-delete",
            page: { error in try await page(context, error: error) },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await deletions.delete(context.actor, password: password, ifVersion: context.ifMatch())
                    let toast = ShellToast(context.t("Your account is deleted"))
                    var response = Responses.removed(context, seeOther: "/", toast: toast)
                    if context.session.kind == .cookie { response.endSession(context) }
                    return response
                }
            }
        )
    }

    private func page(_ context: SignedInContext, error: AppError? = nil) async throws -> DeletePage {
        let preview = try await deletions.preview(for: context.actor)
        let part = confirmations.partInPlaceOfPassword(
            context, for: .deleteAccount, methods: preview.methods, destination: "/account/delete")
        return DeletePage(
            context, confirmation: part, obstacle: preview.obstacle?.translated(to: context.language),
            notes: preview.notes.map { context.t.text($0) }, error: error)
    }
}

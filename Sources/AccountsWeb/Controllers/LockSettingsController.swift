import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/lock`: the settings of the lock.
struct LockSettingsController: Sendable {
    let appLocks: AppLockService

    func addRoutes(to settings: RouterGroup<SignedInContext>) {
        settings
            .get(use: show)
            .patch(use: update)
            .post("offer", use: declineOffer)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await appLocks.status(context.actor)
        return try Responses.page(
            context, template: "accounts-lock-settings", LockSettingsPage(context, status: status))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let minutes = fields.integer("lockAfterMinutes").value
        try fields.check()
        try await context.translating { try await appLocks.setLockAfter(minutes: minutes, by: context.actor) }
        return Responses.removed(context, seeOther: "/account/lock", toast: ShellToast(context.t("Saved")))
    }

    @Sendable func declineOffer(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await appLocks.decline(context.actor)
        return Responses.removed(context, seeOther: Destination(fields.typed("return")).path)
    }
}

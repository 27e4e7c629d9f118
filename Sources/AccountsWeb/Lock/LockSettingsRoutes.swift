import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

extension AccountsPages {
    @Sendable func showLockSettings(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await accounts.lockStatus(context.actor)
        return try Responses.page(
            context, template: "accounts-lock-settings", LockSettingsPage(context, status: status))
    }

    @Sendable func changeLock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let minutes = fields.integer("lockAfterMinutes").value
        try fields.check()
        try await context.translating { try await accounts.setLockAfter(minutes: minutes, by: context.actor) }
        return Responses.removed(context, seeOther: "/account/lock", toast: ShellToast(context.strings.saved))
    }

    @Sendable func showPasscode(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await accounts.lockStatus(context.actor)
        let destination = Destination(context.query("return"), otherwise: "/account/lock")
        let page = PasscodePage(context, status: status, destination: destination, error: nil)
        return try Responses.page(context, template: "accounts-passcode", page)
    }

    @Sendable func showLockOff(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await accounts.lockStatus(context.actor)
        guard status.isPasscodeSet else { return Responses.seeOther(context, to: "/account/lock") }
        return try Responses.page(
            context, template: "accounts-lock-off", LockOffPage(context, status: status, error: nil))
    }

    @Sendable func declineLock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await accounts.declineLock(context.actor)
        return Responses.removed(context, seeOther: Destination(fields.typed("return")).path)
    }
}

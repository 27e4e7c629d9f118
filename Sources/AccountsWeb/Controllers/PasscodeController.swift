import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/lock/passcode`: the passcode of the account.
struct PasscodeController: Sendable {
    let appLocks: AppLockService

    func addRoutes(to whileLocked: RouterGroup<SignedInContext>, settings: RouterGroup<SignedInContext>) {
        whileLocked
            .put("passcode", use: update)
            .delete("passcode", use: destroy)
        settings
            .get("passcode", use: edit)
            .get("off", use: showRemoval)
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await appLocks.status(context.actor)
        let destination = Destination(context.query("return"), otherwise: "/account/lock")
        let page = PasscodePage(context, status: status, destination: destination, error: nil)
        return try Responses.page(context, template: "accounts-passcode", page)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try context.requireAdult()
        var fields = try await Fields.read(request, context)
        let passcode = fields.string("passcode").value
        let repeated = fields.string("repeat").value
        let current = fields.string("current").value
        let destination = Destination(fields.typed("return"), otherwise: "/account/lock")
        let was = try await appLocks.status(context.actor)
        return try await Responses.form(
            context, template: "accounts-passcode",
            page: { error in
                let status = try await appLocks.status(context.actor)
                return PasscodePage(context, status: status, destination: destination, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await appLocks.setPasscode(
                        passcode, repeated: repeated, current: current, by: context.actor)
                    let t = context.t
                    let toast = ShellToast(was.isPasscodeSet ? t("Passcode changed") : t("Passcode set"))
                    // With a new passcode, Touch ID is offered before the destination.
                    let touchID = "/account/touch-id?return=\(PercentEncoding.encoded(destination.path))"
                    var response = Responses.removed(
                        context, seeOther: was.isPasscodeSet ? destination.path : touchID, toast: toast)
                    if !was.isLocked { response.recordUnlock(context) }
                    return response
                }
            }
        )
    }

    @Sendable func showRemoval(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await appLocks.status(context.actor)
        guard status.isPasscodeSet else { return Responses.seeOther(context, to: "/account/lock") }
        return try Responses.page(
            context, template: "accounts-lock-off", LockOffPage(context, status: status, error: nil))
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try context.requireAdult()
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let current = fields.string("current").value
        return try await Responses.form(
            context, template: "accounts-lock-off",
            page: { error in
                LockOffPage(context, status: try await appLocks.status(context.actor), error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await appLocks.removePasscode(current: current, by: context.actor)
                    let toast = ShellToast(context.t("Passcode turned off"))
                    return Responses.removed(context, seeOther: "/account/lock", toast: toast)
                }
            }
        )
    }
}

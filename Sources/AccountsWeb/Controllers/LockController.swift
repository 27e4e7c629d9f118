import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/lock`: the lock of one session.
struct LockController: Sendable {
    let appLocks: AppLockService
    let sessionLocks: SessionLockService

    func addRoutes(to whileLocked: RouterGroup<SignedInContext>) {
        whileLocked
            .get(use: show)
            .post("unlocking", use: unlock)
            .delete("unlocking", use: lock)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await appLocks.status(context.actor)
        let destination = Destination(context.query("return"))
        if context.face != .json, !status.isLocked {
            return Responses.seeOther(context, to: context.isChild ? "/family" : destination.path)
        }
        return try Responses.of(
            context, template: "accounts-lock",
            page: { LockPage(context, status: status, destination: destination, error: nil) },
            json: { LockJSON(status) }
        )
    }

    @Sendable func unlock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try context.requireAdult()
        var fields = try await Fields.read(request, context)
        let passcode = fields.string("passcode").value
        let destination = Destination(fields.typed("return"))
        return try await Responses.form(
            context, template: "accounts-lock",
            page: { error in
                let status = try await appLocks.status(context.actor)
                return LockPage(context, status: status, destination: destination, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await context.web.metrics.countingFailures(of: .passcode) {
                        try await sessionLocks.unlock(context.actor, passcode: passcode)
                    }
                    var response = Responses.removed(context, seeOther: destination.path)
                    response.recordUnlock(context)
                    return response
                }
            }
        )
    }

    @Sendable func lock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try context.requireAdult()
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await context.translating { try await sessionLocks.lock(context.actor) }
        let destination = Destination(fields.typed("return"), otherwise: "")
        return Responses.removed(context, seeOther: destination.carried(to: "/lock"))
    }
}

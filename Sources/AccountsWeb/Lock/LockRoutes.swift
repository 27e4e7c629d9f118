import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// The routes of the lock, the only ones that a locked session can use.
extension AccountsPages {
    func addLockRoutes(to routes: Routes) {
        routes.whileLocked.group("lock")
            .get(use: showLock)
            .put("passcode", use: setPasscode)
            .delete("passcode", use: turnOffPasscode)
            .post("unlocking", use: unlock)
            .delete("unlocking", use: lockNow)
        routes.signedIn.group("account/lock")
            .get(use: showLockSettings)
            .patch(use: changeLock)
            .get("passcode", use: showPasscode)
            .get("off", use: showLockOff)
            .post("offer", use: declineLock)
    }

    @Sendable func showLock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await accounts.lockStatus(context.actor)
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
                let status = try await accounts.lockStatus(context.actor)
                return LockPage(context, status: status, destination: destination, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await accounts.unlock(context.actor, passcode: passcode)
                    var response = Responses.removed(context, seeOther: destination.path)
                    response.recordUnlock(context)
                    return response
                }
            }
        )
    }

    @Sendable func lockNow(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try context.requireAdult()
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await context.translating { try await accounts.lockNow(context.actor) }
        let destination = Destination(fields.typed("return"), otherwise: "")
        return Responses.removed(context, seeOther: destination.carried(to: "/lock"))
    }

    @Sendable func setPasscode(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try context.requireAdult()
        var fields = try await Fields.read(request, context)
        let passcode = fields.string("passcode").value
        let repeated = fields.string("repeat").value
        let current = fields.string("current").value
        let destination = Destination(fields.typed("return"), otherwise: "/account/lock")
        let was = try await accounts.lockStatus(context.actor)
        return try await Responses.form(
            context, template: "accounts-passcode",
            page: { error in
                let status = try await accounts.lockStatus(context.actor)
                return PasscodePage(context, status: status, destination: destination, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await accounts.setPasscode(
                        passcode, repeated: repeated, current: current, by: context.actor)
                    let t = context.lockStrings
                    let toast = ShellToast(was.isPasscodeSet ? t.passcodeChanged : t.passcodeIsSet)
                    // With a new passcode, Touch ID is offered before the destination.
                    let touchID = "/account/touch-id?return=\(PathSegment.encoded(destination.path))"
                    var response = Responses.removed(
                        context, seeOther: was.isPasscodeSet ? destination.path : touchID, toast: toast)
                    if !was.isLocked { response.recordUnlock(context) }
                    return response
                }
            }
        )
    }

    @Sendable func turnOffPasscode(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try context.requireAdult()
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let current = fields.string("current").value
        return try await Responses.form(
            context, template: "accounts-lock-off",
            page: { error in
                LockOffPage(context, status: try await accounts.lockStatus(context.actor), error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await accounts.turnOffPasscode(current: current, by: context.actor)
                    let toast = ShellToast(context.lockStrings.turnedOff)
                    return Responses.removed(context, seeOther: "/account/lock", toast: toast)
                }
            }
        )
    }
}

extension WebContext {
    /// Whether a person is signed in and the session isn't locked.
    var isLetIn: Bool { identity?.session.isLocked == false }

    var lockStrings: LockStrings { LockStrings.of(language) }
}

/// The state of the lock in the API.
struct LockJSON: Encodable {
    let locked: Bool
    let passcodeSet: Bool
    let passkeySet: Bool
    let retryAfterSeconds: Int

    init(_ status: LockStatus) {
        locked = status.isLocked
        passcodeSet = status.isPasscodeSet
        passkeySet = status.touchID == true
        retryAfterSeconds = status.retryAfterSeconds
    }
}

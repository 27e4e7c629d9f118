import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// The routes of passkeys: registration, list, removal, unlocking, sign-in.
extension AccountsPages {
    func addPasskeyRoutes(to routes: Routes) {
        routes.openWhileLocked
            .post("sign-in/passkey/challenge", use: createSignInChallenge)
            .post("sign-in/passkey", use: signInByPasskey)
        routes.whileLocked
            .post("lock/passkeys/challenge", use: createPasskeyChallenge)
            .post("lock/passkeys/unlocking", use: unlockByPasskey)
        routes.signedIn
            .post("lock/passkeys", use: registerPasskey)
            .get("account/passkeys", use: showPasskeys)
            .delete("account/passkeys/{id}", use: removePasskey)
            .get("account/touch-id", use: showTouchID)
            .put("account/touch-id", use: setTouchID)
    }

    // MARK: Challenges

    @Sendable private func createPasskeyChallenge(_ request: Request, _ context: SignedInContext) async throws
        -> Response
    {
        var fields = try await Fields.read(request, context)
        let purpose = fields.requireChoice("purpose", of: PasskeyPurpose.self)
        let isForLock = fields.boolean("touchId").value ?? false
        let password = fields.string("password").value
        return try await context.translating {
            try fields.check()
            let options: PasskeyOptions
            switch purpose {
            case .unlock, nil:
                options = try await passkeys.beginUnlocking(
                    by: context.actor, clientAddress: context.clientAddress)
            case .register:
                // This route also serves locked sessions, which may not register passkeys.
                guard !context.session.isLocked else { throw AppError.locked }
                options = try await passkeys.beginRegistration(
                    by: context.actor, isForLock: isForLock, password: password, clientAddress: context.clientAddress)
            }
            return try Responses.json(context, options, status: .created)
        }
    }

    @Sendable private func createSignInChallenge(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Fields.read(request, context, emptyAllowed: true)
        return try await context.translating {
            let (options, browser) = try await passkeys.beginSignIn(
                browser: PasskeyCookie.value(context), clientAddress: context.clientAddress)
            var response = try Responses.json(context, options, status: .created)
            PasskeyCookie.set(browser, on: &response, context)
            return response
        }
    }

    // MARK: Responses

    @Sendable private func signInByPasskey(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let assertion = fields.passkeyAssertion()
        let destination = Destination(fields.typed("return"))
        let offer = fields.typed("link").isEmpty ? nil : ProviderCookie.offer.value(context)
        return try await Responses.form(
            context, template: "accounts-sign-in",
            page: { error in
                try await signInPage(context, destination: destination, isOffer: offer != nil, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let signedIn = try await passkeys.signIn(
                        assertion, browser: PasskeyCookie.value(context), device: device(context))
                    var linked: ProviderName?
                    if let offer { linked = try await providers.accept(offer, by: signedIn.account.id) }
                    let toast = try linked.map { name in
                        ShellToast(context.providerStrings.nowLinked.naming(try providers.face(name)))
                    }
                    var response = try await welcome(signedIn, context, destination: destination, toast: toast)
                    PasskeyCookie.clear(on: &response, context)
                    return response
                }
            }
        )
    }

    @Sendable private func unlockByPasskey(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let assertion = fields.passkeyAssertion()
        return try await context.translating {
            try fields.check()
            try await passkeys.unlock(assertion, by: context.actor, clientAddress: context.clientAddress)
            var response = Responses.noContent(context)
            response.recordUnlock(context)
            return response
        }
    }

    @Sendable private func registerPasskey(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let registration = fields.passkeyRegistration()
        let isForLock = fields.boolean("touchId").value ?? false
        let destination = Destination(fields.typed("return"), otherwise: "/account/passkeys")
        let words = context.passkeyStrings
        let perform: () async throws -> Response = { [fields] in
            try await context.translating {
                try fields.check()
                let passkey = try await passkeys.register(
                    registration, name: context.deviceName, isForLock: isForLock, by: context.actor)
                return try Responses.created(
                    context, location: "/account/passkeys", json: { PasskeyJSON(passkey) },
                    seeOther: destination.path, toast: ShellToast(isForLock ? words.nowOn : words.added))
            }
        }
        if isForLock {
            return try await Responses.form(
                context, template: "accounts-touch-id",
                page: { error in
                    try await touchIDPage(context, destination: destination, error: error)
                }, perform: perform)
        }
        return try await Responses.form(
            context, template: "accounts-passkeys",
            page: { error in
                try await passkeysPage(context, error: error, isRegistering: true)
            }, perform: perform)
    }

    // MARK: Settings

    @Sendable private func showPasskeys(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else {
            return try Responses.page(
                context, template: "accounts-passkeys", fragment: "accounts-passkeys-list",
                try await passkeysPage(context))
        }
        let known = try await passkeys.passkeys(of: context.actor)
        return try Responses.json(context, ListJSON(items: known.map(PasskeyJSON.init), next: nil))
    }

    @Sendable private func removePasskey(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Passkey.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await Responses.form(
            context, template: "accounts-passkeys",
            page: { error in try await passkeysPage(context, error: error) },
            perform: {
                try await context.translating {
                    try await passkeys.delete(id, by: context.change(fields))
                    let toast = ShellToast(context.passkeyStrings.removed)
                    return Responses.removed(context, seeOther: "/account/passkeys", toast: toast)
                }
            }
        )
    }

    @Sendable private func showTouchID(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let touchID = try await passkeys.touchID(of: context.actor)
        if !touchID.isAvailable, context.face != .json { return Responses.seeOther(context, to: "/account/lock") }
        let destination = Destination(context.query("return"), otherwise: "/account/lock")
        guard context.face == .json else {
            return try Responses.page(
                context, template: "accounts-touch-id", try await touchIDPage(context, destination: destination))
        }
        return try Responses.json(context, TouchIDJSON(touchID))
    }

    private func touchIDPage(
        _ context: SignedInContext, destination: Destination, error: AppError? = nil
    ) async throws -> TouchIDPage {
        let here = destination.carried(to: "/account/touch-id")
        return TouchIDPage(
            context, touchID: try await passkeys.touchID(of: context.actor), destination: destination,
            confirmation: try await confirmation(context, for: .addPasskey, destination: here), error: error)
    }

    private func passkeysPage(
        _ context: SignedInContext, error: AppError? = nil, isRegistering: Bool = false
    ) async throws -> PasskeysPage {
        PasskeysPage(
            context, passkeys: try await passkeys.passkeys(of: context.actor),
            confirmation: try await confirmation(context, for: .addPasskey, destination: "/account/passkeys"),
            error: error, isRegistering: isRegistering)
    }

    @Sendable private func setTouchID(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let isOn = fields.boolean("enabled").value
        if isOn == nil { fields.note("enabled", AccountMessage.required.rawValue) }
        let destination = Destination(fields.typed("return"), otherwise: "/account/lock")
        let words = context.passkeyStrings
        return try await Responses.form(
            context, template: "accounts-touch-id",
            page: { error in try await touchIDPage(context, destination: destination, error: error) },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let before = try await passkeys.touchID(of: context.actor)
                    try await passkeys.setTouchID(isOn ?? false, by: context.change(fields))
                    let after = try await passkeys.touchID(of: context.actor)
                    let toast = before.isOn == after.isOn ? nil : ShellToast(after.isOn ? words.nowOn : words.nowOff)
                    return try Responses.changed(
                        context, json: { TouchIDJSON(after) }, seeOther: destination.path, toast: toast)
                }
            }
        )
    }
}

/// The purposes for which a signed-in client can request a challenge.
enum PasskeyPurpose: String, Sendable {
    case register, unlock
}

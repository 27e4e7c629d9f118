import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/passkeys` and `/lock/passkeys`: the passkeys of an account.
struct PasskeysController: Sendable {
    let passkeys: PasskeyService
    let registrations: PasskeyRegistrationService
    let pages: PasskeyPageBuilder

    func addRoutes(to routes: RouteGroup<SignedInContext>) {
        routes
            .post("lock/passkeys", use: create)
            .get("account/passkeys", use: index)
            .delete("account/passkeys/{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else {
            return try Responses.page(
                context, template: "accounts-passkeys", fragment: "accounts-passkeys-list",
                try await pages.passkeysPage(context))
        }
        let known = try await passkeys.list(context.actor)
        return try Responses.json(context, ListJSON(items: known.map(PasskeyJSON.init), next: nil))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let registration = fields.passkeyRegistration()
        let isForLock = fields.boolean("touchId").value ?? false
        let destination = Destination(fields.typed("return"), otherwise: "/account/passkeys")
        let perform: () async throws -> Response = { [fields] in
            try await context.translating {
                try fields.check()
                let passkey = try await registrations.register(
                    registration, name: context.deviceName, isForLock: isForLock, by: context.actor)
                return try Responses.created(
                    context, location: "/account/passkeys", json: { PasskeyJSON(passkey) },
                    seeOther: destination.path,
                    toast: ShellToast(isForLock ? context.t("Touch ID is on") : context.t("Passkey added")))
            }
        }
        if isForLock {
            return try await Responses.form(
                context, template: "accounts-touch-id",
                page: { error in
                    try await pages.touchIDPage(context, destination: destination, error: error)
                }, perform: perform)
        }
        return try await Responses.form(
            context, template: "accounts-passkeys",
            page: { error in
                try await pages.passkeysPage(context, error: error, isRegistering: true)
            }, perform: perform)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Passkey.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await Responses.form(
            context, template: "accounts-passkeys",
            page: { error in try await pages.passkeysPage(context, error: error) },
            perform: {
                try await context.translating {
                    try await passkeys.delete(id, by: context.change(fields))
                    let toast = ShellToast(context.t("Passkey removed"))
                    return Responses.removed(context, seeOther: "/account/passkeys", toast: toast)
                }
            }
        )
    }
}

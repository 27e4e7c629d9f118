import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/touch-id`: unlocking by a passkey.
struct TouchIDController: Sendable {
    let touchID: TouchIDService
    let pages: PasskeyPageBuilder

    func addRoutes(to routes: RouteGroup<SignedInContext>) {
        routes
            .get("account/touch-id", use: show)
            .put("account/touch-id", use: update)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face != .json else {
            return try Responses.json(context, TouchIDJSON(try await touchID.setting(of: context.actor)))
        }
        let destination = Destination(context.query("return"), otherwise: "/account/lock")
        let page = try await pages.touchIDPage(context, destination: destination)
        guard page.isAvailable else { return Responses.seeOther(context, to: "/account/lock") }
        return try Responses.page(context, template: "accounts-touch-id", page)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let isOn = fields.boolean("enabled").value
        if isOn == nil { fields.addError("enabled", AccountMessage.required.text) }
        let destination = Destination(fields.typed("return"), otherwise: "/account/lock")
        return try await Responses.form(
            context, template: "accounts-touch-id",
            page: { error in try await pages.touchIDPage(context, destination: destination, error: error) },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let before = try await touchID.setting(of: context.actor)
                    try await touchID.set(isOn ?? false, by: context.change(fields))
                    let after = try await touchID.setting(of: context.actor)
                    let toast =
                        before.isOn == after.isOn
                        ? nil : ShellToast(after.isOn ? context.t("Touch ID is on") : context.t("Touch ID is off"))
                    return try Responses.changed(
                        context, json: { TouchIDJSON(after) }, seeOther: destination.path, toast: toast)
                }
            }
        )
    }
}

import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/sessions`: the devices on which the person is signed in.
struct AccountSessionsController: Sendable {
    let sessions: SessionService

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("sessions", use: index)
            .delete("sessions/{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let listed = try await sessions.list(context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "accounts-devices", fragment: "accounts-devices-list",
            page: { DevicesPage(context, sessions: listed.items, next: listed.next) },
            json: {
                ListJSON(
                    items: listed.items.map { SessionJSON($0, current: context.session.id) }, next: listed.next)
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Session.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await sessions.revoke(id, by: context.change(fields))
        guard id == context.session.id, context.session.kind == .cookie else {
            let toast = ShellToast(context.t("Device signed out"))
            return Responses.removed(context, seeOther: "/account/sessions", toast: toast)
        }
        var response = Responses.removed(context, seeOther: "/", toast: ShellToast(context.t("You are signed out")))
        response.endSession(context)
        return response
    }
}

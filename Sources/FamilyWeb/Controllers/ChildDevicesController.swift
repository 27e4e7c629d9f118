import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/devices`: the devices on which a child is signed in, for its parents and itself.
struct ChildDevicesController: Sendable {
    let devices: ChildDeviceService

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.get("children/{id}/devices", use: index)
        shared.delete("children/{id}/devices/{deviceId}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let paging = try context.paging()
        if context.face == .json {
            let page = try await devices.list(of: id, for: context.actor, after: paging.after, limit: paging.limit)
            let items = page.items.map { SessionJSON($0, current: context.session.id) }
            return try Responses.json(context, ListJSON(items: items, next: page.next))
        }
        let entries = try await devices.listWithChild(
            id, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.page(
            context, template: "family-devices", fragment: "family-devices-rows", ChildDevicesPage(context, entries))
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let device = try context.id("deviceId", of: Session.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await devices.signOut(device, of: id, by: context.change(fields))
        let isThisOne = device == context.session.id
        var response = Responses.removed(
            context, seeOther: isThisOne ? FamilyPath.accountSignIn : FamilyPath.devices(of: id),
            toast: ShellToast(context.t("The device is signed out"))
        )
        if isThisOne, context.session.kind == .cookie { response.endSession(context) }
        return response
    }
}

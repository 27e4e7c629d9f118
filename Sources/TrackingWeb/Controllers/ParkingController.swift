import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/parking`: the remembered place of a parked item.
struct ParkingController: Sendable {
    let parking: ParkingService
    let items: ItemService
    let details: ItemDetailsResponder

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.put("{id}/parking", use: update)
        items.delete("{id}/parking", use: destroy)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        do {
            try await parking.park(id, by: context.change(fields))
        } catch let error as AppError where error.code == .conflict && context.face != .json {
            let problem = ShellToast(error.translated(to: context.language).message, isProblem: true)
            return Responses.seeOther(context, to: TrackingPath.item(id), toast: problem)
        }
        let toast = ShellToast(context.t("You are notified when it moves"))
        return try await response(id, toast: toast, context)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await parking.end(id, by: context.change(fields))
        return try await response(id, toast: ShellToast(context.t("No longer parked")), context)
    }

    /// Returns the item as it is now.
    private func response(
        _ id: ID<Item>, toast: ShellToast, _ context: SignedInContext
    ) async throws -> Response {
        if context.face == .fragment {
            var response = try details.page(await details.read(id, context), context)
            response.toast(toast)
            return response
        }
        let overview = try await items.item(id, for: context.actor)
        return try Responses.changed(
            context, version: overview.item.version, json: { ItemJSON(overview) }, seeOther: TrackingPath.item(id),
            toast: toast)
    }
}

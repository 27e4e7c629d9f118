import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/label`: the label to print, with a QR code for finders.
struct ItemLabelController: Sendable {
    let itemLabels: ItemLabelService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/label", use: show)
        items.post("{id}/label", use: create)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let label = try await itemLabels.label(of: context.id("id", of: Item.self), for: context.actor)
        return try Responses.of(
            context, template: "tracking-label", page: { try ItemLabelPage(context, label, t: context.t) },
            json: { ItemLabelJSON(label, site: context.site) }
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let label = try await itemLabels.create(of: id, by: context.change(fields))
        return try Responses.created(
            context, location: TrackingPath.label(id), json: { ItemLabelJSON(label, site: context.site) },
            seeOther: TrackingPath.label(id), toast: ShellToast(context.t("Label created"))
        )
    }
}

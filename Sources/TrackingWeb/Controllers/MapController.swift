import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/map`: all items on one map.
struct MapController: Sendable {
    let items: ItemService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        tracking.get("map", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let list = try await items.list(
            for: context.actor, order: .name, search: nil, after: nil, limit: Limits.pageSizeMaximum)
        let t = context.t
        return try Responses.page(
            context, template: "tracking-map", fragment: "tracking-map-list",
            AllItemsMapPage(context, list.items, t: t, formatter: context.formatter(t)))
    }
}

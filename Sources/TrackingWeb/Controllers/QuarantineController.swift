import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/quarantine`: the unusable messages of the reader's devices.
struct QuarantineController: Sendable {
    let quarantine: QuarantineService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        tracking.get("quarantine", use: index)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        if context.face == .json {
            let page = try await quarantine.list(for: context.actor, after: paging.after, limit: paging.limit)
            return try Responses.json(
                context, ListJSON(items: page.items.map(QuarantineJSON.init), next: page.next)
            )
        }
        let listing = try await quarantine.listWithDevices(
            for: context.actor, after: paging.after, limit: paging.limit)
        let t = context.t
        // The display names of devices: the item of a tracker, or the app.
        let names = listing.sourceKinds.mapValues { $0.title(t) }.merging(listing.itemNames) { _, item in item }
        return try Responses.page(
            context, template: "tracking-quarantine",
            QuarantinePage(
                context, entries: listing.entries.items, next: listing.entries.next, names: names, t: t,
                formatter: context.formatter(t)
            )
        )
    }
}

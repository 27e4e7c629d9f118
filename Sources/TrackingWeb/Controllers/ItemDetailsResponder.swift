import Hummingbird
import Kernel
import Tracking
import WebCore

/// Responds with the details of an item.
struct ItemDetailsResponder: Sendable {
    let itemDetails: ItemDetailsService
    /// The public key for push subscriptions; `nil` when the server has push notifications disabled.
    let pushKey: String?

    /// Reads the details with as many positions as the page shows.
    func read(_ id: ID<Item>, _ context: SignedInContext) async throws -> ItemDetails {
        try await itemDetails.details(of: id, for: context.actor, fixes: positionCount(context))
    }

    /// Returns the details as a page or a fragment.
    func page(_ details: ItemDetails, _ context: SignedInContext) throws -> Response {
        let t = context.t
        let history = HistoryPart(
            fixes: details.fixes.items, names: details.names, count: positionCount(context),
            hasMore: details.fixes.next != nil)
        return try Responses.page(
            context, template: "tracking-item-details", fragment: "tracking-item-status",
            version: details.overview.item.version,
            ItemDetailsPage(
                context, details.overview, history: history, ring: details.ring, alertOffer: details.alertOffer,
                alerts: details.alerts,
                lost: details.overview.access < .manage
                    ? nil : ItemLostPart(details, t: t, formatter: context.formatter(t)), openLinks: details.liveLinks,
                pushKey: pushKey, t: t, formatter: context.formatter(t)
            )
        )
    }

    private func positionCount(_ context: SignedInContext) -> Int {
        let range = ItemDetailsPage.positionsAtFirst...Limits.pageSizeMaximum
        let requested = context.query("shown").flatMap { Int($0) } ?? range.lowerBound
        return min(max(requested, range.lowerBound), range.upperBound)
    }
}

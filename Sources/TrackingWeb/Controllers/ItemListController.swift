import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items`: the list of items.
struct ItemListController: Sendable {
    let items: ItemService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get(use: index)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return try await page(context) }
        let paging = try context.paging()
        let page = try await items.page(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(ItemJSON.init), next: page.next))
    }

    /// Returns the list as a page or a fragment: lost items first, then in the chosen order.
    private func page(_ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let limit = context.query("limit") == nil ? Limits.pageSizeMaximum : paging.limit
        let chosen = try context.chosenOrder()
        let order = chosen ?? context.lastOrder ?? .name
        let search = context.query("q").flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        let isPage = context.face == .page
        let list = try await items.list(
            for: context.actor, order: order, search: search, after: paging.after, limit: limit,
            added: isPage ? context.query("added").flatMap { ID<Item>($0) } : nil,
            mayOfferPasscode: isPage && !context.session.hasPasscode,
            mayAsk: isPage && search == nil && paging.after == nil)
        let shown = ListPart(list: list, order: order, search: search)
        let t = context.t
        var response = try Responses.page(
            context, template: "tracking-item-list", fragment: "tracking-item-rows",
            ItemListPage(context, shown, t: t, formatter: context.formatter(t))
        )
        if let chosen { response.headers.set(.itemOrder, to: chosen.rawValue, on: context.site) }
        return response
    }
}

extension SiteCookie {
    /// The order of the items last chosen in this browser. Not a secret.
    fileprivate static let itemOrder = SiteCookie(
        "homeward-list-order", secureName: "homeward-list-order", path: TrackingPath.items,
        lifetimeSeconds: 365 * 24 * 60 * 60)
}

extension WebContext {
    /// Returns the order that the URL requests; `nil` for none.
    /// - Throws: `AppError.invalid` at `order` for an unknown one.
    fileprivate func chosenOrder() throws -> ItemOrder? {
        guard let name = query("order") else { return nil }
        guard let order = ItemOrder(rawValue: name) else {
            let orders = ItemOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw AppError.invalid("order", t("Choose one of: {orders}.", ["orders": orders]))
        }
        return order
    }

    /// The order last chosen in this browser.
    fileprivate var lastOrder: ItemOrder? { SiteCookie.itemOrder.value(self).flatMap(ItemOrder.init(rawValue:)) }
}

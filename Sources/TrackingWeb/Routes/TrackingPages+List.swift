import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

extension TrackingPages {
    /// Returns the list as a page or a fragment: lost items first, then in the chosen order.
    func showList(_ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let limit = context.query("limit") == nil ? Limits.pageSizeMaximum : paging.limit
        let chosen = try context.chosenOrder()
        let order = chosen ?? context.keptOrder ?? .name
        let search = context.query("q").flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        let list = try await service.list(
            for: context.actor, order: order, search: search, after: paging.after, limit: limit)
        let shown = ListPart(list: list, order: order, search: search)
        let t = context.words
        let sheet = try await pairSheet(context, t)
        let lockOffer = try await LockOffer(context, accounts: accounts)
        var response = try Responses.page(
            context, template: "tracking-item-list", fragment: "tracking-item-rows",
            ItemListPage(context, shown, sheet: sheet, lockOffer: lockOffer, t: t, formatter: context.formatter(t))
        )
        if let chosen { response.headers[values: .setCookie].append(context.keeping(chosen)) }
        return response
    }
}

extension WebContext {
    private static var orderCookie: String { "homeward-list-order" }
    private static var orderSeconds: Int { 365 * 24 * 60 * 60 }

    /// Returns the order that the URL requests; `nil` for none.
    /// - Throws: `AppError.invalid` at `order` for an unknown one.
    fileprivate func chosenOrder() throws -> ItemOrder? {
        guard let name = query("order") else { return nil }
        guard let order = ItemOrder(rawValue: name) else {
            let orders = ItemOrder.allCases.map(\.rawValue).joined(separator: ", ")
            let words = ListControlStrings.of(language).orderUnknown
            throw AppError.invalid("order", TrackingStrings.fill(words, ["orders": orders]))
        }
        return order
    }

    /// The order last chosen in this browser.
    fileprivate var keptOrder: ItemOrder? { cookie(Self.orderCookie).flatMap(ItemOrder.init(rawValue:)) }

    fileprivate func keeping(_ order: ItemOrder) -> String {
        "\(Self.orderCookie)=\(order.rawValue); Path=\(TrackingPath.items); Max-Age=\(Self.orderSeconds); HttpOnly; SameSite=Lax"
            + (site.isSecure ? "; Secure" : "")
    }
}

import Kernel
import Tracking
import WebCore

/// The list of items.
struct ItemListPage: Sendable {
    let shell: Shell
    /// The attribution of addresses; `nil` without one.
    let addressCredit: String?
    let cards: [ItemCard]
    let isEmpty: Bool
    let hasCards: Bool
    /// The URL of the form whose offline submissions the list shows; `nil` in a search and after the first part.
    let waitingAddsURL: String?
    /// The search above the list; `nil` while there are few items.
    let search: ItemSearch?
    /// The message for a search without results.
    let noMatch: EmptySearchResult?
    /// The sort orders above a long list; `nil` for a short list, which shows them at its end.
    let orderAbove: OrderChoice?
    /// The sort orders at the end of a short list; `nil` for a single item.
    let orderBelow: OrderChoice?
    /// The URL that reloads this part of the list after a change.
    let reloadURL: String
    /// The URL of the next part of a long list.
    let moreURL: String?
    let addURL: String
    let sourcesURL: String
    /// The sheet that opens after a new item was saved.
    let pairSheet: PairSheet?
    let lockOffer: LockOffer?
    /// The question about the alert mode, until it is answered.
    let alertOffer: AlertOfferView?
    /// Says from which phone the distances are measured; `nil` without a distance.
    let distanceNote: String?

    init(_ context: SignedInContext, _ shown: ListPart, t: Translator, formatter: TrackingFormatter) {
        shell = Shell(
            context, title: t("Items"), menu: .tracking(t), tab: "items", isRefreshable: true,
            action: ShellAction(label: t("Add item"), icon: "plus", url: TrackingPath.newItem, keptAhead: .daily),
            emptyDetail: t("Choose an item")
        )
        let key = shell.idempotencyKey
        cards = shown.list.items.map { ItemCard($0, key: key, t: t, formatter: formatter) }
        addressCredit = AddressCredit.text(shown.list.items, t)
        isEmpty = shown.list.total == 0
        hasCards = !shown.list.items.isEmpty
        waitingAddsURL = shown.search == nil && shown.list.after == nil ? TrackingPath.items : nil
        let isLong = shown.list.total >= Limits.searchableItems
        let isSearching = shown.search != nil
        search = isLong || isSearching ? ItemSearch(searchURL: TrackingPath.items, searchText: shown.search ?? "") : nil
        noMatch =
            isSearching && shown.list.items.isEmpty && shown.list.total > 0
            ? EmptySearchResult(
                noMatchText: t("No item’s name contains “{text}”.", ["text": shown.search ?? ""]),
                allURL: TrackingPath.items + "?q=")
            : nil
        let order = shown.list.total > 1 ? OrderChoice(shown, t) : nil
        orderAbove = isLong ? order : nil
        orderBelow = isLong ? nil : order
        reloadURL = shown.address(after: shown.list.after)
        moreURL = shown.list.next.map { shown.address(after: $0) }
        addURL = TrackingPath.newItem
        sourcesURL = TrackingPath.sources
        pairSheet = shown.list.added.flatMap { $0.tracker == nil ? PairSheet($0.item, t: t) : nil }
        lockOffer = shown.list.offersPasscode ? LockOffer(t) : nil
        alertOffer =
            shown.list.asksForAlertMode ? AlertOfferView(.firstChoice, destination: TrackingPath.items, t: t) : nil
        distanceNote = shown.list.items.lazy.compactMap(\.distanceFrom).first?.note(t)
    }
}

/// A part of the list and its query.
struct ListPart: Sendable {
    let list: ItemList
    let order: ItemOrder
    /// The search text; `nil` for none.
    let search: String?

    /// Returns the URL of the part after an item, with the search.
    func address(after: String?) -> String {
        let pairs = [("q", search), ("after", after)].compactMap { name, value in
            value.map { "\(name)=\(PercentEncoding.encoded($0))" }
        }
        return TrackingPath.items + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }
}

/// The search above the list.
struct ItemSearch: Sendable {
    let searchURL: String
    let searchText: String
}

/// The message for a search without results.
struct EmptySearchResult: Sendable {
    let noMatchText: String
    let allURL: String
}

/// The sort orders of the list.
struct OrderChoice: Sendable {
    let orders: [OrderLink]

    init(_ list: ListPart, _ t: Translator) {
        let search = list.search.map { "&q=" + PercentEncoding.encoded($0) } ?? ""
        orders = ItemOrder.allCases.map { order in
            OrderLink(
                orderURL: "\(TrackingPath.items)?order=\(order.rawValue)\(search)",
                orderLabel: order == .name ? t("By name") : t("Latest position"), isChosen: order == list.order)
        }
    }
}

/// One sort order of the list.
struct OrderLink: Sendable {
    let orderURL: String
    let orderLabel: String
    let isChosen: Bool
}

/// A single card of the list, the response to its switch.
struct ItemCardFragment: Sendable {
    let card: ItemCard
}

/// The sheet that offers pairing after a new item was saved.
struct PairSheet: Sendable {
    let sheetText: String
    let codeURL: String
    let bluetoothURL: String
    let phoneURL: String

    init(_ item: Item, t: Translator) {
        sheetText = t("{name} is in your list. A tracker shows you where it is.", ["name": item.name])
        codeURL = TrackingPath.item(item.id) + "/tracker"
        bluetoothURL = codeURL + "?by=bluetooth"
        phoneURL = TrackingPath.newSource + "?item=\(item.id)"
    }
}

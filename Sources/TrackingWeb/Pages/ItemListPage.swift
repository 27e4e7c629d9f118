import Tracking
import WebCore

/// The list of items.
struct ItemListPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let cards: [ItemCard]
    let isEmpty: Bool
    /// Where this part of the list is read again when something changed.
    let reloadURL: String
    /// The next part of a long list.
    let moreURL: String?
    let addURL: String
    let sourcesURL: String
    /// The sheet after a new item was saved.
    let pairSheet: PairSheet?
    let lockOffer: LockOffer?

    init(
        _ context: SignedInContext, items: [ItemOverview], next: String?, after: String?, sheet: PairSheet?,
        lockOffer: LockOffer?, t: TrackingStrings, wording: Wording
    ) {
        shell = Shell(
            context, title: t.list.title, menu: .tracking(t), tab: "items", isRefreshable: true,
            action: ShellAction(label: t.list.add, icon: "plus", url: TrackingPath.newItem, keptAhead: .daily),
            emptyDetail: t.list.choose
        )
        self.t = t
        let assets = shell.assets
        let key = shell.idempotencyKey
        cards = items.map { ItemCard($0, assets: assets, key: key, t: t, wording: wording) }
        isEmpty = items.isEmpty
        reloadURL = TrackingPath.items + (after.map { "?after=" + PathSegment.encoded($0) } ?? "")
        moreURL = next.map { TrackingPath.items + "?after=" + PathSegment.encoded($0) }
        addURL = TrackingPath.newItem
        sourcesURL = TrackingPath.sources
        pairSheet = sheet
        self.lockOffer = lockOffer
    }
}

/// One card of the list by itself, the answer to its switch.
struct ItemCardFragment: Sendable {
    let card: ItemCard
}

/// What is offered after a new item was saved.
struct PairSheet: Sendable {
    let sheetText: String
    let codeURL: String
    let bluetoothURL: String
    let phoneURL: String

    init(_ item: Item, t: TrackingStrings) {
        sheetText = TrackingStrings.fill(t.pairing.sheetText, ["name": item.name])
        codeURL = TrackingPath.item(item.id) + "/tracker"
        bluetoothURL = codeURL + "?by=bluetooth"
        phoneURL = TrackingPath.newSource + "?item=\(item.id)"
    }
}

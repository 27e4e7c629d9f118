import Kernel

/// The orders of the list page. Lost items (``Presence/lost``) come first in each.
package enum ItemOrder: String, Sendable, CaseIterable {
    /// By name, ignoring case and accents.
    case name
    /// The newest position first; items without one come last, by name.
    case position

    /// Returns the items in this order.
    func sorted(_ items: [ItemOverview]) -> [ItemOverview] {
        let entries = items.map { (overview: $0, name: SearchText($0.item.name).sortKey) }
        return entries.sorted { first, second in
            let isFirstLost = first.overview.presence == .lost
            if isFirstLost != (second.overview.presence == .lost) { return isFirstLost }
            if self == .position {
                let times = (first.overview.lastFix?.at, second.overview.lastFix?.at)
                switch times {
                case (let one?, let other?) where one != other: return one > other
                case (.some, nil): return true
                case (nil, .some): return false
                default: break
                }
            }
            if first.name != second.name { return first.name.lexicographicallyPrecedes(second.name) }
            return first.overview.item.id.description < second.overview.item.id.description
        }.map(\.overview)
    }
}

/// A page of the items on the list page.
package struct ItemList: Sendable {
    /// The matching items of this page, in order.
    package let items: [ItemOverview]
    /// The number of the account's items.
    package let total: Int
    /// The cursor of this page; `nil` for the first page.
    package let after: String?
    /// The cursor of the next page; `nil` for the last page.
    package let next: String?
    /// The requested new item; `nil` when it is absent or belongs to another account.
    package let added: ItemOverview?
    /// Whether the page offers a passcode.
    package let offersPasscode: Bool
    /// Whether the page asks for the alert mode.
    package let asksForAlertMode: Bool
}

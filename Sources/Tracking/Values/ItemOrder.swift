import Kernel

/// How the list page orders items. Items that it calls lost (``Presence/lost``) come first in each.
package enum ItemOrder: String, Sendable, CaseIterable {
    /// By name, without case and accents.
    case name
    /// The newest position first; items without one come last, by name.
    case position

    /// The items in this order.
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

/// A part of the items that the list page shows.
package struct ItemList: Sendable {
    /// The items of this part that match the search, in order.
    package let items: [ItemOverview]
    /// How many items the account has.
    package let total: Int
    /// The item after which this part begins; `nil` at the start.
    package let after: String?
    /// The item after which the next part begins; `nil` at the end.
    package let next: String?
}

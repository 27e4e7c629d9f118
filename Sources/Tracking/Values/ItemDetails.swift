package import Kernel

/// An item with everything that its page shows.
package struct ItemDetails: Sendable {
    package let overview: ItemOverview
    /// The newest positions.
    package let fixes: ListPage<Fix>
    /// The newest recent *ring* command; `nil` for none, and for apps.
    package let names: PlaceNames
    package let ring: Command?
    /// The offer to change the alert mode; `nil` for none.
    package let alertOffer: AlertOffer?
    /// `nil` while lost mode is off, and for readers who don't manage the item.
    package let lostMode: LostMode?
    /// The newest of finders' words, at most ``Limits/finderReportsShown``; none for readers who don't manage the item.
    package let finderReports: [FinderReport]
    /// The open links to its position; none for people who don't manage the item.
    package let liveLinks: [ItemLiveLink]
    /// The newest alerts that the reader got about the item.
    package let alerts: [ItemAlert]
}

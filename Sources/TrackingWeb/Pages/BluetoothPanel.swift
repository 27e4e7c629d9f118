import Tracking

/// The part of a page that speaks with a tracker over Bluetooth: pairs one, or keeps the link to the one that is paired,
/// over which it also hears that it is let go.
struct BluetoothPanel: Sendable {
    let b: BluetoothStrings
    let isPairing: Bool
    /// It stands where the item is deleted.
    let isParting: Bool
    let linkLead: String
    let linkedText: String
    let panelItemURL: String
    /// The paired tracker's id; empty where there is none.
    let panelTracker: String
    let panelAssets: String
    /// The page itself.
    let panelURL: String

    /// `nil` where there is nothing to speak with: a phone app is the tracker, or it is being let go.
    init?(_ overview: ItemOverview, b: BluetoothStrings, assets: String, page: String, isParting: Bool = false) {
        if let tracker = overview.tracker {
            guard tracker.kind == .homeward, tracker.state != .releasing else { return nil }
            panelTracker = tracker.id.description
        } else {
            panelTracker = ""
        }
        self.b = b
        isPairing = overview.tracker == nil
        self.isParting = isParting
        linkLead = isParting ? b.partingLead : b.linkLead
        linkedText = isParting ? b.partingLinkedText : b.linkedText
        panelItemURL = TrackingPath.item(overview.item.id)
        panelAssets = assets
        panelURL = page
    }
}

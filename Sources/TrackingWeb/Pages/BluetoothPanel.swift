import Tracking

/// The Bluetooth section of a page: pairs a tracker, or maintains the link to the paired one, which also delivers its
/// release.
struct BluetoothPanel: Sendable {
    let b: BluetoothStrings
    let isPairing: Bool
    /// Whether the section is part of the item's deletion.
    let isParting: Bool
    let linkLead: String
    let linkedText: String
    let panelItemURL: String
    /// The paired tracker's id; empty without one.
    let panelTracker: String
    let panelAssets: String
    /// The URL of the page with the section.
    let panelURL: String

    /// Returns `nil` when a phone app is the tracker, or the tracker is being released.
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

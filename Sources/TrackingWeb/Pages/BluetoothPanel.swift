import Tracking

/// The part of a page that speaks with a tracker over Bluetooth: pairs one, or keeps the link to the one that is paired.
struct BluetoothPanel: Sendable {
    let b: BluetoothStrings
    let isPairing: Bool
    let panelItemURL: String
    /// The paired tracker's id; empty where there is none.
    let panelTracker: String
    let panelAssets: String
    /// The page itself.
    let panelURL: String

    /// `nil` where there is nothing to speak with: a phone app is the tracker, or it is being let go.
    init?(_ overview: ItemOverview, b: BluetoothStrings, assets: String, page: String) {
        if let tracker = overview.tracker {
            guard tracker.kind == .homeward, tracker.state != .releasing else { return nil }
            panelTracker = tracker.id.description
        } else {
            panelTracker = ""
        }
        self.b = b
        isPairing = overview.tracker == nil
        panelItemURL = TrackingPath.item(overview.item.id)
        panelAssets = assets
        panelURL = page
    }
}

import Kernel
import Tracking

/// The Bluetooth section of a page: pairs a tracker, or maintains the link to the paired one, which also delivers its
/// release.
struct BluetoothPanel: Sendable {
    let b: BluetoothTexts
    let isPairing: Bool
    /// Whether the section is part of the item's deletion.
    let isParting: Bool
    let linkLead: String
    let linkedText: String
    let panelItemURL: String
    /// The paired tracker's id; empty without one.
    let panelTracker: String
    /// The URL of the page with the section.
    let panelURL: String

    /// Returns `nil` when a phone app is the tracker, or the tracker is being released.
    init?(_ overview: ItemOverview, t: Translator, page: String, isParting: Bool = false) {
        if let tracker = overview.tracker {
            guard tracker.kind == .homeward, tracker.state != .releasing else { return nil }
            panelTracker = tracker.id.description
        } else {
            panelTracker = ""
        }
        b = BluetoothTexts(t)
        isPairing = overview.tracker == nil
        self.isParting = isParting
        linkLead =
            isParting
            ? t("Is the tracker here? Once connected it is free at once, even without a network of its own.")
            : t("Near the tracker, positions and commands can go straight to it.")
        linkedText =
            isParting
            ? t("The tracker is released at once and can be paired again.")
            : t("While this page is open, positions and commands go straight to the tracker.")
        panelItemURL = TrackingPath.item(overview.item.id)
        panelURL = page
    }
}

import Family
import Kernel
import WebCore

/// What waits for a parent, on the dashboard.
struct WaitingPart: Sendable {
    let waitingRows: [WaitingRow]

    /// Returns `nil` if nothing waits. A single request is decided on the child's card.
    init?(_ dashboard: FamilyDashboard, _ t: Translator) {
        let requests = dashboard.requests.values.reduce(0) { $0 + $1.count }
        let (purchases, wishes, swaps) = (dashboard.shop.waitingCount, dashboard.shop.wishCount, dashboard.swapCount)
        let rows = [
            requests < 2
                ? nil
                : WaitingRow(
                    id: "requests-row", icon: "star", url: FamilyPath.waiting, title: t("Waiting for points"),
                    note: t("{n} chore to approve", plural: "{n} chores to approve", count: requests)),
            purchases == 0
                ? nil
                : WaitingRow(
                    id: "purchases-row", icon: "gift", url: FamilyPath.shop, title: t("Purchases"),
                    note: t("{n} purchase to approve", plural: "{n} purchases to approve", count: purchases)),
            wishes == 0
                ? nil
                : WaitingRow(
                    id: "wishes-row", icon: "sparkles", url: FamilyPath.shop, title: t("Wishes"),
                    note: t("{n} wish", plural: "{n} wishes", count: wishes)),
            swaps == 0
                ? nil
                : WaitingRow(
                    id: "swaps-row", icon: "refresh-cw", url: FamilyPath.swaps, title: t("Swaps"),
                    note: t("{n} swap is waiting", plural: "{n} swaps are waiting", count: swaps)),
        ].compactMap(\.self)
        guard !rows.isEmpty else { return nil }
        waitingRows = rows
    }
}

/// A kind of entries that wait for a parent.
struct WaitingRow: Sendable {
    let waitingID: String
    let waitingIcon: String
    let waitingURL: String
    let waitingTitle: String
    let waitingNote: String

    init(id: String, icon: String, url: String, title: String, note: String) {
        waitingID = id
        waitingIcon = icon
        waitingURL = url
        waitingTitle = title
        waitingNote = note
    }
}

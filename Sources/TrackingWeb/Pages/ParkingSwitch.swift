import Kernel
import Tracking
import WebCore

/// The switch *Parked here* of an item's page.
struct ParkingSwitch: Sendable {
    let parkingAction: String
    let isParked: Bool
    let parkedMoment: FormattedTime?
    let parkingKey: String

    /// - Returns: `nil` for an item without a position.
    init?(_ overview: ItemOverview, key: String, formatter: TrackingFormatter) {
        guard overview.lastFix != nil else { return nil }
        isParked = overview.parkedSince != nil
        parkingAction = TrackingPath.parking(of: overview.item.id) + (isParked ? "?_method=delete" : "?_method=put")
        parkedMoment = overview.parkedSince.map { FormattedTime($0, formatter.times) }
        parkingKey = key
    }
}

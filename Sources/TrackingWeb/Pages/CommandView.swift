import Kernel
import Tracking

/// The page on which a command was given, and which responds to it.
enum CommandView: String, Sendable {
    case card
    case details
    case tracker

    func path(of item: ID<Item>) -> String {
        switch self {
        case .card: TrackingPath.items
        case .details: TrackingPath.item(item)
        case .tracker: TrackingPath.item(item) + "/tracker"
        }
    }
}

import Kernel
import Tracking

extension AppError {
    /// Whether the item changed after its form was rendered.
    var isStaleVersion: Bool { code == .conflict && message == TrackingErrorMessage.movedOn.text }
}

import Carrepsa
import Kernel

extension AppError {
    /// Whether the package or the trip changed after its form was rendered.
    var isStaleVersion: Bool {
        code == .conflict && [CarrepsaMessage.stateMovedOn, .tripMovedOn].contains { $0.text == message }
    }
}

import Kernel
import Tracking

extension CommandState {
    /// Returns the result of a *ring*; `nil` when a later one replaced it.
    func ringText(_ t: Translator) -> String? {
        switch self {
        case .queued: t("Waiting for the tracker to connect.")
        case .sent: t("The command was sent to the tracker.")
        case .applied: t("The tracker rang.")
        case .failed: t("The tracker couldn’t ring.")
        case .expired: t("The tracker didn’t connect, so it didn’t ring.")
        case .superseded: nil
        }
    }
}

import Carrepsa
import Kernel
import WebCore

extension PackageDetails {
    /// Whether the recipient refused the package, which is with the carrier, and no dispute decides about it.
    var isRefusedOnTheWay: Bool {
        package.isRefused && package.state == .travelling && package.disputedAt == nil
    }

    /// Whether the other of owner and carrier asks to cancel.
    var isAskedToCancel: Bool {
        package.state == .travelling && package.cancellationRequestedBy.map { $0 != role } ?? false
    }

    /// Whether another step comes before the confirmation of the delivery.
    var isConfirmationFolded: Bool {
        isInDispute || isRefusedOnTheWay || (isAskedToCancel && package.disputedAt == nil)
    }

    /// Returns what the reader does about a refusal or a request to cancel; `nil` without one, and in a dispute.
    func cancellationLead(_ t: Translator) -> String? {
        guard package.state.isUnderWay, package.disputedAt == nil, role == .owner || role == .carrier else {
            return nil
        }
        let isOwner = role == .owner
        if isAskedToCancel { return t("If you don’t agree, talk to {name} or report a problem.") }
        guard package.isRefused else { return nil }
        if package.state == .accepted {
            return isOwner
                ? t("Talk to {name} before you hand it over.") : t("Talk to {name} before you collect it.")
        }
        if package.cancellationRequestedBy != nil { return t("Waiting for {name} to agree.") }
        return isOwner
            ? t("When you and {name} agree to cancel, your reward comes back.")
            : t("When you and {name} agree to cancel, your deposit of {lock} comes back.")
    }

    /// Returns what the recipient's refusal means for the reader.
    func refusalText(_ t: Translator) -> String {
        switch role {
        case .owner where package.state == .accepted, .carrier where package.state == .accepted:
            return t("The recipient has refused the package. You can cancel the delivery.")
        case .owner where package.cancellationRequestedBy == nil:
            return t("The recipient has refused the package. You can ask {name} to cancel.")
        case .carrier: return t("The recipient refuses the package. Arrange with {name} how it comes back.")
        default: return t("The recipient has refused the package")
        }
    }

    /// Returns that a photo must be added first; empty unless a missing photo blocks the action.
    func photoReason(_ action: PackageAction, _ t: Translator) -> String {
        guard blocked[action] == .photosNeeded else { return "" }
        return role == .owner
            ? t("Add a photo first: you require it.") : t("Add a photo first: the owner requires it.")
    }
}

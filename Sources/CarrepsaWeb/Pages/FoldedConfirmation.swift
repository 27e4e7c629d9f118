import Carrepsa
import Kernel
import WebCore

/// The ways to confirm a delivery, in a fold below the step that comes first.
struct FoldedConfirmation: Sendable {
    let foldedButtons: [PackageActionButton]
    let foldedHandover: HandoverPanel?
    /// Whether the handover's form has an error or a code.
    let isFoldOpen: Bool

    /// - Returns: `nil` if there is nothing to fold.
    init?(_ buttons: [PackageActionButton], _ handover: HandoverPanel?) {
        guard !buttons.isEmpty || handover != nil else { return nil }
        foldedButtons = buttons
        foldedHandover = handover
        isFoldOpen = handover.map { $0.isCodeInvalid || !$0.typedCode.isEmpty } ?? false
    }
}

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
        isRefusedOnTheWay || (isAskedToCancel && package.disputedAt == nil)
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

    /// Returns that a photo must be added first; empty unless a missing photo blocks the action.
    func photoReason(_ action: PackageAction, _ t: Translator) -> String {
        guard blocked[action] == .photosNeeded else { return "" }
        return role == .owner
            ? t("Add a photo first: you require it.") : t("Add a photo first: the owner requires it.")
    }
}

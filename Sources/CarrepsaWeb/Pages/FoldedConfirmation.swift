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

/// A condition of a transition besides the state.
package enum TransitionCondition: String, Sendable, CaseIterable {
    case beforeDeadline
    case afterDeadline
    /// The reward is in escrow.
    case rewardHeld
    /// The carrier hasn't reported the delivery.
    case notReported
    /// The delivery report is older than ``Limits/deliveryReportSeconds``.
    case reportUnanswered
    /// There is no cancellation request.
    case noRequest
    /// The actor has requested the cancellation.
    case ownRequest
    /// The other person has requested the cancellation.
    case otherRequest
    case noDispute
    case inDispute
    /// The actor has added fewer than ``Limits/disputeStatements`` statements.
    case statementsLeft
    /// The actor enters the other person's handover code.
    case code
    /// The time for statements isn't over.
    case statementsOpen
    case statementsOver
    /// Owner and carrier have written, or the time for it is over.
    case heard
    /// There is no decision, or owner or carrier appealed against it.
    case undecided
    /// The actor offers a division of the money.
    case ownOffer
    /// The other person offers a division of the money.
    case otherOffer
    /// There is a decision that hasn't taken effect.
    case decisionOpen
    /// The actor hasn't accepted the decision.
    case notAccepted
    case noAppeal
    /// It is decided as delivered, and the time for an appeal is over. The following cases likewise.
    case deliveredInEffect
    case refundedInEffect
    case lostInEffect
    case splitInEffect
    /// The recipient hasn't refused the package.
    case notRefused
    /// The owner requires no photos, or there is one of this handover.
    case photos
    /// There are fewer than ``Limits/packageProofs`` photos.
    case proofsLeft
}

/// The state of a package.
package enum PackageState: String, Sendable, CaseIterable {
    /// Every adult can see it, and all but the owner can accept it.
    case available
    /// A carrier accepted it; reward and deposit are in escrow.
    case accepted
    /// The carrier has it; reward and deposit are in escrow.
    case travelling
    /// It arrived, and the carrier got the reward and the deposit.
    case delivered
    /// It was withdrawn, given up or lost. Reward and deposit left escrow.
    case cancelled

    /// Whether the state is final.
    package var isFinished: Bool { self == .delivered || self == .cancelled }
    /// Whether owner and carrier see each other's contact details; reward and deposit are in escrow.
    package var isUnderWay: Bool { self == .accepted || self == .travelling }
}

/// The role of an actor towards a package.
package enum PackageRole: String, Sendable, CaseIterable {
    /// The person who posted it.
    case owner
    /// The person who accepted it.
    case carrier
    /// Any other person.
    case stranger
    /// An administrator who decides a dispute and is neither owner nor carrier.
    case `operator`
    /// The scheduled job that applies deadlines.
    case clock
    /// The person who receives it, by the secret link to their page and without an account.
    case recipient
}

/// An action of the life cycle.
package enum PackageAction: String, Sendable, CaseIterable {
    case create = "post"
    /// The owner removes the offer.
    case withdraw
    case accept
    /// Owner or carrier cancels before the pickup.
    case cancelAcceptance
    /// Owner or carrier confirms that the carrier has the package.
    case confirmPickup
    /// The carrier claims the delivery, without the owner's confirmation.
    case reportDelivery
    /// Owner or carrier confirms the delivery.
    case confirmDelivery
    /// Owner or carrier asks the other to cancel the delivery.
    case requestCancellation
    /// The requester withdraws the cancellation request.
    case retractCancellation
    /// The other person agrees to cancel.
    case agreeCancellation
    /// Owner or carrier asks an administrator to decide.
    case dispute
    /// Owner or carrier adds a statement to the dispute.
    case addStatement
    /// Owner or carrier offers a division of the money, which replaces the offer before.
    case offerSplit
    /// Owner or carrier takes the own offer back.
    case retractSplit
    /// Owner or carrier declines the other's offer.
    case declineSplit
    /// Owner or carrier accepts the other's offer.
    case acceptSplit
    /// The time for statements is over.
    case closeStatements
    /// The administrator decides that it was delivered.
    case decideDelivered
    /// The administrator decides to return the reward to the owner and the deposit to the carrier.
    case decideRefunded
    /// The administrator decides that the carrier lost it: the owner is to get reward and deposit.
    case decideLost
    /// The administrator decides how reward and deposit are divided.
    case decideSplit
    /// Owner or carrier accepts the decision.
    case acceptDecision
    /// Owner or carrier appeals against the decision, once per package.
    case appeal
    /// The decision takes effect.
    case enforceDelivered
    case enforceRefunded
    case enforceLost
    case enforceSplit
    /// The latest pickup passed without acceptance or pickup: reward and deposit return.
    case expire
    /// The owner didn't answer the delivery report for ``Limits/deliveryReportSeconds``: an administrator decides.
    case escalate
    /// The owner changes the terms of the offer.
    case edit
    // The recipient's actions.
    /// The recipient says where to leave it.
    case instruct
    /// The recipient doesn't want it.
    case refuse
    /// Owner or carrier adds a photo of the handover.
    case addProof

    /// The outcome if it decides a dispute.
    var decision: DisputeOutcome? {
        switch self {
        case .decideDelivered: .delivered
        case .decideRefunded: .refunded
        case .decideLost: .lost
        case .decideSplit: .split
        default: nil
        }
    }

    /// Whether the actor states a division of the money.
    var needsSplit: Bool { self == .offerSplit || self == .decideSplit }

    /// Whether the ledger seals its entry in the history with the note.
    var isSealed: Bool {
        switch self {
        case .dispute, .addStatement, .offerSplit, .acceptSplit, .acceptDecision, .appeal, .addProof: true
        default: decision != nil
        }
    }
}

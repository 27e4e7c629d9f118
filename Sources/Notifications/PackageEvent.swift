package import Kernel

/// An event of a package, as its notification describes it. An event has several cases if its recipients read
/// different sentences.
package enum PackageEvent: String, Sendable, CaseIterable {
    /// To the owner: a carrier accepted the package.
    case accepted
    /// To the owner: no carrier accepted the package by its deadline.
    case offerLapsed
    /// To the owner: a carrier wanted to accept, but the wallet doesn't cover the reward.
    case rewardNotFunded
    /// To either side: the other side cancelled before the pickup.
    case acceptanceCancelled
    /// To both sides: the package wasn't picked up by its deadline.
    case pickupLapsed
    /// To either side: the package is with the carrier.
    case pickedUp
    /// To the owner: the carrier proved the delivery by code.
    case deliveredToOwner
    /// To the carrier: the owner confirmed the delivery.
    case deliveredByCarrier
    /// To the owner: the carrier reports the delivery.
    case deliveryReported
    /// To either side: the other side asks to cancel.
    case cancellationRequested
    /// To either side: the other side no longer asks to cancel.
    case cancellationRetracted
    /// To either side: the other side agreed to cancel.
    case cancellationAgreed
    /// To either side: the other side reported a problem.
    case disputed
    /// To operators: a side reported a problem.
    case disputeToDecide
    /// To both sides: the reported delivery wasn't confirmed in time.
    case escalated
    /// To operators: the reported delivery wasn't confirmed in time.
    case escalationToDecide
    /// To either side and to operators: a side added a statement to a dispute.
    case statementAdded
    /// To the owner: decided as delivered.
    case decidedDeliveredForOwner
    /// To the carrier: decided as delivered.
    case decidedDeliveredForCarrier
    /// To both sides: decided as cancelled.
    case decidedRefunded
    /// To the owner: decided as lost.
    case decidedLostForOwner
    /// To the carrier: decided as lost.
    case decidedLostForCarrier
    /// To either side: it hasn't written, and the time for statements is over soon.
    case statementDue
    /// To both sides: the time for statements is over.
    case statementsClosed
    /// To operators: the time for statements is over.
    case readyToDecide
    /// To either side: the other side offers to divide the money.
    case splitOffered
    /// To either side: the other side took its offer back.
    case splitRetracted
    /// To either side: the other side declined the offer.
    case splitDeclined
    /// To either side: the other side accepted the offer.
    case splitAccepted
    /// To both sides: an administrator decided, and the time for an appeal begins.
    case decisionMade
    /// To either side: the other side accepted the decision.
    case decisionAccepted
    /// To either side: the other side appealed.
    case appealed
    /// To operators: a side appealed.
    case appealToDecide
    /// To both sides: the decision to divide the money took effect.
    case decidedSplit
    // To both sides.
    /// The recipient says where to leave the package.
    case recipientInstructed
    /// The recipient doesn't want the package, which is on its way.
    case recipientRefused
    /// The recipient doesn't want the package, which wasn't picked up yet.
    case recipientRefusedEarly
    /// To either side: the other side added a photo of the handover.
    case proofAdded

    /// The kind of notification, which people can mute.
    package var kind: NoticeKind {
        switch self {
        case .accepted: .packageAccepted
        case .pickedUp: .packagePickedUp
        case .deliveredToOwner, .deliveredByCarrier: .packageDelivered
        case .acceptanceCancelled, .cancellationAgreed: .packageCancelled
        case .cancellationRequested, .cancellationRetracted, .recipientRefused, .recipientRefusedEarly:
            .packageCancellationRequested
        case .recipientInstructed, .proofAdded: .packagePickedUp
        case .deliveryReported: .packageDeliveryReported
        case .disputed, .disputeToDecide, .escalated, .escalationToDecide, .statementAdded, .statementDue,
            .statementsClosed,
            .readyToDecide, .splitOffered, .splitRetracted, .splitDeclined, .appealed, .appealToDecide:
            .packageDisputed
        case .splitAccepted, .decisionMade, .decisionAccepted, .decidedSplit, .decidedDeliveredForOwner,
            .decidedDeliveredForCarrier, .decidedRefunded, .decidedLostForOwner,
            .decidedLostForCarrier:
            .packageDecided
        case .offerLapsed, .pickupLapsed: .packageLapsed
        case .rewardNotFunded: .packageNotFunded
        }
    }

    /// The details of a notification of this event.
    /// - Parameters:
    ///   - name: the other party, or the party that acted; `nil` if the account was deleted.
    ///   - amount: the amount in the text, in minor units.
    package func details(name: String?, amount: Int64, currency: Currency) -> [String: String] {
        var details = ["event": rawValue, "amount": String(amount), "currency": currency.code]
        details["who"] = name
        return details
    }
}

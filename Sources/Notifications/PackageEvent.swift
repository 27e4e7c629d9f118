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
    /// To the other of owner and carrier: one cancelled before the pickup.
    case acceptanceCancelled
    /// To owner and carrier: the package wasn't picked up by its deadline.
    case pickupLapsed
    /// To owner or carrier: the package is with the carrier.
    case pickedUp
    /// To the owner: the carrier proved the delivery by code.
    case deliveredToOwner
    /// To the carrier: the owner confirmed the delivery.
    case deliveredByCarrier
    /// To the owner: the carrier reports the delivery.
    case deliveryReported
    /// To the other of owner and carrier: one asks to cancel.
    case cancellationRequested
    /// To the other of owner and carrier: one no longer asks to cancel.
    case cancellationRetracted
    /// To the other of owner and carrier: one agreed to cancel.
    case cancellationAgreed
    /// To the other of owner and carrier: one reported a problem.
    case disputed
    /// To operators: owner or carrier reported a problem.
    case disputeToDecide
    /// To owner and carrier: the reported delivery wasn't confirmed in time.
    case escalated
    /// To operators: the reported delivery wasn't confirmed in time.
    case escalationToDecide
    /// To operators and the other of owner and carrier: one added a statement to a dispute.
    case statementAdded
    /// To the owner: decided as delivered.
    case decidedDeliveredForOwner
    /// To the carrier: decided as delivered.
    case decidedDeliveredForCarrier
    /// To owner and carrier: decided as cancelled.
    case decidedRefunded
    /// To the owner: decided as lost.
    case decidedLostForOwner
    /// To the carrier: decided as lost.
    case decidedLostForCarrier
    /// To the owner or carrier who hasn't written: the time for statements is over soon.
    case statementDue
    /// To owner and carrier: the time for statements is over.
    case statementsClosed
    /// To operators: the time for statements is over.
    case readyToDecide
    /// To the other of owner and carrier: one offers to divide the money.
    case splitOffered
    /// To the other of owner and carrier: one took their offer back.
    case splitRetracted
    /// To the other of owner and carrier: one declined the offer.
    case splitDeclined
    /// To the other of owner and carrier: one accepted the offer.
    case splitAccepted
    /// To owner and carrier: an administrator decided, and the time for an appeal begins.
    case decisionMade
    /// To the other of owner and carrier: one accepted the decision.
    case decisionAccepted
    /// To the other of owner and carrier: one appealed.
    case appealed
    /// To operators: owner or carrier appealed.
    case appealToDecide
    /// To owner and carrier: the decision to divide the money took effect.
    case decidedSplit
    // To owner and carrier.
    /// The recipient says where to leave the package.
    case recipientInstructed
    /// The recipient doesn't want the package, which is on its way.
    case recipientRefused
    /// The recipient doesn't want the package, which wasn't picked up yet.
    case recipientRefusedEarly
    /// To the other of owner and carrier: one added a photo of the handover.
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
    ///   - name: the other of owner and carrier, or who acted; `nil` if the account was deleted.
    ///   - amount: the amount in the text, in minor units.
    ///   - reward: the part of the amount that is reward, in minor units; `nil` unless ``namesParts``.
    ///   - deposit: the part that is deposit.
    package func details(
        name: String?, amount: Int64, reward: Int64? = nil, deposit: Int64? = nil, currency: Currency
    ) -> [String: String] {
        var details = ["event": rawValue, "amount": String(amount), "currency": currency.code]
        details["who"] = name
        details["rewardPart"] = reward.map { String($0) }
        details["depositPart"] = deposit.map { String($0) }
        return details
    }

    /// Whether the text names the reward and the deposit separately.
    package var namesParts: Bool {
        switch self {
        case .deliveredToOwner, .deliveredByCarrier, .decidedDeliveredForOwner, .decidedDeliveredForCarrier,
            .decidedLostForOwner, .splitAccepted, .decisionMade, .decidedSplit:
            true
        default: false
        }
    }
}

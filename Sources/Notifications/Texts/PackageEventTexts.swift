import Kernel

/// The texts of notifications about an event of a package.
struct PackageEventTexts: Sendable {
    let t: Translator

    func text(of event: PackageEvent, _ details: NotificationDetails) -> NotificationText {
        NotificationText(
            title(of: event), bodyWithParts(of: event, details) ?? body(of: event, details), time: details.deadline)
    }

    private func title(of event: PackageEvent) -> String {
        switch event {
        case .accepted: t("Delivery accepted")
        case .offerLapsed, .pickupLapsed: t("Pickup deadline passed")
        case .rewardNotFunded: t("Reward not funded")
        case .acceptanceCancelled, .cancellationAgreed: t("Delivery cancelled")
        case .pickedUp: t("Package picked up")
        case .deliveredToOwner, .deliveredByCarrier: t("Package delivered")
        case .deliveryReported: t("Confirm the delivery")
        case .cancellationRequested: t("Cancellation requested")
        case .cancellationRetracted: t("Delivery continues")
        case .disputed: t("Problem reported")
        case .disputeToDecide, .escalationToDecide: t("Decision needed")
        case .escalated: t("Delivery not confirmed")
        case .statementAdded: t("New statement")
        case .decidedDeliveredForOwner, .decidedDeliveredForCarrier: t("Decision: delivered")
        case .decidedRefunded: t("Decision: cancelled")
        case .decidedLostForOwner, .decidedLostForCarrier: t("Decision: lost")
        case .statementDue: t("Statement needed")
        case .statementsClosed: t("Time for statements is over")
        case .readyToDecide, .appealToDecide: t("Decision needed")
        case .splitOffered: t("Offer to divide the money")
        case .splitRetracted: t("Offer taken back")
        case .splitDeclined: t("Offer declined")
        case .splitAccepted: t("Offer accepted")
        case .decisionMade: t("Decision made")
        case .decisionAccepted: t("Decision accepted")
        case .appealed: t("Appeal")
        case .decidedSplit: t("Decision: money divided")
        case .recipientInstructed: t("The recipient says where to leave it")
        case .recipientRefused, .recipientRefusedEarly: t("The recipient has refused the package")
        case .proofAdded: t("New photo of the handover")
        }
    }

    /// Returns the text that names reward and deposit separately; `nil` if the event or its details have none.
    private func bodyWithParts(of event: PackageEvent, _ details: NotificationDetails) -> String? {
        guard let parts = details.parts else { return nil }
        let values: KeyValuePairs = [
            "subject": details.subject, "who": details.who ?? t("Someone"), "amount": details.amount,
            "reward": parts.reward, "deposit": parts.deposit,
        ]
        switch event {
        case .deliveredToOwner:
            return t(
                "“{subject}” has arrived. {who} got the reward of {reward} and the deposit of {deposit} back.", values)
        case .deliveredByCarrier:
            return t(
                """
                {who} confirmed the delivery of “{subject}”. You got the reward of {reward} and your deposit of \
                {deposit} back.
                """, values)
        case .decidedDeliveredForOwner:
            return t(
                """
                An administrator decided that “{subject}” has arrived. {who} got the reward of {reward} and the deposit \
                of {deposit} back.
                """, values)
        case .decidedDeliveredForCarrier:
            return t(
                """
                An administrator decided that “{subject}” has arrived. You got the reward of {reward} and your deposit \
                of {deposit} back.
                """, values)
        case .decidedLostForOwner:
            return t(
                """
                An administrator decided that “{subject}” is lost. You got your reward of {reward} back, and the \
                deposit of {deposit}.
                """, values)
        case .splitAccepted:
            return t(
                """
                {who} accepted your offer about “{subject}”. You got {amount}: {reward} of the reward and {deposit} of \
                the deposit.
                """, values)
        case .decisionMade:
            return details.deadline == nil
                ? t(
                    """
                    An administrator decided about “{subject}”: you get {amount}, which is {reward} of the reward and \
                    {deposit} of the deposit. Accept it or appeal.
                    """, values)
                : t(
                    """
                    An administrator decided about “{subject}”: you get {amount}, which is {reward} of the reward and \
                    {deposit} of the deposit. Accept it, or appeal by {time}; after that it takes effect.
                    """, values)
        case .decidedSplit:
            return t(
                """
                The decision about “{subject}” took effect. You got {amount}: {reward} of the reward and {deposit} of \
                the deposit.
                """, values)
        default: return nil
        }
    }

    private func body(of event: PackageEvent, _ details: NotificationDetails) -> String {
        let values: KeyValuePairs = [
            "subject": details.subject, "who": details.who ?? t("Someone"), "amount": details.amount,
        ]
        return switch event {
        case .accepted: t("{who} will carry “{subject}”. The reward of {amount} is held.", values)
        case .offerLapsed: t("“{subject}” wasn’t accepted in time. {amount} is back in your wallet.", values)
        case .rewardNotFunded:
            t("A carrier wanted “{subject}”, but your wallet doesn’t cover the reward of {amount}.", values)
        case .acceptanceCancelled:
            t("{who} cancelled the delivery of “{subject}”. {amount} is back in your wallet.", values)
        case .pickupLapsed: t("“{subject}” wasn’t picked up in time. {amount} is back in your wallet.", values)
        case .pickedUp: t("“{subject}” is on its way. {who} confirmed the pickup. {amount} stays held.", values)
        case .deliveredToOwner: t("“{subject}” has arrived. {who} received {amount}.", values)
        case .deliveredByCarrier: t("{who} confirmed the delivery of “{subject}”. You received {amount}.", values)
        case .deliveryReported:
            t(
                """
                {who} says “{subject}” has arrived. Confirm it to release the {amount} that is held, or report a \
                problem.
                """, values)
        case .cancellationRequested:
            t("{who} asks to cancel the delivery of “{subject}”. If you agree, {amount} comes back to you.", values)
        case .cancellationRetracted:
            t("{who} no longer asks to cancel the delivery of “{subject}”. {amount} stays held.", values)
        case .cancellationAgreed:
            t("{who} agreed to cancel the delivery of “{subject}”. {amount} is back in your wallet.", values)
        case .disputed:
            t(
                """
                {who} reported a problem with “{subject}”. Reward and deposit ({amount}) stay held. Write what \
                happened before an administrator decides.
                """, values)
        case .disputeToDecide: t("{who} reported a problem with “{subject}”. {amount} is held.", values)
        case .escalated:
            t(
                """
                The delivery of “{subject}” wasn’t confirmed in time. Reward and deposit ({amount}) stay held until an \
                administrator decides.
                """, values)
        case .escalationToDecide: t("The delivery of “{subject}” wasn’t confirmed in time. {amount} is held.", values)
        case .statementAdded:
            t("{who} added a statement about “{subject}”. Reward and deposit ({amount}) stay held.", values)
        case .decidedDeliveredForOwner:
            t("An administrator decided that “{subject}” has arrived. {who} received {amount}.", values)
        case .decidedDeliveredForCarrier:
            t("An administrator decided that “{subject}” has arrived. You received {amount}.", values)
        case .decidedRefunded: t("An administrator cancelled “{subject}”. {amount} is back in your wallet.", values)
        case .decidedLostForOwner:
            t("An administrator decided that “{subject}” is lost. You received {amount}.", values)
        case .proofAdded: t("{who} added a photo of “{subject}”. Reward and deposit ({amount}) stay held.", values)
        case .recipientInstructed:
            t("The recipient of “{subject}” says where to leave it. Reward and deposit ({amount}) stay held.", values)
        case .recipientRefused:
            t(
                """
                The recipient doesn’t want “{subject}”. Agree with {who} on how it comes back, and cancel together. \
                Reward and deposit ({amount}) stay held until then.
                """, values)
        case .recipientRefusedEarly:
            t(
                """
                The recipient doesn’t want “{subject}”. You can cancel the delivery. Reward and deposit ({amount}) \
                stay held until then.
                """, values)
        case .decidedLostForCarrier:
            t("An administrator decided that “{subject}” is lost. Your deposit of {amount} went to {who}.", values)
        case .statementDue where details.deadline == nil:
            t(
                """
                Write what happened with “{subject}” soon. After that an administrator decides about {amount} without \
                your statement.
                """, values)
        case .statementDue:
            t(
                """
                Write what happened with “{subject}” by {time}. After that an administrator decides about {amount} \
                without your statement.
                """, values)
        case .statementsClosed:
            t(
                "The time for statements about “{subject}” is over. Reward and deposit ({amount}) stay held until the decision.",
                values)
        case .readyToDecide:
            t("The time for statements about “{subject}” is over. {amount} is held. Open it and decide.", values)
        case .splitOffered:
            t("{who} offers to divide the {amount} that is held for “{subject}”. Accept or decline.", values)
        case .splitRetracted:
            t("{who} took back the offer about “{subject}”. Reward and deposit ({amount}) stay held.", values)
        case .splitDeclined:
            t("{who} declined your offer about “{subject}”. Reward and deposit ({amount}) stay held.", values)
        case .splitAccepted: t("{who} accepted your offer about “{subject}”. You received {amount}.", values)
        case .decisionMade where details.deadline == nil:
            t(
                """
                An administrator decided about “{subject}”: you get {amount} of the money that is held. Accept it or \
                appeal.
                """, values)
        case .decisionMade:
            t(
                """
                An administrator decided about “{subject}”: you get {amount} of the money that is held. Accept it, or \
                appeal by {time}; after that it takes effect.
                """, values)
        case .decisionAccepted:
            t("{who} accepted the decision about “{subject}”. Reward and deposit ({amount}) stay held.", values)
        case .appealed:
            t(
                """
                {who} appealed against the decision about “{subject}”. Reward and deposit ({amount}) stay held. Add a \
                statement before the second decision.
                """, values)
        case .appealToDecide:
            t("{who} appealed against the decision about “{subject}”. {amount} is held. Open it and decide.", values)
        case .decidedSplit: t("The decision about “{subject}” took effect. You received {amount}.", values)
        }
    }
}

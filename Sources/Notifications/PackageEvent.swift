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

    /// The kind of notification, which people can mute.
    package var kind: NoticeKind {
        switch self {
        case .accepted: .packageAccepted
        case .pickedUp: .packagePickedUp
        case .deliveredToOwner, .deliveredByCarrier: .packageDelivered
        case .acceptanceCancelled, .cancellationAgreed: .packageCancelled
        case .cancellationRequested, .cancellationRetracted: .packageCancellationRequested
        case .deliveryReported: .packageDeliveryReported
        case .disputed, .disputeToDecide, .escalated, .escalationToDecide, .statementAdded: .packageDisputed
        case .decidedDeliveredForOwner, .decidedDeliveredForCarrier, .decidedRefunded, .decidedLostForOwner,
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

extension PackageEvent {
    /// Title and text in English.
    var english: (title: String, text: String) {
        switch self {
        case .accepted: ("Delivery accepted", "WHO will carry “SUBJECT”. Your reward of AMOUNT is held.")
        case .offerLapsed:
            ("Pickup deadline passed", "“SUBJECT” wasn’t accepted in time. AMOUNT is back in your wallet.")
        case .rewardNotFunded:
            ("Reward not funded", "A carrier wanted “SUBJECT”, but your wallet doesn’t cover the reward of AMOUNT.")
        case .acceptanceCancelled:
            ("Delivery cancelled", "WHO cancelled the delivery of “SUBJECT”. AMOUNT is back in your wallet.")
        case .pickupLapsed:
            ("Pickup deadline passed", "“SUBJECT” wasn’t picked up in time. AMOUNT is back in your wallet.")
        case .pickedUp: ("Package picked up", "“SUBJECT” is on its way. WHO confirmed the pickup. AMOUNT stays held.")
        case .deliveredToOwner: ("Package delivered", "“SUBJECT” has arrived. WHO received AMOUNT.")
        case .deliveredByCarrier: ("Package delivered", "WHO confirmed the delivery of “SUBJECT”. You received AMOUNT.")
        case .deliveryReported:
            (
                "Confirm the delivery",
                "WHO says “SUBJECT” has arrived. Confirm it to release the AMOUNT that is held, or report a problem."
            )
        case .cancellationRequested:
            (
                "Cancellation requested",
                "WHO asks to cancel the delivery of “SUBJECT”. If you agree, AMOUNT comes back to you."
            )
        case .cancellationRetracted:
            ("Delivery continues", "WHO no longer asks to cancel the delivery of “SUBJECT”. AMOUNT stays held.")
        case .cancellationAgreed:
            ("Delivery cancelled", "WHO agreed to cancel the delivery of “SUBJECT”. AMOUNT is back in your wallet.")
        case .disputed:
            (
                "Problem reported",
                "WHO reported a problem with “SUBJECT”. AMOUNT stays held. Add your side before an administrator decides."
            )
        case .disputeToDecide: ("Decision needed", "WHO reported a problem with “SUBJECT”. AMOUNT is held.")
        case .escalated:
            (
                "Delivery not confirmed",
                "The delivery of “SUBJECT” wasn’t confirmed in time. AMOUNT stays held until an administrator decides."
            )
        case .escalationToDecide:
            ("Decision needed", "The delivery of “SUBJECT” wasn’t confirmed in time. AMOUNT is held.")
        case .statementAdded: ("New statement", "WHO added a statement about “SUBJECT”. AMOUNT stays held.")
        case .decidedDeliveredForOwner:
            ("Decision: delivered", "An administrator decided that “SUBJECT” has arrived. WHO received AMOUNT.")
        case .decidedDeliveredForCarrier:
            ("Decision: delivered", "An administrator decided that “SUBJECT” has arrived. You received AMOUNT.")
        case .decidedRefunded:
            ("Decision: cancelled", "An administrator cancelled “SUBJECT”. AMOUNT is back in your wallet.")
        case .decidedLostForOwner:
            ("Decision: lost", "An administrator decided that “SUBJECT” is lost. You received AMOUNT.")
        case .decidedLostForCarrier:
            ("Decision: lost", "An administrator decided that “SUBJECT” is lost. Your deposit of AMOUNT went to WHO.")
        }
    }

    /// Title and text in German.
    var german: (title: String, text: String) {
        switch self {
        case .accepted: ("Lieferung angenommen", "WHO nimmt „SUBJECT“ mit. Dein Lohn von AMOUNT ist verwahrt.")
        case .offerLapsed:
            ("Abholfrist abgelaufen", "„SUBJECT“ wurde nicht rechtzeitig angenommen. Du hast AMOUNT zurück.")
        case .rewardNotFunded:
            (
                "Lohn nicht gedeckt",
                "Ein Träger wollte „SUBJECT“ mitnehmen, aber deine Geldbörse deckt den Lohn von AMOUNT nicht."
            )
        case .acceptanceCancelled:
            ("Lieferung abgebrochen", "WHO hat die Lieferung von „SUBJECT“ abgebrochen. Du hast AMOUNT zurück.")
        case .pickupLapsed:
            ("Abholfrist abgelaufen", "„SUBJECT“ wurde nicht rechtzeitig abgeholt. Du hast AMOUNT zurück.")
        case .pickedUp:
            ("Paket abgeholt", "„SUBJECT“ ist unterwegs. WHO hat die Abholung bestätigt. AMOUNT bleiben verwahrt.")
        case .deliveredToOwner: ("Paket zugestellt", "„SUBJECT“ ist da. WHO hat AMOUNT bekommen.")
        case .deliveredByCarrier:
            ("Paket zugestellt", "WHO hat die Zustellung von „SUBJECT“ bestätigt. Du hast AMOUNT bekommen.")
        case .deliveryReported:
            (
                "Zustellung bestätigen",
                "WHO sagt, „SUBJECT“ ist da. Bestätige es, um die verwahrten AMOUNT freizugeben, oder melde ein Problem."
            )
        case .cancellationRequested:
            (
                "Bitte um Abbruch",
                "WHO möchte die Lieferung von „SUBJECT“ abbrechen. Stimmst du zu, bekommst du AMOUNT zurück."
            )
        case .cancellationRetracted:
            (
                "Die Lieferung geht weiter",
                "WHO möchte die Lieferung von „SUBJECT“ nicht mehr abbrechen. AMOUNT bleiben verwahrt."
            )
        case .cancellationAgreed:
            (
                "Lieferung abgebrochen",
                "WHO hat dem Abbruch der Lieferung von „SUBJECT“ zugestimmt. Du hast AMOUNT zurück."
            )
        case .disputed:
            (
                "Problem gemeldet",
                "WHO hat ein Problem mit „SUBJECT“ gemeldet. AMOUNT bleiben verwahrt. Schildere deine Sicht, bevor ein Administrator entscheidet."
            )
        case .disputeToDecide:
            ("Entscheidung nötig", "WHO hat ein Problem mit „SUBJECT“ gemeldet. AMOUNT sind verwahrt.")
        case .escalated:
            (
                "Zustellung nicht bestätigt",
                "Die Zustellung von „SUBJECT“ wurde nicht rechtzeitig bestätigt. AMOUNT bleiben verwahrt, bis ein Administrator entscheidet."
            )
        case .escalationToDecide:
            (
                "Entscheidung nötig",
                "Die Zustellung von „SUBJECT“ wurde nicht rechtzeitig bestätigt. AMOUNT sind verwahrt."
            )
        case .statementAdded: ("Neue Stellungnahme", "WHO hat sich zu „SUBJECT“ geäußert. AMOUNT bleiben verwahrt.")
        case .decidedDeliveredForOwner:
            (
                "Entscheidung: zugestellt",
                "Ein Administrator hat entschieden: „SUBJECT“ ist da. WHO hat AMOUNT bekommen."
            )
        case .decidedDeliveredForCarrier:
            (
                "Entscheidung: zugestellt",
                "Ein Administrator hat entschieden: „SUBJECT“ ist da. Du hast AMOUNT bekommen."
            )
        case .decidedRefunded:
            ("Entscheidung: abgebrochen", "Ein Administrator hat „SUBJECT“ abgebrochen. Du hast AMOUNT zurück.")
        case .decidedLostForOwner:
            (
                "Entscheidung: verloren",
                "Ein Administrator hat entschieden: „SUBJECT“ ist verloren. Du hast AMOUNT bekommen."
            )
        case .decidedLostForCarrier:
            (
                "Entscheidung: verloren",
                "Ein Administrator hat entschieden: „SUBJECT“ ist verloren. Dein Pfand von AMOUNT ging an WHO."
            )
        }
    }
}

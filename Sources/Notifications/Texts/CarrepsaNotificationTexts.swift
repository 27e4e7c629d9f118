import Kernel

/// The texts of notifications about packages.
struct CarrepsaNotificationTexts: Sendable {
    let t: Translator

    /// An event of a package. Without an event, a text that depends only on the kind.
    func package(_ kind: NoticeKind, _ details: NotificationDetails) -> NotificationText {
        guard let event = details.packageEvent, event.kind == kind else { return plain(kind, details) }
        return PackageEventTexts(t: t).text(of: event, details)
    }

    private func plain(_ kind: NoticeKind, _ details: NotificationDetails) -> NotificationText {
        switch kind {
        case .packageAccepted: accepted(details)
        case .packagePickedUp: pickedUp(details)
        case .packageDelivered: delivered(details)
        case .packageDisputed: administration(details)
        default: NotificationText(kind.label(t), details.subject)
        }
    }

    private func accepted(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            t("Package accepted"),
            details.who.map { t("{who} will carry “{subject}”.", ["who": $0, "subject": subject]) }
                ?? t("A carrier accepted “{subject}”.", ["subject": subject]))
    }

    private func pickedUp(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            t("Package picked up"),
            details.who.map { t("“{subject}” is on its way with {who}.", ["subject": subject, "who": $0]) }
                ?? t("“{subject}” is on its way.", ["subject": subject]))
    }

    private func delivered(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            t("Package delivered"),
            details.who.map { t("“{subject}” has arrived, brought by {who}.", ["subject": subject, "who": $0]) }
                ?? t("“{subject}” has arrived.", ["subject": subject]))
    }

    /// A payment that an administrator recorded, with the note.
    func walletPayment(_ details: NotificationDetails) -> NotificationText {
        let values: KeyValuePairs = ["amount": details.amount, "note": details.subject]
        return details.isPayout
            ? NotificationText(t("Paid out"), t("{amount} was paid out of your wallet: {note}", values))
            : NotificationText(t("Topped up"), t("{amount} was added to your wallet: {note}", values))
    }

    /// The event is one of Carrepsa's `PayoutNotifier`.
    func payoutRequest(_ details: NotificationDetails) -> NotificationText {
        let values: KeyValuePairs = ["amount": details.amount, "subject": details.subject]
        return switch details.event {
        case "requested":
            NotificationText(
                t("Payout requested"),
                t("{subject} asks to be paid {amount}. Pay it, record it, or decline it.", values))
        case "withdrawn":
            NotificationText(t("Payout withdrawn"), t("{subject} no longer asks to be paid {amount}.", values))
        default: NotificationText(t("Payout declined"), t("Your payout of {amount} was declined: {subject}", values))
        }
    }

    /// A new offer on the way of a saved trip.
    func onTrip(_ details: NotificationDetails) -> NotificationText {
        NotificationText(
            t("A package on your way"),
            t(
                "A new offer on your trip {trip} pays {amount}.",
                // Notifications of the version before have the offer's title as their subject.
                ["trip": details.trip ?? details.subject, "amount": details.amount]))
    }

    /// A message of the owner or the carrier of a package.
    func message(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        let text: String? =
            switch details.content {
            case "picture": details.quote ?? t("Photo")
            case "place": details.quote ?? t("Position")
            default: details.quote
            }
        return NotificationText(
            t("{who} about “{subject}”", ["who": details.who ?? subject, "subject": subject]),
            text ?? t("New message"))
    }

    /// Administrators and messages. The event is one of Carrepsa's `MessageNotifier`.
    private func administration(_ details: NotificationDetails) -> NotificationText {
        let values: KeyValuePairs = ["subject": details.subject]
        return switch details.event {
        case "opened":
            NotificationText(
                t("Administrators can read your messages"),
                t("Until the dispute about “{subject}” is settled, administrators can read your messages.", values))
        case "reported":
            NotificationText(
                t("Message reported"),
                t("A message about “{subject}” was reported. Read it and decide what to do.", values))
        default: NotificationText(NoticeKind.packageDisputed.label(t), details.subject)
        }
    }

    /// The event is one of Carrepsa's `ReviewService`.
    func review(_ details: NotificationDetails) -> NotificationText {
        let values: KeyValuePairs = ["who": details.who ?? "", "subject": details.subject]
        return switch details.event {
        case "written":
            NotificationText(
                t("Review written"),
                t("{who} reviewed the delivery of “{subject}”. Write yours to read it.", values))
        case "replied":
            NotificationText(t("Reply to your review"), t("{who} replied to your review of “{subject}”.", values))
        default:
            NotificationText(t("Review written"), t("You can read {who}’s review of “{subject}” now.", values))
        }
    }

    func deadlineNear(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            t("Deadline near"),
            details.deadline == nil
                ? t("“{subject}” must be picked up soon.", ["subject": subject])
                : t("“{subject}” must be picked up by {time}.", ["subject": subject]),
            time: details.deadline)
    }
}

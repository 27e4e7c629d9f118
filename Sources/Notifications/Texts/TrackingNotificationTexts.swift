import Accounts
import Kernel

/// The texts of notifications about tracked items.
struct TrackingNotificationTexts: Sendable {
    let t: Translator

    func itemTooFar(_ details: NotificationDetails) -> NotificationText {
        let title =
            if let distance = details.distanceMetres.map({ DistanceText.of($0, t) }) {
                if let device = details.device {
                    t(
                        "{subject} is {distance} from your device ({device})",
                        [
                            "subject": details.subject, "distance": distance, "device": DeviceName.text(device, t),
                        ])
                } else {
                    t("{subject} is {distance} away", ["subject": details.subject, "distance": distance])
                }
            } else {
                t("{subject} is too far away", ["subject": details.subject])
            }
        return NotificationText(title, lastSeen(details), time: details.lastSeenAt)
    }

    private func lastSeen(_ details: NotificationDetails) -> String {
        switch (details.placeWords(t) ?? details.position, details.lastSeenAt) {
        case (let position?, _?): t("Last seen {time} at {position}.", ["position": position])
        case (let position?, nil): t("Last seen at {position}.", ["position": position])
        case (nil, _?): t("Last seen {time}.")
        case (nil, nil): ""
        }
    }

    func batteryLow(_ details: NotificationDetails) -> NotificationText {
        let title =
            if let percent = details.percent {
                t(
                    "The battery of {subject} is at {percent}\u{a0}%",
                    ["subject": details.subject, "percent": percent])
            } else {
                t("The battery of {subject} is low", ["subject": details.subject])
            }
        return NotificationText(title, t("Charge it soon. With an empty battery it can’t report its position."))
    }

    func itemSilent(_ details: NotificationDetails) -> NotificationText {
        let title =
            if let hours = details.silentHours {
                t(
                    "{subject} has not reported for {n} hour", plural: "{subject} has not reported for {n} hours",
                    count: hours, ["subject": details.subject])
            } else {
                t("{subject} does not report", ["subject": details.subject])
            }
        return NotificationText(title, lastSeen(details), time: details.lastSeenAt)
    }

    func itemArrived(_ details: NotificationDetails) -> NotificationText {
        NotificationText(
            t("{subject} arrived at {place}", ["subject": details.subject, "place": details.rulePlace]),
            details.crossedAt == nil ? "" : t("Arrived {time}."), time: details.crossedAt)
    }

    func itemLeft(_ details: NotificationDetails) -> NotificationText {
        NotificationText(
            t("{subject} left {place}", ["subject": details.subject, "place": details.rulePlace]),
            details.crossedAt == nil ? "" : t("Left {time}."), time: details.crossedAt)
    }

    func itemNotArrived(_ details: NotificationDetails) -> NotificationText {
        NotificationText(
            t(
                "{subject} wasn’t at {place} by {clock}",
                ["subject": details.subject, "place": details.rulePlace, "clock": details.by]),
            lastSeen(details), time: details.lastSeenAt)
    }

    func itemMoved(_ details: NotificationDetails) -> NotificationText {
        let title =
            if let distance = details.distanceMetres.map({ DistanceText.of($0, t) }) {
                t(
                    "{subject} is {distance} from where it was parked",
                    ["subject": details.subject, "distance": distance])
            } else {
                t("{subject} is not where it was parked", ["subject": details.subject])
            }
        return NotificationText(title, lastSeen(details), time: details.lastSeenAt)
    }

    /// A tracker didn't confirm a switch in time, or did so late. The outcome is a `SwitchOutcome` of Tracking.
    func switchNotConfirmed(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return switch details.outcome {
        case "stillOn":
            NotificationText(
                t("{subject} is still on", ["subject": subject]),
                t(
                    """
                    The tracker did not confirm in time that it turned off. Alerts stay on. Try turning it off again.
                    """))
        case "stillOff":
            NotificationText(
                t("{subject} is still off", ["subject": subject]),
                t(
                    """
                    The tracker did not confirm in time that it turned on. There are no alerts. Try turning it on \
                    again.
                    """))
        case "onLate":
            NotificationText(
                t("{subject} is on now", ["subject": subject]), t("The tracker turned on late. Alerts are on."))
        case "offLate":
            NotificationText(
                t("{subject} is off now", ["subject": subject]),
                t("The tracker turned off late. There are no alerts while it is off."))
        default:
            NotificationText(
                t("{subject} was not switched", ["subject": subject]), t("The tracker did not confirm in time."))
        }
    }

    /// A finder wrote about an item. The words themselves are only on the item's page.
    func itemFound(_ details: NotificationDetails) -> NotificationText {
        let title = t("A finder wrote about {subject}", ["subject": details.subject])
        guard let position = details.position else {
            return NotificationText(title, t("Open the item to read the message and reply."))
        }
        return NotificationText(
            title, t("It was found at {position}. Open the item to read the message and reply.", ["position": position])
        )
    }

    func itemReturned(_ details: NotificationDetails) -> NotificationText {
        NotificationText(
            t("{subject} is back", ["subject": details.subject]),
            t("It is near its owner’s phone, so lost mode is off. Finders see no message any more."))
    }

    func liveLinkMet() -> NotificationText {
        NotificationText(t("You met"), t("The live link has ended. The recipient no longer sees the position."))
    }

    func historyFull(_ details: NotificationDetails) -> NotificationText {
        details.percent == "100"
            ? NotificationText(
                t("Your history is full"),
                t(
                    """
                    New positions are refused, so there are no alerts. Keep positions for fewer days, or delete an item.
                    """))
            : NotificationText(
                t("Your history is nearly full"),
                t("When it is full, new positions are refused. Keep positions for fewer days, or delete an item."))
    }

    /// The people of an item changed. The event is one of Tracking's `ItemSharingNotifier`.
    func itemShared(_ details: NotificationDetails) -> NotificationText {
        let names: KeyValuePairs = ["who": details.who ?? "", "subject": details.subject]
        return switch details.event {
        case "shared": NotificationText(t("{who} shares {subject} with you", names), may(details.access))
        case "joined":
            NotificationText(t("{who} can see {subject} now", names), t("Open the item to see everyone who can."))
        case "changed":
            NotificationText(t("{who} changed what you may do with {subject}", names), may(details.access))
        case "removed":
            NotificationText(t("{who} no longer shares {subject} with you", names), "")
        case "left":
            NotificationText(t("{who} can no longer see {subject}", names), "")
        case "linked":
            NotificationText(
                t("{who} shares {subject} by a live link", names),
                t("Open the item to see until when, or to revoke the link."))
        case "unlinked":
            NotificationText(t("{who} revoked your live link to {subject}", names), "")
        default: NotificationText(t("{who} deleted {subject}", names), t("It was shared with you."))
        }
    }

    private func may(_ access: String?) -> String {
        switch access {
        case "manage": t("You can see it, locate it, turn it on and off, share it, and look after it when it is lost.")
        case "locate": t("You can see it, locate it and make it ring.")
        default: t("You can see it.")
        }
    }
}

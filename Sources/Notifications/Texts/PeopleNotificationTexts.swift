import Kernel

/// The texts of notifications about the positions of people.
struct PeopleNotificationTexts: Sendable {
    let t: Translator

    /// The event is one of Tracking's `PositionShareNotifier`.
    func positionShared(_ details: NotificationDetails) -> NotificationText {
        let names: KeyValuePairs = ["who": details.who ?? "", "place": details.rulePlace]
        return switch details.event {
        case "shared":
            NotificationText(
                t("{who} shares their position with you", names), details.until == nil ? "" : t("Until {time}."),
                time: details.until)
        case "asked":
            NotificationText(
                t("{who} asks where you are", names), t("You decide. Open the page to share your position or decline."))
        case "declined": NotificationText(t("{who} declined to share their position", names), "")
        case "expired":
            NotificationText(
                t("You no longer share your position with {who}", names), t("The time that you chose is over."))
        case "stopped": NotificationText(t("You no longer share your position with {who}", names), "")
        case "ruleSet":
            NotificationText(
                t("{who} has a rule about you", names),
                Self.joined(rule(details.rule, names), t("You see the rule on your page and can end it.")))
        case "ruleEnded": NotificationText(t("{who} ended your rule about {place}", names), "")
        default: NotificationText(t("{who} no longer shares their position with you", names), "")
        }
    }

    private func rule(_ kind: String?, _ names: KeyValuePairs<String, String>) -> String {
        switch kind {
        case "arrive": t("{who} is notified when you arrive at {place}.", names)
        case "leave": t("{who} is notified when you leave {place}.", names)
        default: t("{who} is notified when you aren’t at {place} in time.", names)
        }
    }

    private static func joined(_ first: String, _ second: String) -> String { "\(first) \(second)" }

    func personCrossed(_ details: NotificationDetails) -> NotificationText {
        let names: KeyValuePairs = ["subject": details.subject, "place": details.rulePlace, "clock": details.by]
        return switch details.event {
        case "arrived":
            NotificationText(
                t("{subject} arrived at {place}", names), details.crossedAt == nil ? "" : t("Arrived {time}."),
                time: details.crossedAt)
        case "left":
            NotificationText(
                t("{subject} left {place}", names), details.crossedAt == nil ? "" : t("Left {time}."),
                time: details.crossedAt)
        default:
            NotificationText(
                t("{subject} wasn’t at {place} by {clock}", names),
                details.lastSeenAt == nil ? "" : t("Last seen {time}."), time: details.lastSeenAt)
        }
    }
}

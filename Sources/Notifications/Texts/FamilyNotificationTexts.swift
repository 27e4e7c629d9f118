import Accounts
import Kernel

/// The texts of notifications about a household.
struct FamilyNotificationTexts: Sendable {
    let t: Translator

    /// The label of a button that gives points.
    func points(_ count: Int) -> String { t("{n} point", plural: "{n} points", count: count) }

    /// The text of the message after such a button failed.
    var pointsFailure: String { t("Perhaps no points were given. Open this to check the request.") }

    // MARK: Points and rewards

    func choreAssigned(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            details.points.map {
                t("{subject}: {n} point", plural: "{subject}: {n} points", count: $0, ["subject": subject])
            }
                ?? subject,
            details.child.map { t("Well done, {child}!", ["child": $0]) } ?? t("Well done!"))
    }

    func choreCounted(_ details: NotificationDetails) -> NotificationText {
        let body =
            if let child = details.child {
                t("{child} got the points automatically because no parent decided in time.", ["child": child])
            } else {
                t("The points were given automatically because no parent decided in time.")
            }
        return NotificationText(choreAssigned(details).title, body)
    }

    func levelReached(_ details: NotificationDetails) -> NotificationText {
        let body =
            switch (details.child, details.reward) {
            case (let child?, let reward?): t("{child} has earned: {reward}", ["child": child, "reward": reward])
            case (nil, let reward?): t("Earned: {reward}", ["reward": reward])
            case (_, nil): details.subject
            }
        return NotificationText(
            details.level.map { t("Level {n} is reached", ["n": $0]) } ?? t("A level is reached"), body)
    }

    func choreRequested(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            details.child.map { t("{child} has done “{subject}”", ["child": $0, "subject": subject]) }
                ?? t("A chore waits for points"),
            t("Give 1, 2 or 3 points for “{subject}”, or decline.", ["subject": subject]))
    }

    func choreDeclined(_ details: NotificationDetails) -> NotificationText {
        let body =
            switch (details.who, details.reason) {
            case (let who?, let reason?): t("{who}: {reason}", ["who": who, "reason": reason])
            case (nil, let reason?): reason
            case (let who?, nil): t("{who} declined your request.", ["who": who])
            case (nil, nil): t("Your request was declined.")
            }
        return NotificationText(t("No points for “{subject}”", ["subject": details.subject]), body)
    }

    func pointsUndone(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        let title =
            if let points = details.points {
                t(
                    "“{subject}”: {n} point taken back", plural: "“{subject}”: {n} points taken back", count: points,
                    ["subject": subject])
            } else {
                t("“{subject}”: points taken back", ["subject": subject])
            }
        return NotificationText(title, details.who.map { t("Undone by {who}.", ["who": $0]) } ?? "")
    }

    func contractAdded(_ details: NotificationDetails) -> NotificationText {
        NotificationText(
            t("You have a new contract"),
            details.reward.map { t("Your first reward: {reward}", ["reward": $0]) }
                ?? t("Open your page to see your rewards."))
    }

    func rewardBought(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        let title =
            details.child.map { t("{child} buys “{subject}”", ["child": $0, "subject": subject]) }
            ?? t("A child buys “{subject}”", ["subject": subject])
        let price = details.points.map { t("{n} point", plural: "{n} points", count: $0) } ?? ""
        return NotificationText(
            title,
            details.step == "waiting"
                ? t("Approve or decline it: {points}.", ["points": price])
                : t("It needs no approval: {points}.", ["points": price]))
    }

    func goalReached(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            t("Enough points for “{subject}”", ["subject": subject]),
            details.isYou
                ? t("You have reached your saving goal.")
                : details.child.map { t("{child} has reached the saving goal.", ["child": $0]) } ?? "")
    }

    func wishAdded(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            details.child.map { t("{child} wishes for “{subject}”", ["child": $0, "subject": subject]) }
                ?? t("A child wishes for “{subject}”", ["subject": subject]),
            t("Add it to the shop with a price, or decline."))
    }

    /// A parent's decision on a wish.
    func wishDecided(_ details: NotificationDetails) -> NotificationText {
        let values: KeyValuePairs = ["subject": details.subject, "who": actor(details)]
        return details.step == "granted"
            ? NotificationText(t("Your wish “{subject}” is in the shop", values), t("{who} added it.", values))
            : NotificationText(t("Your wish “{subject}” was declined", values), t("{who} decided this.", values))
    }

    /// A parent's decision on a purchase.
    func purchaseDecided(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        let who = details.who ?? t("Someone")
        let back =
            details.points.map { t("You got {n} point back.", plural: "You got {n} points back.", count: $0) } ?? ""
        return switch details.step {
        case "approved":
            NotificationText(t("“{subject}” is yours", ["subject": subject]), t("{who} said yes.", ["who": who]))
        case "declined":
            NotificationText(
                t("{who} declined “{subject}”", ["who": who, "subject": subject]),
                details.reason.map { t("“{reason}” {text}", ["reason": $0, "text": back]) } ?? back)
        default: NotificationText(t("{who} took “{subject}” back", ["who": who, "subject": subject]), back)
        }
    }

    // MARK: Parents

    func parentJoined(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        let body =
            if let who = details.who {
                t(
                    "{who} sent the invitation. {subject} can now see your children and chores.",
                    ["who": who, "subject": subject])
            } else {
                t("{subject} can now see your children and chores.", ["subject": subject])
            }
        return NotificationText(t("{subject} joined your family", ["subject": subject]), body)
    }

    func parentLeft(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return details.isYou
            ? NotificationText(
                t("You left your family"),
                t("Wasn’t this you? Choose a new password, and ask a parent for an invitation."))
            : NotificationText(
                t("{subject} left your family", ["subject": subject]),
                t("{subject} can no longer see your children and chores.", ["subject": subject]))
    }

    /// A step of the removal of a parent.
    func parentRemoval(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return switch details.step {
        case "announced": removalAnnounced(details)
        case "withdrawn":
            NotificationText(
                t("{subject} stays in the family", ["subject": subject]),
                t("{who} withdrew the removal.", ["who": actor(details)]))
        case "refused":
            NotificationText(
                t("{subject} refuses the removal", ["subject": subject]),
                t("{subject} stays in the family.", ["subject": subject]))
        case "removed" where details.isYou:
            NotificationText(
                t("You were removed from the family"), t("You can no longer see its children and chores."))
        case "removed":
            NotificationText(
                t("{subject} was removed from the family", ["subject": subject]),
                t("Check on which devices your children are signed in."))
        default: NotificationText(t("The removal of a parent changed"), "")
        }
    }

    private func removalAnnounced(_ details: NotificationDetails) -> NotificationText {
        let values: KeyValuePairs = ["subject": details.subject, "who": actor(details)]
        let title =
            details.isYou
            ? t("{who} wants to remove you from the family", values) : t("{who} wants to remove {subject}", values)
        guard let until = details.until else { return NotificationText(title, "") }
        let body =
            details.isYou
            ? t("You leave the family on {time}. You can refuse until then.")
            : t(
                "{subject} leaves the family on {time}, unless {subject} refuses or a parent withdraws this.", values)
        return NotificationText(title, body, time: until)
    }

    // MARK: Whose turn it is

    /// A step of a swap, or a chore that a parent gave to a child.
    func choreTurn(_ details: NotificationDetails) -> NotificationText {
        let values: KeyValuePairs = [
            "subject": details.subject, "who": actor(details), "child": details.child ?? actor(details),
            "date": details.date.map(t.date) ?? "",
        ]
        return switch details.step {
        case "asked":
            NotificationText(
                t("{who} wants to swap with you", values), t("{who} would do “{subject}” for you.", values))
        case "accepted":
            NotificationText(
                t("{child} and {who} want to swap", values),
                t("It’s about “{subject}”. A parent decides.", values))
        case "declined":
            NotificationText(t("Swap declined: {subject}", values), t("{who} doesn’t want to swap.", values))
        case "bounty":
            NotificationText(
                details.points.map {
                    t("Bounty: {subject}, {n} point", plural: "Bounty: {subject}, {n} points", count: $0, values)
                } ?? t("Bounty: {subject}", values),
                t("The first child to claim it does it."))
        case "skipped":
            NotificationText(t("Not due: {subject}", values), t("It isn’t due on {date}. {who} skipped it.", values))
        case "unskipped":
            NotificationText(t("Due again: {subject}", values), t("It is due on {date} after all.", values))
        case "passed":
            NotificationText(
                t("It’s your turn: {subject}", values),
                t("It’s your turn on {date}, because another child can’t do it.", values))
        case "dropped":
            NotificationText(
                t("No longer your turn: {subject}", values),
                t("It was your turn on {date}. {who} changed this.", values))
        case "freed":
            NotificationText(
                t("Can be claimed again: {subject}", values), t("The first child to claim it does it."))
        case "ended":
            NotificationText(
                t("Swap ended: {subject}", values),
                t("{who} changed something, so one of the two turns is no longer the same.", values))
        case "swapped":
            NotificationText(t("It’s your turn: {subject}", values), t("{who} agreed to the swap.", values))
        default:
            NotificationText(t("It’s your turn: {subject}", values), t("{who} gave you this chore.", values))
        }
    }

    /// A reminder.
    func choreDue(_ details: NotificationDetails) -> NotificationText {
        let subject: KeyValuePairs = ["subject": details.subject, "child": details.child ?? ""]
        guard details.step == "overdue" else {
            return NotificationText(
                t("Due soon: {subject}", subject), details.until == nil ? "" : t("Due by {time}."), time: details.until)
        }
        return NotificationText(
            details.child == nil
                ? t("“{subject}” isn’t done yet", subject) : t("{child}: “{subject}” isn’t done yet", subject),
            details.until == nil ? "" : t("It was due by {time}."), time: details.until)
    }

    /// The summary of a child's week.
    func weekReviewed(_ details: NotificationDetails) -> NotificationText {
        let subject = details.subject
        return NotificationText(
            details.points.map {
                t(
                    "{child}: {n} point last week", plural: "{child}: {n} points last week", count: $0,
                    ["child": subject])
            } ?? t("{child}: last week", ["child": subject]),
            details.chores.map { t("{n} chore done", plural: "{n} chores done", count: $0) } ?? "")
    }

    /// A step of a pause.
    func chorePause(_ details: NotificationDetails) -> NotificationText {
        let who = actor(details)
        let child = details.child
        if details.step == "planned" {
            return NotificationText(
                child.map { t("A pause for {child} is planned", ["child": $0]) }
                    ?? t("A pause for the family is planned"),
                details.until == nil ? "" : t("No chores from {time}."), time: details.until)
        }
        if details.step == "removed" {
            return NotificationText(
                child.map { t("No pause for {child}", ["child": $0]) } ?? t("No pause for the family"),
                t("{who} removed the pause.", ["who": who]))
        }
        guard details.step == "begun" else {
            return NotificationText(
                child.map { t("{child}: chores are due again", ["child": $0]) } ?? t("Chores are due again"),
                t("{who} ended the pause.", ["who": who]))
        }
        return NotificationText(
            child.map { t("No chores for {child}", ["child": $0]) } ?? t("No chores for the family"),
            details.until == nil
                ? t("{who} planned a pause. It lasts until a parent ends it.", ["who": who])
                : t("{who} planned a pause until {time}.", ["who": who]),
            time: details.until)
    }

    // MARK: Children

    func signInCodeMade(_ details: NotificationDetails) -> NotificationText {
        let title =
            if let who = details.who, let child = details.child {
                t("{who} created a sign-in code for {child}", ["who": who, "child": child])
            } else {
                t("A sign-in code was created")
            }
        return NotificationText(title, t("A device can sign in with it for a few minutes."))
    }

    func childSignedIn(_ details: NotificationDetails) -> NotificationText {
        if details.step == "tablet" {
            return NotificationText(
                t("A shared tablet was paired"),
                t(
                    "{device}. It shows the day of all children. Open this to remove it.",
                    ["device": DeviceName.text(details.subject, t)]))
        }
        return NotificationText(
            t("A device signed in as {subject}", ["subject": details.subject]),
            details.device.map { t("{device}. Open this to sign it out.", ["device": DeviceName.text($0, t)]) }
                ?? t("Open this to sign it out."))
    }

    /// A step of the deletion of a child.
    func childDeletion(_ details: NotificationDetails) -> NotificationText {
        let values: KeyValuePairs = ["subject": details.subject, "who": actor(details)]
        return switch details.step {
        case "deleted":
            NotificationText(
                t("{who} deleted {subject}", values),
                details.until == nil ? "" : t("You can restore {subject} until {time}.", values), time: details.until)
        case "restored":
            NotificationText(
                t("{subject} is back", values),
                t("{who} restored {subject}. All points and rewards are as before.", values))
        case "erased":
            NotificationText(t("{who} erased {subject}", values), t("{subject} can’t be restored.", values))
        default: NotificationText(t("A child was deleted or restored"), "")
        }
    }

    /// The name of the person who acted; a person without a name if the account was deleted.
    private func actor(_ details: NotificationDetails) -> String { details.who ?? t("Someone") }
}

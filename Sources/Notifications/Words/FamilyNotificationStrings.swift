import Kernel

/// The sentences of a household's notifications in one language. Words in capitals are placeholders.
struct FamilyNotificationStrings: Sendable {
    let requested: (title: String, plain: String, body: String, action: String)
    let declined: (title: String, reason: String, by: String, plain: String)
    let undone: (title: String, onePoint: String, plain: String, by: String)
    let contract: (title: String, reward: String, plain: String)
    let joined: (title: String, by: String, plain: String)
    let left: (title: String, body: String)
    let youLeft: (title: String, body: String)
    let removalAnnounced: (title: String, body: String)
    let removalOfYouAnnounced: (title: String, body: String)
    let removalWithdrawn: (title: String, body: String)
    let removalRefused: (title: String, body: String)
    let removed: (title: String, body: String)
    let youRemoved: (title: String, body: String)
    let removalPlain: String
    let codeMade: (title: String, plain: String, body: String)
    let childSignedIn: (title: String, by: String, body: String)
    let childDeleted: (title: String, body: String)
    let childRestored: (title: String, body: String)
    let childErased: (title: String, body: String)
    let deletionPlain: String

    static let english = FamilyNotificationStrings(
        requested: (
            "CHILD has done “SUBJECT”", "A chore waits for points",
            "Give 1, 2 or 3 points for “SUBJECT”, or decline.", "Give points"
        ),
        declined: (
            "No points for “SUBJECT”", "WHO: REASON", "WHO declined your request.", "Your request was declined."
        ),
        undone: (
            "“SUBJECT”: POINTS points taken back", "“SUBJECT”: 1 point taken back", "“SUBJECT”: points taken back",
            "Undone by WHO."
        ),
        contract: ("You have a new contract", "Your first reward: REWARD", "Open your page to see your rewards."),
        joined: (
            "SUBJECT joined your family", "WHO sent the invitation. SUBJECT can now see your children and chores.",
            "SUBJECT can now see your children and chores."
        ),
        left: ("SUBJECT left your family", "SUBJECT can no longer see your children and chores."),
        youLeft: (
            "You left your family", "Wasn't this you? Choose a new password, and ask a parent for an invitation."
        ),
        removalAnnounced: (
            "WHO wants to remove SUBJECT",
            "SUBJECT leaves the family on \(NotificationText.timeMark), unless SUBJECT refuses or a parent withdraws this."
        ),
        removalOfYouAnnounced: (
            "WHO wants to remove you from the family",
            "You leave the family on \(NotificationText.timeMark). You can refuse until then."
        ),
        removalWithdrawn: ("SUBJECT stays in the family", "WHO withdrew the removal."),
        removalRefused: ("SUBJECT refuses the removal", "SUBJECT stays in the family."),
        removed: ("SUBJECT was removed from the family", "Check on which devices your children are signed in."),
        youRemoved: ("You were removed from the family", "You can no longer see its children and chores."),
        removalPlain: "The removal of a parent changed",
        codeMade: (
            "WHO created a sign-in code for CHILD", "A sign-in code was created",
            "A device can sign in with it for a few minutes."
        ),
        childSignedIn: (
            "A device signed in as SUBJECT", "DEVICE. Open this to sign it out.", "Open this to sign it out."
        ),
        childDeleted: ("WHO deleted SUBJECT", "You can restore SUBJECT until \(NotificationText.timeMark)."),
        childRestored: ("SUBJECT is back", "WHO restored SUBJECT. All points and rewards are as before."),
        childErased: ("WHO erased SUBJECT", "SUBJECT can’t be restored."),
        deletionPlain: "A child was deleted or restored"
    )

    static let german = FamilyNotificationStrings(
        requested: (
            "CHILD hat „SUBJECT“ erledigt", "Eine Aufgabe wartet auf Punkte",
            "Gib 1, 2 oder 3 Punkte für „SUBJECT“ oder lehne ab.", "Punkte geben"
        ),
        declined: (
            "Keine Punkte für „SUBJECT“", "WHO: REASON", "WHO hat deine Anfrage abgelehnt.",
            "Deine Anfrage wurde abgelehnt."
        ),
        undone: (
            "„SUBJECT“: POINTS Punkte zurückgenommen", "„SUBJECT“: 1 Punkt zurückgenommen",
            "„SUBJECT“: Punkte zurückgenommen", "Zurückgenommen von WHO."
        ),
        contract: (
            "Du hast einen neuen Vertrag", "Deine erste Belohnung: REWARD",
            "Öffne deine Seite, um deine Belohnungen zu sehen."
        ),
        joined: (
            "SUBJECT ist jetzt in deiner Familie",
            "WHO hat die Einladung verschickt. SUBJECT kann jetzt eure Kinder und Aufgaben sehen.",
            "SUBJECT kann jetzt eure Kinder und Aufgaben sehen."
        ),
        left: ("SUBJECT hat deine Familie verlassen", "SUBJECT sieht eure Kinder und Aufgaben nicht mehr."),
        youLeft: (
            "Du hast deine Familie verlassen",
            "Warst du das nicht? Wähle ein neues Passwort und bitte einen Elternteil um eine Einladung."
        ),
        removalAnnounced: (
            "WHO will SUBJECT entfernen",
            "SUBJECT verlässt die Familie am \(NotificationText.timeMark), außer SUBJECT widerspricht oder ein Elternteil nimmt "
                + "es zurück."
        ),
        removalOfYouAnnounced: (
            "WHO will dich aus der Familie entfernen",
            "Du verlässt die Familie am \(NotificationText.timeMark). Bis dahin kannst du widersprechen."
        ),
        removalWithdrawn: ("SUBJECT bleibt in der Familie", "WHO hat das Entfernen zurückgenommen."),
        removalRefused: ("SUBJECT widerspricht dem Entfernen", "SUBJECT bleibt in der Familie."),
        removed: (
            "SUBJECT wurde aus der Familie entfernt", "Prüfe, auf welchen Geräten deine Kinder angemeldet sind."
        ),
        youRemoved: ("Du wurdest aus der Familie entfernt", "Du siehst ihre Kinder und Aufgaben nicht mehr."),
        removalPlain: "Das Entfernen eines Elternteils hat sich geändert",
        codeMade: (
            "WHO hat einen Anmeldecode für CHILD erstellt", "Ein Anmeldecode wurde erstellt",
            "Ein Gerät kann sich damit einige Minuten lang anmelden."
        ),
        childSignedIn: (
            "Ein Gerät hat sich als SUBJECT angemeldet", "DEVICE. Hier kannst du es abmelden.",
            "Hier kannst du es abmelden."
        ),
        childDeleted: (
            "WHO hat SUBJECT gelöscht", "Du kannst SUBJECT bis \(NotificationText.timeMark) wiederherstellen."
        ),
        childRestored: (
            "SUBJECT ist wieder da", "WHO hat SUBJECT wiederhergestellt. Punkte und Belohnungen sind wie zuvor."
        ),
        childErased: ("WHO hat SUBJECT endgültig gelöscht", "SUBJECT lässt sich nicht wiederherstellen."),
        deletionPlain: "Ein Kind wurde gelöscht oder wiederhergestellt"
    )
}

extension NotificationTextBuilder {
    /// Returns the text of a Family notification; `nil` for a kind of another app.
    func familyText(of notice: Notice) -> NotificationText? {
        let words = sentences.family
        let details = notice.details
        let fill = { (sentence: String) in self.filled(sentence, notice) }
        switch notice.kind {
        case .choreRequested:
            return NotificationText(
                fill(details["child"] == nil ? words.requested.plain : words.requested.title),
                fill(words.requested.body))
        case .choreDeclined:
            let body =
                switch (details["who"], details["reason"]) {
                case (_?, _?): words.declined.reason
                case (nil, _?): "REASON"
                case (_?, nil): words.declined.by
                case (nil, nil): words.declined.plain
                }
            return NotificationText(fill(words.declined.title), fill(body))
        case .pointsUndone:
            let title =
                switch details["points"] {
                case nil: words.undone.plain
                case "1": words.undone.onePoint
                default: words.undone.title
                }
            return NotificationText(fill(title), details["who"] == nil ? "" : fill(words.undone.by))
        case .contractAdded:
            return NotificationText(
                words.contract.title, fill(details["reward"] == nil ? words.contract.plain : words.contract.reward))
        case .parentJoined:
            return NotificationText(
                fill(words.joined.title), fill(details["who"] == nil ? words.joined.plain : words.joined.by))
        case .parentLeft:
            let (title, body) = details["isYou"] == "true" ? words.youLeft : words.left
            return NotificationText(fill(title), fill(body))
        case .parentRemoval: return removalText(of: notice)
        case .signInCodeMade:
            let isNamed = details["who"] != nil && details["child"] != nil
            return NotificationText(fill(isNamed ? words.codeMade.title : words.codeMade.plain), words.codeMade.body)
        case .childSignedIn:
            return NotificationText(
                fill(words.childSignedIn.title),
                fill(details["device"] == nil ? words.childSignedIn.body : words.childSignedIn.by))
        case .childDeletion: return deletionText(of: notice)
        default: return nil
        }
    }

    /// Returns a text whose body may contain the time until which the event can be undone.
    private func textWithTime(_ title: String, _ body: String, of notice: Notice) -> NotificationText {
        NotificationText(
            filled(title, notice), filled(body, notice), time: notice.details["until"].flatMap { Instant(rfc3339: $0) })
    }

    private func deletionText(of notice: Notice) -> NotificationText {
        let words = sentences.family
        let (title, body): (String, String)
        switch notice.details["step"] {
        case "deleted": (title, body) = words.childDeleted
        case "restored": (title, body) = words.childRestored
        case "erased": (title, body) = words.childErased
        default: (title, body) = (words.deletionPlain, "")
        }
        return textWithTime(title, body, of: notice)
    }

    private func removalText(of notice: Notice) -> NotificationText {
        let words = sentences.family
        let isYou = notice.details["isYou"] == "true"
        let (title, body): (String, String)
        switch notice.details["step"] {
        case "announced": (title, body) = isYou ? words.removalOfYouAnnounced : words.removalAnnounced
        case "withdrawn": (title, body) = words.removalWithdrawn
        case "refused": (title, body) = words.removalRefused
        case "removed": (title, body) = isYou ? words.youRemoved : words.removed
        default: (title, body) = (words.removalPlain, "")
        }
        return textWithTime(title, body, of: notice)
    }
}

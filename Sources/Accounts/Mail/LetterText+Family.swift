package import Kernel
package import Storage

/// How a parent's place in a family ended.
package enum FamilyDeparture: Sendable {
    /// The parent left.
    case left
    /// Another parent removed them.
    case removed
}

extension AccountService {
    /// Queues a security notice to a parent who left a family or was removed from it.
    package func postFamilyNotice(
        _ departure: FamilyDeparture, to person: PersonID, now: Instant, in tx: Transaction
    ) throws {
        guard let account = try AccountStore.account(person, in: tx) else { return }
        try postNotice(.familyLeft(departure), to: account, now: now, in: tx)
    }
}

extension LetterText {
    /// To a parent who left a family, or was removed from it.
    func familyLeft(_ departure: FamilyDeparture) -> MailText {
        switch departure {
        case .left:
            isGerman
                ? MailText(
                    subject: "Du hast deine Familie verlassen",
                    body: """
                        du hast bei Homeward deine Familie verlassen. Du siehst ihre Kinder, Aufgaben und Punkte nicht mehr.

                        Warst du das nicht? Dann wähle ein neues Passwort und bitte einen Elternteil der Familie um eine \
                        Einladung.
                        """
                )
                : MailText(
                    subject: "You left your family",
                    body: """
                        you left your family at Homeward. You no longer see its children, chores and points.

                        Wasn't this you? Then choose a new password, and ask a parent of the family for an invitation.
                        """
                )
        case .removed:
            isGerman
                ? MailText(
                    subject: "Du wurdest aus deiner Familie entfernt",
                    body: """
                        du wurdest bei Homeward aus deiner Familie entfernt. Du siehst ihre Kinder, Aufgaben und Punkte \
                        nicht mehr.

                        Ist das ein Irrtum? Dann wende dich an die Eltern der Familie. Benutzt vielleicht jemand \
                        anderes das Konto eines Elternteils? Dann wende dich auch an den Administrator dieses Servers.
                        """
                )
                : MailText(
                    subject: "You were removed from your family",
                    body: """
                        you were removed from your family at Homeward. You no longer see its children, chores and points.

                        Is this a mistake? Then contact the parents of the family. If someone else may be using a \
                        parent's account, contact the administrator of this server too.
                        """
                )
        }
    }
}

extension EmailText {
    /// The text for a parent about an event of the family.
    func family(_ notice: FamilyNotice, siteURL: String) -> MailText {
        switch notice {
        case .childDeleted:
            isGerman
                ? MailText(
                    subject: "Ein Kind deiner Familie wurde gelöscht",
                    body: """
                        ein Elternteil hat bei Homeward ein Kind deiner Familie gelöscht. 7 Tage lang könnt ihr es mit allen \
                        Punkten wiederherstellen:

                        \(siteURL)/family/deleted-children

                        War das keiner von euch? Dann sollte jeder Elternteil ein neues Passwort wählen und dabei die \
                        Geräte der Kinder abmelden.
                        """
                )
                : MailText(
                    subject: "A child of your family was deleted",
                    body: """
                        A parent deleted a child of your family at Homeward. For 7 days you can restore the child with all \
                        points:

                        \(siteURL)/family/deleted-children

                        Wasn't this one of you? Then each parent should choose a new password and sign out the \
                        children's devices.
                        """
                )
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
                        You left your family at Homeward. You no longer see its children, chores and points.

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
                        You were removed from your family at Homeward. You no longer see its children, chores and points.

                        Is this a mistake? Then contact the parents of the family. If someone else may be using a \
                        parent's account, contact the administrator of this server too.
                        """
                )
        }
    }
}

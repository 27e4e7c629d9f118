/// Security notices, and the mails of a change of the email.
extension LetterText {
    /// To the new address.
    func emailChange(to: String, name: String, url: String) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Bestätige deine neue E-Mail-Adresse",
                body: """
                    Hallo \(name),

                    mit diesem Link bestätigst du diese Adresse für dein Konto bei Homeward. Bis dahin gilt die bisherige. \
                    Der Link gilt einen Tag:

                    \(url)

                    Warst du das nicht? Dann brauchst du nichts zu tun.
                    """
            )
            : Letter(
                to: to, subject: "Confirm your new email address",
                body: """
                    Hello \(name),

                    this link confirms this address for your account at Homeward. Until then the previous one is used. \
                    The link works for a day:

                    \(url)

                    Wasn't this you? Then there is nothing to do.
                    """
            )
    }

    /// To the present address, when another one was entered.
    /// - Parameter undoURL: `nil` where the present address was never confirmed.
    func emailChangeRequested(to: String, name: String, undoURL: String?) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Deine E-Mail-Adresse soll geändert werden",
                body: """
                    Hallo \(name),

                    für dein Konto bei Homeward wurde eine andere E-Mail-Adresse eingegeben. Sie gilt, sobald sie \
                    bestätigt ist.

                    \(protection(undoURL))
                    """
            )
            : Letter(
                to: to, subject: "Your email address is about to change",
                body: """
                    Hello \(name),

                    another email address was entered for your account at Homeward. It is used once it is confirmed.

                    \(protection(undoURL))
                    """
            )
    }

    /// To the old address, when the new one counts.
    func emailChanged(to: String, name: String, undoURL: String?) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Deine E-Mail-Adresse wurde geändert",
                body: """
                    Hallo \(name),

                    dein Konto bei Homeward hat jetzt eine andere E-Mail-Adresse als diese.

                    \(protection(undoURL))
                    """
            )
            : Letter(
                to: to, subject: "Your email address was changed",
                body: """
                    Hello \(name),

                    your account at Homeward now has another email address than this one.

                    \(protection(undoURL))
                    """
            )
    }

    func passkeyAdded(to: String, name: String, device: String) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Ein neuer Passkey",
                body: """
                    Hallo \(name),

                    bei deinem Konto bei Homeward kannst du dich jetzt mit einem neuen Passkey anmelden (\(device)).

                    Warst du das nicht? Dann wähle ein neues Passwort und lass dabei die Passkeys entfernen.
                    """
            )
            : Letter(
                to: to, subject: "A new passkey",
                body: """
                    Hello \(name),

                    you can now sign in to your account at Homeward with a new passkey (\(device)).

                    Wasn't this you? Then choose a new password, and have the passkeys removed with it.
                    """
            )
    }

    /// In place of a link for a new password, to an address that was never confirmed.
    func resetUnconfirmed(to: String, name: String) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Kein Link für ein neues Passwort",
                body: """
                    Hallo \(name),

                    für dein Konto bei Homeward wurde ein neues Passwort angefordert. Diese Adresse wurde nie bestätigt, \
                    deshalb können wir dir keinen Link dafür schicken.

                    Bist du auf einem Gerät noch angemeldet? Dann bestätige die Adresse dort in den Einstellungen und \
                    fordere den Link erneut an. Sonst wende dich an den Administrator dieses Servers: Er kann einen Link \
                    für dich erstellen.
                    """
            )
            : Letter(
                to: to, subject: "No link for a new password",
                body: """
                    Hello \(name),

                    a new password was requested for your account at Homeward. This address was never confirmed, so we \
                    can't send you a link for it.

                    Are you still signed in on a device? Then confirm the address there, in the settings, and request \
                    the link again. Otherwise contact the administrator of this server, who can make a link for you.
                    """
            )
    }

    private func protection(_ undoURL: String?) -> String {
        guard let undoURL else {
            return isGerman
                ? "Warst du das nicht? Dann wende dich an den Administrator dieses Servers."
                : "Wasn't this you? Then contact the administrator of this server."
        }
        return isGerman
            ? """
            Warst du das nicht? Dann mach es sieben Tage lang mit diesem Link rückgängig. Diese Adresse gilt dann wieder, \
            alle Geräte werden abgemeldet, und du wählst ein neues Passwort:

            \(undoURL)
            """
            : """
            Wasn't this you? Then undo it with this link within seven days. This address is used again, all devices are \
            signed out, and you choose a new password:

            \(undoURL)
            """
    }
}

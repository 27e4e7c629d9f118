/// The texts of security notices, and of the mails for a change of the email.
extension EmailText {
    /// The text for the new address.
    func emailChange(url: String) -> MailText {
        isGerman
            ? MailText(
                subject: "Bestätige deine neue E-Mail-Adresse",
                body: """
                    bestätige mit diesem Link, dass diese Adresse zu deinem Homeward-Konto gehören soll. Bis dahin gilt die \
                    bisherige. Der Link gilt einen Tag:

                    \(url)

                    Warst du das nicht? Dann ignoriere diese E-Mail.
                    """
            )
            : MailText(
                subject: "Confirm your new email address",
                body: """
                    Confirm this address for your Homeward account with the link below. Until then, your previous address \
                    is used. The link expires in one day:

                    \(url)

                    If you didn't request this, ignore this email.
                    """
            )
    }

    /// The text for the current address when another one was entered but isn't confirmed yet.
    /// - Parameter undoURL: `nil` where the current address was never confirmed.
    func emailChangeRequested(undoURL: String?) -> MailText {
        isGerman
            ? MailText(
                subject: "Eine neue E-Mail-Adresse wurde eingegeben",
                body: """
                    für dein Homeward-Konto wurde eine andere E-Mail-Adresse eingegeben. Sie gilt, sobald sie bestätigt ist.

                    \(protection(undoURL))
                    """
            )
            : MailText(
                subject: "A new email address was entered",
                body: """
                    A different email address was entered for your Homeward account. It takes effect once it is confirmed.

                    \(protection(undoURL))
                    """
            )
    }

    /// The text for the old address once the new one is in effect.
    func emailChanged(undoURL: String?) -> MailText {
        isGerman
            ? MailText(
                subject: "Deine E-Mail-Adresse wurde geändert",
                body: """
                    dein Homeward-Konto hat jetzt eine andere E-Mail-Adresse.

                    \(protection(undoURL))
                    """
            )
            : MailText(
                subject: "Your email address was changed",
                body: """
                    Your Homeward account now has a different email address.

                    \(protection(undoURL))
                    """
            )
    }

    /// - Parameter getsResets: whether a link for a new password is sent to this address: it is confirmed.
    func passwordChanged(getsResets: Bool) -> MailText {
        isGerman
            ? MailText(
                subject: "Dein Passwort wurde geändert",
                body: """
                    dein Homeward-Konto hat ein neues Passwort. Andere Geräte wurden abgemeldet.

                    \(recoveryText(getsResets: getsResets))
                    """
            )
            : MailText(
                subject: "Your password was changed",
                body: """
                    Your Homeward account has a new password. Other devices were signed out.

                    \(recoveryText(getsResets: getsResets))
                    """
            )
    }

    private func recoveryText(getsResets: Bool) -> String {
        switch (isGerman, getsResets) {
        case (false, true):
            "If this wasn't you, select “Forgot your password?” on the sign-in page. The link is sent to this address."
        case (false, false): "If this wasn't you, contact the administrator of this server."
        case (true, true):
            "Warst du das nicht? Dann wähle auf der Anmeldeseite „Passwort vergessen?“. Der Link kommt an diese Adresse."
        case (true, false): "Warst du das nicht? Dann wende dich an den Administrator dieses Servers."
        }
    }

    /// - Parameter device: `nil` where the mail must not name it.
    func passkeyAdded(device: String?) -> MailText {
        let origin = device.map { " (\($0))" } ?? ""
        return isGerman
            ? MailText(
                subject: "Ein neuer Passkey",
                body: """
                    zu deinem Homeward-Konto wurde ein Passkey hinzugefügt\(origin). Du kannst dich jetzt damit anmelden.

                    Warst du das nicht? Dann wähle ein neues Passwort und dabei „Meine Passkeys entfernen“.
                    """
            )
            : MailText(
                subject: "A new passkey",
                body: """
                    A passkey was added to your Homeward account\(origin). You can now sign in with it.

                    If this wasn't you, choose a new password and select “Remove my passkeys”.
                    """
            )
    }

    /// The text that replaces a link for a new password, for an address that was never confirmed.
    func resetUnconfirmed() -> MailText {
        isGerman
            ? MailText(
                subject: "Kein Link für ein neues Passwort",
                body: """
                    für dein Homeward-Konto wurde ein neues Passwort angefordert. Diese Adresse wurde nie bestätigt, \
                    deshalb können wir dir keinen Link dafür schicken.

                    Bist du auf einem Gerät noch angemeldet? Dann bestätige die Adresse dort in den Einstellungen und \
                    fordere den Link erneut an. Sonst wende dich an den Administrator dieses Servers: Er kann einen Link \
                    für dich erstellen.
                    """
            )
            : MailText(
                subject: "No link for a new password",
                body: """
                    A new password was requested for your Homeward account. This address was never confirmed, so we \
                    can't send you a link for it.

                    Are you still signed in on a device? Then confirm the address there, in the settings, and request \
                    the link again. Otherwise contact the administrator of this server, who can create a link for you.
                    """
            )
    }

    private func protection(_ undoURL: String?) -> String {
        guard let undoURL else {
            return isGerman
                ? "Warst du das nicht? Dann wende dich an den Administrator dieses Servers."
                : "If this wasn't you, contact the administrator of this server."
        }
        return isGerman
            ? """
            Warst du das nicht? Dann mach es sieben Tage lang mit diesem Link rückgängig. Diese Adresse gilt dann wieder, \
            alle Geräte werden abgemeldet, und du wählst ein neues Passwort:

            \(undoURL)
            """
            : """
            If this wasn't you, undo it with this link within seven days. Your previous address is used again, all \
            devices are signed out, and you choose a new password:

            \(undoURL)
            """
    }
}

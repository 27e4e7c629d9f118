/// The texts of mails, in English or German.
struct EmailText: Sendable {
    let isGerman: Bool

    init(language: String) { isGerman = language == "de" }

    /// - Parameter name: `nil` where the mail must not contain the name.
    func greeting(name: String?) -> String {
        "\(isGerman ? "Hallo" : "Hello")\(name.map { " \($0)" } ?? ""),"
    }

    func verification(url: String) -> MailText {
        isGerman
            ? MailText(
                subject: "Bestätige deine E-Mail-Adresse",
                body: """
                    mit diesem Link bestätigst du, dass diese Adresse dir gehört. Er gilt eine Woche:

                    \(url)

                    Du hast dich nicht bei Homeward angemeldet? Dann ignoriere diese E-Mail.
                    """
            )
            : MailText(
                subject: "Confirm your email address",
                body: """
                    Confirm with this link that this address is yours. It expires in one week:

                    \(url)

                    If you didn't sign up for Homeward, ignore this email.
                    """
            )
    }

    func reset(url: String) -> MailText {
        isGerman
            ? MailText(
                subject: "Neues Passwort wählen",
                body: """
                    mit diesem Link wählst du ein neues Passwort. Er gilt einmal und läuft nach einer Stunde ab:

                    \(url)

                    Du hast ihn nicht angefordert? Dann ignoriere diese E-Mail. Dein Passwort bleibt, wie es ist.
                    """
            )
            : MailText(
                subject: "Choose a new password",
                body: """
                    Choose a new password with this link. It works once and expires in one hour:

                    \(url)

                    If you didn't request this, ignore this email. Your password stays as it is.
                    """
            )
    }

    func linked(provider: String) -> MailText {
        isGerman
            ? MailText(
                subject: "Ein weiterer Weg der Anmeldung",
                body: """
                    bei deinem Homeward-Konto kannst du dich jetzt auch mit \(provider) anmelden.

                    Warst du das nicht? Dann entferne \(provider) unter „Wege der Anmeldung“ und wähle ein neues Passwort.
                    """
            )
            : MailText(
                subject: "Another way to sign in",
                body: """
                    You can now sign in to your Homeward account with \(provider), too.

                    If this wasn't you, remove \(provider) under “Ways to sign in” and choose a new password.
                    """
            )
    }
}

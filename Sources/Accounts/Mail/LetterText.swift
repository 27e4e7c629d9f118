/// The mails' words.
struct LetterText: Sendable {
    let isGerman: Bool

    init(language: String) { isGerman = language == "de" }

    func verification(to: String, name: String, url: String) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Bestätige deine E-Mail-Adresse",
                body: """
                    Hallo \(name),

                    mit diesem Link bestätigst du, dass diese Adresse dir gehört. Er gilt eine Woche:

                    \(url)

                    Du hast dich nicht bei Homeward angemeldet? Dann ignoriere diese E-Mail.
                    """
            )
            : Letter(
                to: to, subject: "Confirm your email address",
                body: """
                    Hello \(name),

                    confirm with this link that this address is yours. It expires in one week:

                    \(url)

                    If you didn't sign up for Homeward, ignore this email.
                    """
            )
    }

    func reset(to: String, name: String, url: String) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Neues Passwort wählen",
                body: """
                    Hallo \(name),

                    mit diesem Link wählst du ein neues Passwort. Er gilt einmal und läuft nach einer Stunde ab:

                    \(url)

                    Du hast ihn nicht angefordert? Dann ignoriere diese E-Mail. Dein Passwort bleibt, wie es ist.
                    """
            )
            : Letter(
                to: to, subject: "Choose a new password",
                body: """
                    Hello \(name),

                    choose a new password with this link. It works once and expires in one hour:

                    \(url)

                    If you didn't request this, ignore this email. Your password stays as it is.
                    """
            )
    }

    func linked(to: String, name: String, provider: String) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Ein weiterer Weg der Anmeldung",
                body: """
                    Hallo \(name),

                    bei deinem Homeward-Konto kannst du dich jetzt auch mit \(provider) anmelden.

                    Warst du das nicht? Dann entferne \(provider) unter „Wege der Anmeldung“ und wähle ein neues Passwort.
                    """
            )
            : Letter(
                to: to, subject: "Another way to sign in",
                body: """
                    Hello \(name),

                    you can now sign in to your Homeward account with \(provider), too.

                    If this wasn't you, remove \(provider) under “Ways to sign in” and choose a new password.
                    """
            )
    }
}

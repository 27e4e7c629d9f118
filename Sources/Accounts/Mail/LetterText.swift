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

                    Du hast dich nicht bei Homeward angemeldet? Dann brauchst du nichts zu tun.
                    """
            )
            : Letter(
                to: to, subject: "Confirm your email address",
                body: """
                    Hello \(name),

                    with this link you confirm that this address is yours. It works for a week:

                    \(url)

                    You did not sign up for Homeward? Then there is nothing to do.
                    """
            )
    }

    func reset(to: String, name: String, url: String) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Neues Passwort wählen",
                body: """
                    Hallo \(name),

                    mit diesem Link wählst du ein neues Passwort. Er gilt einmal, und nur eine Stunde:

                    \(url)

                    Du hast nicht darum gebeten? Dann lass ihn liegen: Dein Passwort bleibt, wie es ist.
                    """
            )
            : Letter(
                to: to, subject: "Choose a new password",
                body: """
                    Hello \(name),

                    with this link you choose a new password. It works once, and for an hour only:

                    \(url)

                    You did not ask for it? Then leave it: your password stays as it is.
                    """
            )
    }

    func linked(to: String, name: String, provider: String) -> Letter {
        isGerman
            ? Letter(
                to: to, subject: "Ein weiterer Weg der Anmeldung",
                body: """
                    Hallo \(name),

                    bei deinem Konto bei Homeward kannst du dich jetzt auch mit \(provider) anmelden.

                    Warst du das nicht? Dann entferne \(provider) unter „Wege der Anmeldung“ und wähle ein neues Passwort.
                    """
            )
            : Letter(
                to: to, subject: "Another way to sign in",
                body: """
                    Hello \(name),

                    you can now sign in to your account at Homeward with \(provider), too.

                    That was not you? Then remove \(provider) under "Ways to sign in", and choose a new password.
                    """
            )
    }
}

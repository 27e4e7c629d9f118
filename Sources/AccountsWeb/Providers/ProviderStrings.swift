import Accounts
import Kernel
import WebCore

/// The texts of sign-in through providers, in one language. `NAME` is replaced by the provider's name.
struct ProviderStrings: Sendable {
    let signInWith: String
    /// Between the form and the providers' buttons.
    let otherWays: String
    /// The sign-in page's message after a cancellation.
    let cancelled: String
    /// The sign-in page's message after a failure.
    let failed: String
    /// The sign-in page's message where the provider can't be reached.
    let unavailable: String
    /// The sign-in page's message for an expired attempt.
    let expired: String
    /// The sign-in page's message where registration is closed.
    let closed: String
    /// The sign-in page's message where registration needs an invitation.
    let uninvited: String
    /// The sign-in page's message about an offered identity. `EMAIL` is replaced by the email.
    let offered: String
    /// The link to continue without linking.
    let withoutLinking: String
    /// The name of a new account where the provider sends none.
    let newcomer: String
    /// The title and the row.
    let ways: String
    /// The note on the list.
    let waysNote: String
    let linked: String
    let notLinked: String
    let link: String
    let unlink: String
    /// The question before a provider is removed.
    let unlinkQuestion: String
    let nowLinked: String
    let nowUnlinked: String
    /// A toast: the identity is another person's.
    let taken: String
    /// A toast: the identity isn't linked to this account.
    let stranger: String
    /// A toast: the provider doesn't state that it has just authenticated the person.
    let stale: String
    /// The reason why a provider can't give a proof.
    let cannotConfirm: String
    /// The effect of the link by mail.
    let passwordByMail: String
    let sendLink: String
    /// For a server that sends no mail.
    let passwordByOperator: String
    /// The title of the page before a provider is linked.
    let linkTitle: String
    /// The note on the effect of the link.
    let linkNote: String
    let passwordSet: String
    let passwordUnset: String
    /// The title and the row of an account without a password.
    let setPassword: String
    /// The reason for a proof.
    let confirmFirst: String
    let confirmWith: String
    /// Above the form, after the proof.
    let confirmed: String
    let continueWith: String
    /// The note on the button.
    let continueNote: String
    /// For accounts from a provider that have no date of birth.
    let addDateOfBirth: String

    static func of(_ language: Language) -> ProviderStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    static let english = ProviderStrings(
        signInWith: "Sign in with NAME", otherWays: "or sign in with",
        cancelled: "You cancelled signing in with NAME. Nothing was saved.",
        failed: "Signing in with NAME didn't work. Try again, or sign in another way.",
        unavailable: "NAME can't be reached right now. Try again later, or sign in another way.",
        expired: "This sign-in expired or was started in another window. Start again.",
        closed: "There is no account here for this NAME account, and registration is closed on this server.",
        uninvited: """
            There is no account here for this NAME account, and you need an invitation to sign up. Ask a parent in the \
            household to invite you.
            """,
        offered: """
            There is an account with EMAIL here already. Sign in to it the way you always do: that shows that it is \
            yours. Then NAME is linked to it, and next time you can use that.
            """,
        withoutLinking: "Sign in without linking NAME", newcomer: "New here", ways: "Ways to sign in",
        waysNote: "You can sign in by any of these. One always stays.", linked: "Linked", notLinked: "Not linked",
        link: "Link", unlink: "Remove", unlinkQuestion: "Remove NAME? You can no longer sign in with it.",
        nowLinked: "NAME is linked to your account", nowUnlinked: "NAME is removed",
        taken: "NAME could not be linked: it belongs to another account here, or you have one linked already.",
        stranger: "That is not the NAME account that is linked to yours.",
        stale: "NAME didn't say that it has just asked you who you are. Nothing was done. Try again there.",
        cannotConfirm: "NAME can't show that it has just asked you who you are, so it can't confirm this.",
        passwordByMail: """
            Choose a password instead, by a link that is sent to EMAIL. That signs you out everywhere and takes the \
            linked services off; you can link them again.
            """,
        sendLink: "Send me a link",
        passwordByOperator: "Ask the administrator of this server for a link to choose a password.",
        linkTitle: "Link NAME", linkNote: "Then you can sign in with NAME as well.", passwordSet: "Set",
        passwordUnset: "Not set", setPassword: "Set a password",
        confirmFirst: "Your account has no password. Sign in once more with a service that is linked, then go on.",
        confirmWith: "Confirm with NAME", confirmed: "You have just shown that it is you.",
        continueWith: "Continue with NAME", continueNote: "You go to NAME now and come back here.",
        addDateOfBirth: "Add your date of birth"
    )

    static let german = ProviderStrings(
        signInWith: "Mit NAME anmelden", otherWays: "oder anmelden mit",
        cancelled: "Du hast die Anmeldung mit NAME abgebrochen. Nichts wurde gespeichert.",
        failed: "Die Anmeldung mit NAME hat nicht geklappt. Versuche es erneut oder melde dich anders an.",
        unavailable: "NAME ist gerade nicht erreichbar. Versuche es später oder melde dich anders an.",
        expired: "Diese Anmeldung war zu alt oder kam aus einem anderen Fenster. Beginne noch einmal.",
        closed:
            "Zu diesem Konto bei NAME gibt es hier keins, und auf diesem Server kann man sich nicht registrieren.",
        uninvited: """
            Zu diesem Konto bei NAME gibt es hier keins, und zum Registrieren brauchst du eine Einladung. Bitte \
            einen Elternteil aus dem Haushalt darum.
            """,
        offered: """
            Mit EMAIL gibt es hier schon ein Konto. Melde dich so an, wie du es immer tust: Damit zeigst du, dass es \
            deins ist. Dann wird NAME damit verknüpft, und du kannst es beim nächsten Mal benutzen.
            """,
        withoutLinking: "Anmelden, ohne NAME zu verknüpfen", newcomer: "Neu hier", ways: "Wege der Anmeldung",
        waysNote: "Du kannst dich auf jedem dieser Wege anmelden. Einer bleibt immer.", linked: "Verknüpft",
        notLinked: "Nicht verknüpft", link: "Verknüpfen", unlink: "Entfernen",
        unlinkQuestion: "NAME entfernen? Du kannst dich dann nicht mehr damit anmelden.",
        nowLinked: "NAME ist mit deinem Konto verknüpft", nowUnlinked: "NAME ist entfernt",
        taken: "NAME wurde nicht verknüpft: Es gehört zu einem anderen Konto, oder du hast schon eins verknüpft.",
        stranger: "Das ist nicht das Konto bei NAME, das mit deinem verknüpft ist.",
        stale:
            "NAME hat nicht gesagt, dass du gerade gefragt wurdest, wer du bist. Nichts ist passiert. Versuche es erneut.",
        cannotConfirm:
            "NAME kann nicht zeigen, dass du gerade gefragt wurdest, wer du bist, und das hier nicht bestätigen.",
        passwordByMail: """
            Wähle stattdessen ein Passwort, über einen Link an EMAIL. Dabei wirst du überall abgemeldet, und die \
            verknüpften Dienste werden entfernt; du kannst sie wieder verknüpfen.
            """,
        sendLink: "Link schicken",
        passwordByOperator: "Bitte den Administrator dieses Servers um einen Link, über den du ein Passwort wählst.",
        linkTitle: "NAME verknüpfen", linkNote: "Dann kannst du dich auch mit NAME anmelden.", passwordSet: "Gesetzt",
        passwordUnset: "Nicht gesetzt", setPassword: "Passwort setzen",
        confirmFirst:
            "Dein Konto hat kein Passwort. Melde dich noch einmal mit einem verknüpften Dienst an, dann geht's weiter.",
        confirmWith: "Mit NAME bestätigen", confirmed: "Du hast gerade gezeigt, dass du es bist.",
        continueWith: "Weiter mit NAME", continueNote: "Du gehst jetzt zu NAME und kommst hierher zurück.",
        addDateOfBirth: "Ergänze dein Geburtsdatum"
    )
}

extension String {
    /// Returns the text with the provider's name.
    func naming(_ provider: ProviderSummary) -> String { replacing("NAME", with: provider.label) }
}

extension WebContext {
    var providerStrings: ProviderStrings { ProviderStrings.of(language) }
}

import Accounts
import WebCore

/// What people read about other services by which they sign in, in one language. `NAME` stands for the service's name.
struct ProviderStrings: Sendable {
    /// Button.
    let signInWith: String
    /// Between the form and the services' buttons.
    let otherWays: String
    /// On the sign-in page.
    let cancelled: String
    /// On the sign-in page.
    let failed: String
    /// On the sign-in page.
    let unavailable: String
    /// On the sign-in page.
    let expired: String
    /// On the sign-in page.
    let closed: String
    /// On the sign-in page.
    let uninvited: String
    /// On the sign-in page; `EMAIL` stands for the email.
    let offered: String
    /// Leads on without linking.
    let withoutLinking: String
    /// Name of a new account where the service tells none.
    let newcomer: String
    /// Title and row.
    let ways: String
    /// What the list is for.
    let waysNote: String
    /// State of a service.
    let linked: String
    /// State of a service.
    let notLinked: String
    /// Button.
    let link: String
    /// Button.
    let unlink: String
    /// Asks before a service is removed.
    let unlinkQuestion: String
    /// Toast.
    let nowLinked: String
    /// Toast.
    let nowUnlinked: String
    /// Toast: the identity is somebody else's.
    let taken: String
    /// Toast: not the identity of who is signed in.
    let stranger: String
    /// Toast: the service doesn't say that it has just asked.
    let stale: String
    /// Why a service is no help here.
    let cannotConfirm: String
    /// What a link by mail does.
    let passwordByMail: String
    /// Button.
    let sendLink: String
    /// Where no mail can be sent.
    let passwordByOperator: String
    /// Title of the page before a service is linked.
    let linkTitle: String
    /// Why the password is asked for there.
    let linkNote: String
    /// State of the password.
    let passwordSet: String
    /// State of the password.
    let passwordUnset: String
    /// Title and row of an account that has none.
    let setPassword: String
    /// Why there are buttons before it goes on.
    let confirmFirst: String
    /// Button.
    let confirmWith: String
    /// Above the form that follows.
    let confirmed: String
    /// Button.
    let continueWith: String
    /// What the button does.
    let continueNote: String
    /// Reminds whoever came by a service.
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
    /// The sentence with a service's name in its place.
    func naming(_ face: ProviderFace) -> String { replacing("NAME", with: face.label) }
}

extension WebContext {
    var providerStrings: ProviderStrings { ProviderStrings.of(language) }
}

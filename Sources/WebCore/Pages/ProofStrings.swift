package import Kernel

/// The texts about proofs of presence and changes of the email, in one language. `EMAIL` is replaced by an address.
package struct ProofStrings: Sendable {
    /// The label of the password field of a sensitive change.
    package let password: String
    /// The hint for the password in forms that also change other values.
    package let passwordHint: String
    /// The title of the page that asks for a proof.
    package let title: String
    /// The reason for the proof, by the act's name.
    package let reasons: [String: String]
    /// The link to the page that asks for a proof.
    package let anotherWay: String
    /// The link to that page while there is no proof.
    package let confirmFirst: String
    package let usePasskey: String
    /// The message when the passkey was cancelled or failed.
    package let passkeyFailed: String
    /// The link that continues after the proof.
    package let goOn: String
    /// The button that starts the download.
    package let download: String
    /// The text about a new address that isn't confirmed yet.
    package let waiting: String
    package let sendAgain: String
    package let cancelChange: String
    package let changeCancelled: String
    package let linkSent: String
    /// The first step for an account whose address was never confirmed.
    package let confirmAddressFirst: String
    package let undoTitle: String
    /// The effect of undoing.
    package let undoNote: String
    package let undo: String
    package let undone: String
    /// The checkbox beside a new password.
    package let removePasskeys: String
    /// The checkbox beside a new password.
    package let removeIdentities: String
    /// The checkbox beside a new password.
    package let signOutChildren: String
    /// The reason for the checkboxes.
    package let removeNote: String
    /// The reason for the checkbox about the children's devices.
    package let signOutChildrenNote: String

    /// The strings in `language`.
    package static func of(_ language: Language) -> ProofStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    private static let english = ProofStrings(
        password: "Your password", passwordHint: "Only needed to change the email address.",
        title: "Confirm that it's you",
        reasons: [
            "email": "Your email address decides who can choose a new password.",
            "passkey": "A new passkey can sign in to your account.",
            "identity": "A linked service can sign in to your account.",
            "password": "A new password can sign in to your account.",
            "export": "The file contains everything stored about you: positions of your items, photos, deliveries.",
            "deletion": "A deleted account can't be restored.",
            "invitation": "A parent you invite sees your children and can change everything about them.",
            "leaving": "After you leave, you no longer see the children of your family.",
            "removal": "A removed parent no longer sees the children of your family.",
            "erasure": "An erased child can’t be restored.",
        ],
        anotherWay: "Confirm in another way", confirmFirst: "Confirm that it's you first",
        usePasskey: "Confirm with a passkey",
        passkeyFailed: "The passkey wasn't accepted. Try again, or confirm in another way.", goOn: "Continue",
        download: "Download", waiting: "EMAIL isn't confirmed yet. Open the link in the mail we sent there.",
        sendAgain: "Send the link again", cancelChange: "Keep the current address",
        changeCancelled: "Your email address stays as it is",
        linkSent: "A link was sent to EMAIL. Open it to confirm the new address.",
        confirmAddressFirst: "Confirm your email address first: send the link to EMAIL again, open it, then come back.",
        undoTitle: "Undo the change of your email address",
        undoNote: """
            The previous address is used again. All devices are signed out, also those of your children; the password, \
            passkeys and linked services no longer work. Then you choose a new password.
            """,
        undo: "Undo", undone: "The previous address is used again. Now choose a new password.",
        removePasskeys: "Remove my passkeys", removeIdentities: "Remove linked services",
        signOutChildren: "Sign out my children’s devices",
        removeNote: "If another person may have used your account, remove what they could have added.",
        signOutChildrenNote: "If another person may have used your account, they could have signed in as a child."
    )

    private static let german = ProofStrings(
        password: "Dein Passwort", passwordHint: "Nur nötig, um die E-Mail-Adresse zu ändern.",
        title: "Bestätige, dass du es bist",
        reasons: [
            "email": "Deine E-Mail-Adresse entscheidet, wer ein neues Passwort wählen kann.",
            "passkey": "Mit einem Passkey kann man sich danach bei deinem Konto anmelden.",
            "identity": "Mit einem verknüpften Dienst kann man sich danach bei deinem Konto anmelden.",
            "password": "Mit einem Passwort kann man sich danach bei deinem Konto anmelden.",
            "export": "Die Datei enthält alles, was über dich gespeichert ist: Orte deiner Dinge, Fotos, Lieferungen.",
            "deletion": "Ein gelöschtes Konto lässt sich nicht wiederherstellen.",
            "invitation": "Ein eingeladener Elternteil sieht deine Kinder und kann alles über sie ändern.",
            "leaving": "Danach siehst du die Kinder deiner Familie nicht mehr.",
            "removal": "Ein entfernter Elternteil sieht die Kinder deiner Familie nicht mehr.",
            "erasure": "Ein endgültig gelöschtes Kind lässt sich nicht wiederherstellen.",
        ],
        anotherWay: "Anders bestätigen", confirmFirst: "Bestätige zuerst, dass du es bist",
        usePasskey: "Mit einem Passkey bestätigen",
        passkeyFailed: "Der Passkey wurde nicht angenommen. Versuche es erneut oder bestätige es anders.",
        goOn: "Weiter", download: "Herunterladen",
        waiting: "EMAIL ist noch nicht bestätigt. Öffne den Link in der E-Mail, die wir dorthin geschickt haben.",
        sendAgain: "Link noch einmal senden", cancelChange: "Bisherige Adresse behalten",
        changeCancelled: "Deine E-Mail-Adresse bleibt, wie sie ist",
        linkSent: "Ein Link ist an EMAIL unterwegs. Öffne ihn, um die neue Adresse zu bestätigen.",
        confirmAddressFirst: """
            Bestätige zuerst deine E-Mail-Adresse: Sende den Link an EMAIL noch einmal, öffne ihn und komm dann hierher \
            zurück.
            """,
        undoTitle: "Änderung der E-Mail-Adresse rückgängig machen",
        undoNote: """
            Die bisherige Adresse gilt wieder. Alle Geräte werden abgemeldet, auch die deiner Kinder; Passwort, Passkeys \
            und verknüpfte Dienste gelten nicht mehr. Danach wählst du ein neues Passwort.
            """,
        undo: "Rückgängig machen", undone: "Die bisherige Adresse gilt wieder. Wähle jetzt ein neues Passwort.",
        removePasskeys: "Meine Passkeys entfernen", removeIdentities: "Verknüpfte Dienste entfernen",
        signOutChildren: "Geräte meiner Kinder abmelden",
        removeNote:
            "Hat vielleicht jemand anderes dein Konto benutzt? Dann entferne, was hinzugefügt worden sein kann.",
        signOutChildrenNote:
            "Hat vielleicht jemand anderes dein Konto benutzt? Dann kann sich damit jemand als Kind angemeldet haben."
    )
}

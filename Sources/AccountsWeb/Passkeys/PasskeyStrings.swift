import Kernel
import WebCore

/// The texts of passkeys, in one language. `NAME` is replaced by a passkey's name.
struct PasskeyStrings: Sendable {
    /// The title and the row.
    let passkeys: String
    /// The note on the use of passkeys.
    let note: String
    /// In an empty list.
    let noneYet: String
    let add: String
    /// Before a time.
    let lastUsed: String
    /// Instead of a time.
    let neverUsed: String
    /// Beside the name of a passkey that the owner's other devices have too.
    let isSynced: String
    let remove: String
    /// The question before a passkey is removed.
    let removeQuestion: String
    /// The note below the question.
    let removeNote: String
    let added: String
    let removed: String
    /// The title and the row.
    let touchID: String
    /// The heading above the reason.
    let touchIDTitle: String
    /// The reason to turn it on.
    let touchIDReason: String
    /// Instead of the reason, where it is on.
    let touchIDIsOn: String
    let enable: String
    let notNow: String
    let turnOff: String
    let nowOn: String
    let nowOff: String
    /// The button of the lock.
    let unlock: String
    /// The button of the sign-in page.
    let signIn: String
    /// The registration failed or was cancelled.
    let registerFailed: String
    /// Unlocking failed or was cancelled.
    let unlockFailed: String
    /// The sign-in failed or was cancelled.
    let signInFailed: String
    /// The device already has a passkey for the account.
    let taken: String
    /// The browser doesn't support passkeys.
    let unsupported: String
    /// The device has no user verification.
    let noVerifier: String
    /// In browsers without scripts.
    let needsScript: String

    static func of(_ language: Language) -> PasskeyStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    static let english = PasskeyStrings(
        passkeys: "Passkeys",
        note: """
            A passkey signs you in with your fingerprint, your face or your device's screen lock instead of a \
            password. It can't be guessed, and no other website can ask for it. Your password stays as it is.
            """,
        noneYet: "No passkeys yet", add: "Add a passkey", lastUsed: "Last used", neverUsed: "Not used yet",
        isSynced: "On your other devices, too", remove: "Remove",
        removeQuestion: "Remove “NAME”?",
        removeNote: "You can no longer sign in or unlock with it. Your device keeps it until you delete it there.",
        added: "Passkey added", removed: "Passkey removed", touchID: "Touch ID", touchIDTitle: "Unlock with a touch",
        touchIDReason: """
            Open Homeward with Touch ID, Face ID, Windows Hello or your phone's fingerprint instead of typing the \
            passcode. What your finger or face looks like never leaves this device. The passcode always works, too.
            """,
        touchIDIsOn: "Touch ID opens the lock. The passcode always works, too.", enable: "Enable", notNow: "Not now",
        turnOff: "Turn off", nowOn: "Touch ID is on", nowOff: "Touch ID is off", unlock: "Unlock with Touch ID",
        signIn: "Sign in with a passkey",
        registerFailed: "That was cancelled or didn't work, and no passkey was created. You can try again.",
        unlockFailed: "Touch ID was cancelled or didn't work. Enter your passcode, or try again.",
        signInFailed: "That was cancelled or didn't work. Try again, or sign in with email and password.",
        taken: "This device already has a passkey for your account.",
        unsupported: "This browser can't use passkeys here. Use an up-to-date one, and the site's own address.",
        noVerifier: "This device has no Touch ID, Face ID, Windows Hello or screen lock that a website may use.",
        needsScript: "Passkeys and Touch ID need JavaScript. Turn it on to use them."
    )

    static let german = PasskeyStrings(
        passkeys: "Passkeys",
        note: """
            Mit einem Passkey meldest du dich per Fingerabdruck, Gesicht oder Bildschirmsperre an statt mit einem \
            Passwort. Niemand kann ihn erraten, und keine andere Website kann danach fragen. Dein Passwort bleibt.
            """,
        noneYet: "Noch keine Passkeys", add: "Passkey hinzufügen", lastUsed: "Zuletzt benutzt",
        neverUsed: "Noch nicht benutzt", isSynced: "Auch auf deinen anderen Geräten", remove: "Entfernen",
        removeQuestion: "„NAME“ entfernen?",
        removeNote: """
            Du kannst dich damit nicht mehr anmelden und nichts entsperren. Auf deinem Gerät bleibt er, bis du ihn \
            dort löschst.
            """,
        added: "Passkey hinzugefügt", removed: "Passkey entfernt", touchID: "Touch ID",
        touchIDTitle: "Mit einer Berührung entsperren",
        touchIDReason: """
            Öffne Homeward mit Touch ID, Face ID, Windows Hello oder dem Fingerabdruck deines Telefons, statt den Code \
            einzugeben. Wie dein Finger oder Gesicht aussieht, verlässt dieses Gerät nie. Der Code gilt immer auch.
            """,
        touchIDIsOn: "Touch ID öffnet die Sperre. Der Code gilt immer auch.", enable: "Aktivieren",
        notNow: "Nicht jetzt", turnOff: "Ausschalten", nowOn: "Touch ID ist an", nowOff: "Touch ID ist aus",
        unlock: "Mit Touch ID entsperren", signIn: "Mit Passkey anmelden",
        registerFailed: "Das wurde abgebrochen oder hat nicht geklappt. Es gibt keinen neuen Passkey.",
        unlockFailed: "Touch ID wurde abgebrochen oder hat nicht geklappt. Gib deinen Code ein.",
        signInFailed: "Das wurde abgebrochen oder hat nicht geklappt. Melde dich sonst mit E-Mail an.",
        taken: "Dieses Gerät hat schon einen Passkey für dein Konto.",
        unsupported: "Dieser Browser kann hier keine Passkeys. Nimm einen aktuellen und die Adresse der Seite selbst.",
        noVerifier: "Dieses Gerät hat kein Touch ID, Face ID oder Windows Hello, das eine Website benutzen darf.",
        needsScript: "Passkeys und Touch ID brauchen JavaScript. Schalte es ein, um sie zu benutzen."
    )
}

extension WebContext {
    var passkeyStrings: PasskeyStrings { PasskeyStrings.of(language) }
}

import WebCore

/// What people read about passkeys, in one language. `NAME` stands for a passkey's name.
struct PasskeyStrings: Sendable {
    /// Title and row.
    let passkeys: String
    /// What they are for.
    let note: String
    /// Where there are none.
    let noneYet: String
    /// Button.
    let add: String
    /// Before a time.
    let lastUsed: String
    /// Instead of a time.
    let neverUsed: String
    /// Beside the name of one that the owner's other devices have as well.
    let isSynced: String
    /// Button.
    let remove: String
    /// Asks before one is removed.
    let removeQuestion: String
    /// What remains.
    let removeNote: String
    /// Toast.
    let added: String
    /// Toast.
    let removed: String
    /// Title and row.
    let touchID: String
    /// Large, above the reason.
    let touchIDTitle: String
    /// Why one would.
    let touchIDReason: String
    /// Instead of the reason, where it is on.
    let touchIDIsOn: String
    /// Button.
    let enable: String
    /// Button.
    let notNow: String
    /// Button.
    let turnOff: String
    /// Toast.
    let nowOn: String
    /// Toast.
    let nowOff: String
    /// Button of the lock.
    let unlock: String
    /// Button of the sign-in page.
    let signIn: String
    /// None was made.
    let registerFailed: String
    /// The lock stays closed.
    let unlockFailed: String
    /// Nobody came in.
    let signInFailed: String
    /// The device has one already.
    let taken: String
    /// The browser can't.
    let unsupported: String
    /// The device can't.
    let noVerifier: String
    /// There are no scripts.
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

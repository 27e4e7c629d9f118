import Accounts
import Kernel
import WebCore

/// The texts of the lock, in one language.
struct LockStrings: Sendable {
    /// The title of the settings page, and its row in the settings.
    let lock: String
    let on: String
    let off: String
    /// The title of the lock page.
    let locked: String
    let lockedReason: String
    let passcode: String
    let newPasscode: String
    let repeatPasscode: String
    let currentPasscode: String
    let digitsHint: String
    let unlock: String
    /// The text above the countdown.
    let waitTitle: String
    /// The text in front of the countdown.
    let tryAgainIn: String
    /// For screen readers, when the wait is over.
    let waitOver: String
    let forgotten: String
    /// The note on the way to replace a forgotten passcode.
    let forgottenNote: String
    /// While the session is being unlocked.
    let opening: String
    /// The title of the page for the first passcode.
    let setTitle: String
    /// The title of the page that replaces the passcode.
    let changeTitle: String
    /// The reason to set a passcode.
    let setReason: String
    /// The effect on other devices.
    let changeReason: String
    /// In place of the current passcode, after a fresh sign-in.
    let freshNote: String
    let save: String
    let notNow: String
    let passcodeIsSet: String
    let passcodeChanged: String
    /// The row and the title of the page.
    let turnOff: String
    /// The effect of turning the lock off.
    let turnOffNote: String
    let turnedOff: String
    let lockAfter: String
    /// The note on other reasons for a lock.
    let lockAfterNote: String
    /// A time; `COUNT` is replaced by the number.
    let minutes: String
    let oneMinute: String
    let oneHour: String
    let lockNow: String
    let changePasscode: String
    /// The note on the lock where it is off.
    let offNote: String
    /// A heading in the settings.
    let alerts: String
    let notifications: String
    let distances: String
    let safePlaces: String

    static func of(_ language: Language) -> LockStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    func time(_ count: Int) -> String {
        switch count {
        case 1: oneMinute
        case 60: oneHour
        default: minutes.replacing("COUNT", with: "\(count)")
        }
    }

    static let english = LockStrings(
        lock: "App lock", on: "On", off: "Off", locked: "Locked",
        lockedReason:
            "Enter your passcode. It keeps other people who hold this device from seeing where your items are.",
        passcode: "Passcode", newPasscode: "New passcode", repeatPasscode: "Repeat the passcode",
        currentPasscode: "Current passcode", digitsHint: "6 digits", unlock: "Unlock",
        waitTitle: "Too many wrong passcodes", tryAgainIn: "Try again in", waitOver: "You can try again now.",
        forgotten: "Forgot your passcode?",
        forgottenNote: "Sign in again with your email and password to set a new one.",
        opening: "Opening…", setTitle: "Set a passcode", changeTitle: "Change passcode",
        setReason: """
            A passcode protects your places, your children and your packages when another person holds your device. \
            You enter it when you open the app and when you come back after a while.
            """,
        changeReason: "The new passcode is asked for on all your devices from now on.",
        freshNote: "You have just signed in with your password, so your old passcode isn't needed.",
        save: "Save", notNow: "Not now", passcodeIsSet: "Passcode set", passcodeChanged: "Passcode changed",
        turnOff: "Turn passcode off",
        turnOffNote: "It is no longer asked for on any of your devices. Locked ones open.",
        turnedOff: "Passcode turned off", lockAfter: "Lock when unused for",
        lockAfterNote: "The app also locks when you reopen it.", minutes: "COUNT minutes",
        oneMinute: "1 minute", oneHour: "1 hour", lockNow: "Lock now", changePasscode: "Change passcode",
        offNote: "Without a passcode, anyone who holds this device can see everything in the app.",
        alerts: "Alerts", notifications: "Notifications", distances: "Distances and interval",
        safePlaces: "Safe places"
    )

    static let german = LockStrings(
        lock: "App-Sperre", on: "An", off: "Aus", locked: "Gesperrt",
        lockedReason: """
            Gib deinen Code ein, damit niemand sonst, der dieses Gerät in der Hand hält, sieht, wo deine Dinge sind.
            """,
        passcode: "Code", newPasscode: "Neuer Code", repeatPasscode: "Code wiederholen",
        currentPasscode: "Aktueller Code", digitsHint: "6 Ziffern", unlock: "Entsperren",
        waitTitle: "Zu viele falsche Codes", tryAgainIn: "Neuer Versuch in",
        waitOver: "Du kannst es jetzt wieder versuchen.", forgotten: "Code vergessen?",
        forgottenNote: "Melde dich noch einmal mit E-Mail und Passwort an, um einen neuen festzulegen.",
        opening: "Wird geöffnet …", setTitle: "Code festlegen", changeTitle: "Code ändern",
        setReason: """
            Ein Code schützt deine Orte, deine Kinder und deine Pakete, wenn jemand anderes dein Gerät in der Hand \
            hält. Er wird verlangt, wenn du die App öffnest und wenn du nach einer Weile zurückkommst.
            """,
        changeReason: "Der neue Code wird ab jetzt auf allen deinen Geräten verlangt.",
        freshNote: "Du hast dich gerade mit deinem Passwort angemeldet, darum brauchst du den alten Code nicht.",
        save: "Sichern", notNow: "Jetzt nicht", passcodeIsSet: "Code festgelegt", passcodeChanged: "Code geändert",
        turnOff: "Code ausschalten",
        turnOffNote: "Er wird auf keinem deiner Geräte mehr verlangt. Gesperrte werden geöffnet.",
        turnedOff: "Code ausgeschaltet", lockAfter: "Sperren nach",
        lockAfterNote: "So lange bleibt die App unbenutzt offen. Beim neuen Öffnen sperrt sie auch.",
        minutes: "COUNT Minuten", oneMinute: "1 Minute", oneHour: "1 Stunde", lockNow: "Jetzt sperren",
        changePasscode: "Code ändern",
        offNote: "Ohne Code sieht jeder, der dieses Gerät in der Hand hält, alles in der App.",
        alerts: "Hinweise", notifications: "Mitteilungen", distances: "Abstände und Intervall",
        safePlaces: "Sichere Orte"
    )
}

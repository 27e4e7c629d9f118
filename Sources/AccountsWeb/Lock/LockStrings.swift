import Accounts
import WebCore

/// What people read about the lock, in one language.
struct LockStrings: Sendable {
    /// Title of the lock's settings, and their row.
    let lock: String
    /// State in the row.
    let on: String
    /// State in the row.
    let off: String
    /// Title of the lock's page.
    let locked: String
    /// Why it is there.
    let lockedReason: String
    /// Field.
    let passcode: String
    /// Field of the settings.
    let newPasscode: String
    /// Field of the settings.
    let repeatPasscode: String
    /// Field of the settings.
    let currentPasscode: String
    /// Below the field.
    let digitsHint: String
    /// Button.
    let unlock: String
    /// Above the countdown.
    let waitTitle: String
    /// In front of the countdown.
    let tryAgainIn: String
    /// Read out once the wait is over.
    let waitOver: String
    /// Link.
    let forgotten: String
    /// What a forgotten passcode costs.
    let forgottenNote: String
    /// While the lock opens.
    let opening: String
    /// Title of the page that sets one.
    let setTitle: String
    /// Title of the page that replaces it.
    let changeTitle: String
    /// Why a passcode is good to have.
    let setReason: String
    /// What happens to other devices.
    let changeReason: String
    /// In place of the present passcode after a fresh sign-in.
    let freshNote: String
    /// Button.
    let save: String
    /// Button.
    let notNow: String
    /// Toast.
    let passcodeIsSet: String
    /// Toast.
    let passcodeChanged: String
    /// Row and title.
    let turnOff: String
    /// What that means.
    let turnOffNote: String
    /// Toast.
    let turnedOff: String
    /// Heading.
    let lockAfter: String
    /// What else locks.
    let lockAfterNote: String
    /// A time; `COUNT` stands for the number.
    let minutes: String
    /// A time.
    let oneMinute: String
    /// A time.
    let oneHour: String
    /// Button.
    let lockNow: String
    /// Row.
    let changePasscode: String
    /// What the lock does, where there is none yet.
    let offNote: String
    /// Heading in the settings.
    let alerts: String
    /// Row in the settings.
    let notifications: String
    /// Row in the settings.
    let distances: String
    /// Row in the settings.
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

extension LockMessage {
    /// A sentence of the lock in the reader's words; `nil` for any other.
    static func translation(of english: String, to language: Language) -> String? {
        switch language {
        case .english: nil
        case .german: LockMessage(rawValue: english)?.german
        }
    }

    var german: String {
        switch self {
        case .passcodeMalformed: "Gib einen Code aus 6 Ziffern ein."
        case .repeatDiffers: "Die beiden Codes sind nicht gleich. Gib einen neuen zweimal ein, von vorn."
        case .passcodeWrong: "Das ist nicht der Code. Versuche es noch einmal."
        case .passcodeWrongFourLeft: "Das ist nicht der Code. Du hast noch 4 Versuche."
        case .passcodeWrongThreeLeft: "Das ist nicht der Code. Du hast noch 3 Versuche."
        case .passcodeWrongTwoLeft: "Das ist nicht der Code. Du hast noch 2 Versuche."
        case .passcodeWrongOneLeft: "Das ist nicht der Code. Du hast noch einen Versuch, danach musst du warten."
        case .currentMissing: "Gib deinen aktuellen Code ein."
        case .waiting: "Zu viele falsche Codes. Warte, bis die Zeit um ist, dann versuche es noch einmal."
        case .noPasscode: "Lege zuerst einen Code fest."
        case .passcodeSetElsewhere:
            "Ein Code wurde anderswo festgelegt. Sieh ihn dir an und versuche es erneut."
        case .lockAfterUnknown: "Wähle eine der Zeiten."
        case .adultsOnly: "Die Sperre ist für die Konten von Erwachsenen."
        case .locked: "Die App ist gesperrt. Entsperre sie zuerst."
        }
    }
}

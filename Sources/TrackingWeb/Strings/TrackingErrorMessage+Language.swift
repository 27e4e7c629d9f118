import Accounts
import Kernel
import Tracking
import WebCore

extension AppError {
    /// Returns the same error in this language, if its sentences are Tracking's or those of the modules below.
    func translated(to language: Language) -> AppError {
        saying { TrackingErrorMessage.translation(of: $0, to: language) ?? $0 }
    }

    /// Whether the item changed after its form was rendered.
    var isStaleVersion: Bool { code == .conflict && message == TrackingErrorMessage.movedOn.rawValue }
}

extension TrackingErrorMessage {
    /// Returns the translation of a message of Tracking or of the modules below; `nil` for any other message.
    static func translation(of english: String, to language: Language) -> String? {
        switch language {
        case .english: nil
        case .german:
            TrackingErrorMessage(rawValue: english)?.german
                ?? (english == AccountMessage.throttled.rawValue ? throttledInGerman : nil)
                ?? CommonErrorMiddleware.translation(of: english, to: language)
        }
    }

    // Pairing uses the throttle of Accounts, which has its own message.
    private static let throttledInGerman = "Zu viele Versuche. Warte eine Weile und versuche es dann erneut."

    /// The message in German.
    var german: String {
        switch self {
        case .nameMissing: "Gib den Namen des Dings ein."
        case .nameTooManyBytes: "Dieser Text ist zu lang. Nimm weniger Emojis oder Akzente."
        case .nameTooLong: "Der Name darf höchstens 50 Zeichen haben."
        case .nameUnreadable: "Entferne Zeichen aus dem Namen, die nicht erlaubt sind."
        case .minutesOutOfRange: "Gib eine ganze Zahl von 1 bis 1440 ein."
        case .metresOutOfRange: "Gib eine ganze Zahl von 1 bis 100000 ein."
        case .walkOutOfRange: "Gib eine ganze Zahl von 0 bis 100000 ein."
        case .daysOutOfRange: "Gib eine ganze Zahl von 1 bis 3650 ein, oder nichts."
        case .movedOn: "Das wurde anderswo geändert. Sieh es dir an und versuche es erneut."
        case .tooManyItems: "Deine Liste ist voll. Lösche ein Ding, das du nicht brauchst."
        case .tooManySources: "Du hast zu viele Apps verbunden. Trenne eine, die du nicht brauchst."
        case .secretsShown:
            "Die Geheimnisse wurden schon gezeigt. Erzeuge neue, wenn du sie brauchst."
        case .noPosition: "Es gibt noch keine Position."
        case .cursorUnknown: "Diese Seite gibt es nicht. Beginne wieder mit der ersten."
        case .codeWrong: "Dieser Code stimmt nicht. Prüfe ihn, und ob der Tracker eingeschaltet ist."
        case .alreadyPaired: "Dieses Ding hat schon einen Tracker. Entkopple ihn zuerst."
        case .noTracker: "Dieses Ding hat keinen Tracker."
        case .appCannot: "Eine App auf einem Telefon kann das nicht."
        case .turnedOff: "Der Tracker ist ausgeschaltet. Schalte ihn zuerst ein."
        case .commandUnknown: "Wähle activate, locate, on, off oder ring."
        case .latitudeOutOfRange: "Gib einen Breitengrad von -90 bis 90 ein."
        case .longitudeOutOfRange: "Gib einen Längengrad von -180 bis 180 ein."
        case .accuracyOutOfRange: "Gib die Genauigkeit in Metern ein, von 0 bis 20000000."
        case .timeOutOfRange: "Gib eine Zeit zwischen dem Jahr 2000 und jetzt ein."
        case .trackerInUse: "Dieser Tracker gehört zu einem Ding. Dessen Besitzer muss ihn zuerst entkoppeln."
        case .contactUnreadable: "Das ist nicht, was ein Tracker sendet."
        case .contactTaken: "Dieser Schlüssel oder Code ist vergeben. Erzeuge neue."
        case .keyUnusable: "Das ist kein brauchbarer öffentlicher X25519-Schlüssel."
        case .codeHashUnusable: "Das ist kein SHA-256-Hash."
        case .trackerReleasing:
            "Dieser Tracker hat seinen früheren Besitzer noch nicht losgelassen. Lass ihn an und versuche es später."
        case .challengeUnusable: "Das ist keine Aufgabe aus 32 hexadezimalen Ziffern."
        case .pairingWrong: "Die Antwort des Trackers passt nicht. Beginne die Kopplung von vorn."
        case .pairingLate: "Die Anfrage an den Tracker ist abgelaufen. Beginne die Kopplung von vorn."
        case .tooFast: "Dieses Gerät sendet zu viel. Sende den Rest später."
        case .historyFull: "Der Verlauf ist voll. Behalte Positionen kürzer oder lösche ein Ding."
        case .placeNameMissing: "Gib den Namen des Orts ein."
        case .safeRadiusOutOfRange: "Gib eine ganze Zahl von 10 bis 10000 ein."
        case .tooManyPlaces: "Du hast zu viele sichere Orte. Lösche einen, den du nicht brauchst."
        }
    }
}

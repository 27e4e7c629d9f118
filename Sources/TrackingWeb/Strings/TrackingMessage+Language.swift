import Accounts
import Kernel
import Tracking
import WebCore

extension AppError {
    /// The same error, in the reader's words where they are Tracking's own or those of the parts that it is built on.
    func translated(to language: Language) -> AppError {
        guard language == .german else { return self }
        return AppError(
            code, Self.german(message), fields: fields.mapValues(Self.german), retryAfterSeconds: retryAfterSeconds,
            status: status
        )
    }

    /// The item changed since its form was made.
    var isMovedOn: Bool { code == .conflict && message == TrackingMessage.movedOn.rawValue }

    private static func german(_ english: String) -> String {
        TrackingMessage(rawValue: english)?.german ?? germanOfOthers[english] ?? english
    }

    /// What Kernel, Storage, Accounts and Pictures say where Tracking passes it on.
    private static let germanOfOthers: [String: String] = [
        "There is nothing here.": "Hier ist nichts.",
        "Sign in again.": "Melde dich erneut an.",
        "Please try again.": "Bitte versuche es noch einmal.",
        "This was already sent with other content. Reload the page and try again.":
            "Das wurde schon mit anderem Inhalt gesendet. Lade die Seite neu und versuche es noch einmal.",
        "The server is busy. Please try again in a moment.":
            "Der Server ist beschäftigt. Versuche es gleich noch einmal.",
        "Nothing can be saved at the moment. Please try again later.":
            "Im Moment lässt sich nichts sichern. Versuche es später noch einmal.",
        AccountMessage.throttled.rawValue:
            "Zu viele Versuche. Warte eine Weile und versuche es dann erneut.",
        "This picture isn't in your library. Choose another one.":
            "Dieses Bild ist nicht unter deinen Fotos. Wähle ein anderes.",
        "Too many pictures are being worked on. Try again in a moment.":
            "Gerade werden zu viele Bilder bearbeitet. Versuche es gleich noch einmal.",
        "Pictures can't be taken at the moment. Try again later.":
            "Im Moment können keine Bilder angenommen werden. Versuche es später noch einmal.",
    ]
}

extension TrackingMessage {
    /// The sentence in German.
    var german: String {
        switch self {
        case .nameMissing: "Gib den Namen des Dings ein."
        case .nameTooLong: "Der Name darf höchstens 50 Zeichen haben."
        case .nameUnreadable: "Nimm für den Namen nur lesbare Buchstaben und Zeichen."
        case .minutesOutOfRange: "Gib eine ganze Zahl von 1 bis 1440 ein."
        case .metresOutOfRange: "Gib eine ganze Zahl von 1 bis 100000 ein."
        case .walkOutOfRange: "Gib eine ganze Zahl von 0 bis 100000 ein."
        case .movedOn: "Das wurde inzwischen anderswo geändert. Sieh es dir an und wiederhole deine Änderung."
        case .tooManyItems: "Deine Liste ist voll. Lösche ein Ding, das du nicht brauchst."
        case .tooManySources: "Du hast zu viele Apps verbunden. Trenne eine, die du nicht brauchst."
        case .secretsShown:
            "Das ist schon geschehen, und die Geheimnisse wurden dabei gezeigt. Erzeuge neue, wenn du welche brauchst."
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
        }
    }
}

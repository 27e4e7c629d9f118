import Carrepsa
import Kernel
import WebCore

extension CarrepsaMessage {
    /// Returns the translation of an error message of Carrepsa; `nil` for any other text.
    static func translation(of english: String, to language: Language) -> String? {
        switch language {
        case .english: nil
        case .german: CarrepsaMessage(rawValue: english)?.german
        }
    }

    /// The message in German.
    var german: String {
        switch self {
        case .titleMissing: "Sag in ein paar Worten, was es ist."
        case .titleTooLong: "Nimm höchstens 50 Zeichen für den Titel."
        case .titleUnreadable: "Entferne Zeichen aus dem Titel, die nicht erlaubt sind."
        case .placeMissing: "Gib einen Ort ein."
        case .placeTooLong: "Nimm höchstens 100 Zeichen für den Ort."
        case .placeUnreadable: "Entferne Zeichen aus dem Ort, die nicht erlaubt sind."
        case .weightOutOfRange: "Gib das Gewicht in ganzen Gramm ein, von 1 bis 1000000."
        case .amountOutOfRange: "Gib einen Betrag über null ein, höchstens 1000000000000 der kleinsten Einheit."
        case .tooManyBytes: "Dieser Text ist zu lang. Nimm weniger Emojis oder Akzente."
        case .textTooLong: "Nimm höchstens 1000 Zeichen."
        case .textUnreadable: "Entferne Zeichen, die nicht erlaubt sind."
        case .deadlineTooEarly: "Die späteste Abholung muss in der Zukunft liegen."
        case .statementMissing: "Beschreibe, was geschehen ist."
        case .noStatementsLeft: "Du kannst dich bis zu fünfmal äußern und hast das getan."
        case .reasonMissing: "Sag, was geschehen ist."
        case .filterWeightOutOfRange: "Gib mindestens 1 Gramm ein."
        case .cursorUnknown: "Diese Seite gibt es nicht. Beginne wieder bei der ersten."
        case .phoneMissing: "Gib eine Telefonnummer an: Die andere Seite muss dich erreichen können."
        case .grownUpsOnly: "Nur Erwachsene können Pakete verschicken und mitnehmen."
        case .rewardAboveBalance: "In deiner Geldbörse ist nicht genug Geld für diesen Lohn."
        case .lockAboveBalance: "In deiner Geldbörse ist nicht genug Geld für das Pfand."
        case .rewardNotFunded:
            "Die Geldbörse des Besitzers deckt den Lohn gerade nicht. Der Besitzer wurde benachrichtigt."
        case .balanceTooSmall: "In dieser Geldbörse ist nicht genug Geld."
        case .ownPackage: "Das ist dein eigenes Paket."
        case .notAvailable: "Dieses Paket ist nicht mehr zu haben."
        case .stateMovedOn: "Das Paket wurde anderswo geändert. Sieh es dir an und versuche es erneut."
        case .roleMayNot: "Das darfst du nicht."
        case .deadlinePassed: "Die späteste Abholung ist vorbei."
        case .alreadyReported: "Das hast du schon gemeldet. Der Besitzer wurde benachrichtigt."
        case .alreadyRequested: "Darum hast du schon gebeten. Die andere Seite muss zustimmen."
        case .nothingRequested: "Es gibt keine Bitte um Abbruch."
        case .alreadyInDispute: "Ein Administrator wurde schon gefragt."
        case .notInDispute: "Dieses Paket ist nicht strittig."
        case .operatorsOnly: "Das dürfen nur Administratoren."
        case .codeMissing: "Gib den Code ein, den dir die andere Seite zeigt."
        case .codeWrong: "Dieser Code stimmt nicht. Lass dir einen neuen zeigen."
        case .codeThrottled: "Zu viele falsche Codes. Warte eine halbe Stunde und versuche es dann erneut."
        case .noHandover: "Gerade ist nichts zu übergeben."
        case .packagesUnderWay:
            "Du hast noch angebotene oder laufende Pakete. Bringe sie zu Ende oder ziehe sie zurück."
        case .balanceLeft:
            "In deiner Geldbörse ist noch Geld. Bitte zuerst den Administrator dieses Servers, es auszuzahlen."
        case .paymentKnown: "Diese Zahlung gab es schon, mit anderem Inhalt."
        }
    }
}

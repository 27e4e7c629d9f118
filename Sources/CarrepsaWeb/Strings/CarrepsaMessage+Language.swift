import Carrepsa
import Kernel
import WebCore

extension CarrepsaMessage {
    /// A sentence of Carrepsa in the reader's words; `nil` for any other.
    static func translation(of english: String, to language: Language) -> String? {
        switch language {
        case .english: nil
        case .german: CarrepsaMessage(rawValue: english)?.german
        }
    }

    /// The sentence in German.
    var german: String {
        switch self {
        case .titleMissing: "Sag in ein paar Worten, was es ist."
        case .titleTooLong: "Nimm höchstens 50 Zeichen für den Titel."
        case .titleUnreadable: "Nimm für den Titel nur lesbare Zeichen."
        case .placeMissing: "Gib einen Ort ein."
        case .placeTooLong: "Nimm höchstens 100 Zeichen für den Ort."
        case .placeUnreadable: "Nimm für den Ort nur lesbare Zeichen."
        case .weightOutOfRange: "Gib das Gewicht in ganzen Gramm ein, von 1 bis 1000000."
        case .amountOutOfRange: "Gib einen Betrag über null ein, höchstens 1000000000000 der kleinsten Einheit."
        case .tooManyBytes: "Nimm weniger Emojis oder Akzente: Der Text braucht zu viel Platz."
        case .textTooLong: "Nimm höchstens 1000 Zeichen."
        case .textUnreadable: "Nimm nur lesbare Zeichen."
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
        case .rewardNotFunded: "Der Besitzer kann den Lohn gerade nicht decken. Er wurde benachrichtigt."
        case .balanceTooSmall: "In dieser Geldbörse ist nicht genug Geld."
        case .ownPackage: "Das ist dein eigenes Paket."
        case .notAvailable: "Dieses Paket ist nicht mehr zu haben."
        case .stateMovedOn: "Mit dem Paket ging es inzwischen weiter. Sieh es dir noch einmal an."
        case .roleMayNot: "Das steht dir nicht zu."
        case .deadlinePassed: "Die späteste Abholung ist vorbei."
        case .alreadyReported: "Das hast du schon gesagt. Der Besitzer wurde benachrichtigt."
        case .alreadyRequested: "Darum hast du schon gebeten. Die andere Seite muss zustimmen."
        case .nothingRequested: "Niemand hat um Abbruch gebeten."
        case .alreadyInDispute: "Ein Betreiber wurde schon gefragt."
        case .notInDispute: "Niemand hat um eine Entscheidung gebeten."
        case .operatorsOnly: "Das dürfen nur Betreiber."
        case .codeMissing: "Gib den Code ein, den dir die andere Seite zeigt."
        case .codeWrong: "Dieser Code stimmt nicht. Lass dir einen neuen zeigen."
        case .codeThrottled: "Zu viele falsche Codes. Warte eine halbe Stunde und versuche es dann erneut."
        case .noHandover: "Gerade ist nichts zu übergeben."
        case .packagesUnderWay:
            "Du hast noch angebotene oder laufende Pakete. Bringe sie zu Ende oder ziehe sie zurück."
        case .balanceLeft:
            "In deiner Geldbörse ist noch Geld. Bitte den, der diesen Server betreibt, es erst auszuzahlen."
        case .paymentKnown: "Diese Zahlung gab es schon, mit anderem Inhalt."
        }
    }
}

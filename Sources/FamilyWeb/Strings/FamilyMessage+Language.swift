import Family
import Kernel
import WebCore

extension FamilyMessage {
    /// Returns the translation of a message of Family; `nil` for any other text.
    static func translation(of english: String, to language: Language) -> String? {
        switch language {
        case .english: nil
        case .german: FamilyMessage(rawValue: english)?.german
        }
    }

    /// The message in German.
    var german: String {
        switch self {
        case .dateOfBirthMissing: "Gib dein Geburtsdatum ein."
        case .childNameMissing: "Gib den Namen des Kindes ein."
        case .childDateOfBirthMissing: "Gib das Geburtsdatum des Kindes ein."
        case .noHousehold: "Bitte einen Elternteil, dich zur Familie hinzuzufügen."
        case .parentsOnly: "Bitte einen Elternteil darum."
        case .childrenOnly: "Nur das Kind selbst kann um Punkte bitten."
        case .reasonTooLong: "Nimm höchstens 200 Zeichen für den Grund."
        case .reasonUnreadable: "Entferne Zeichen aus dem Grund, die nicht erlaubt sind."
        case .onlyParent:
            "Du bist der einzige Elternteil dieser Familie. Lade erst einen anderen ein oder lösche dein Konto."
        case .makerOnly:
            "Sofort kann das nur der Elternteil, der diese Familie angelegt hat. Kündige das Entfernen stattdessen an."
        case .notWithThisParent: "Das geht mit diesem Elternteil nicht."
        case .tooNewToAnnounce:
            "Du kannst das Entfernen ankündigen, sobald du seit 7 Tagen in dieser Familie bist."
        case .announcedBefore:
            "Deine letzte Ankündigung wurde zurückgenommen. 7 Tage danach kannst du das Entfernen wieder ankündigen."
        case .announcerOnly:
            "Nur wer das Entfernen angekündigt oder diese Familie angelegt hat, kann es zurücknehmen."
        case .removalAnnounced: "Das Entfernen dieses Elternteils ist schon angekündigt."
        case .removalRefused:
            "Dieser Elternteil hat widersprochen. Versuch es später noch einmal oder frag den Elternteil, der die Familie angelegt hat."
        case .deletionTakesChildren:
            "Du bist der einzige Elternteil deiner Familie. Mit deinem Konto werden die Profile und Punkte deiner Kinder gelöscht."
        case .deletionLeavesChildren:
            "Deine Kinder bleiben bei den anderen Eltern deiner Familie. Die anderen Eltern erfahren davon."
        case .required: "Das darf nicht leer bleiben."
        case .choreNameMissing: "Gib einen Namen für die Aufgabe ein."
        case .tooManyBytes: "Dieser Text ist zu lang. Nimm weniger Emojis oder Akzente."
        case .choreNameTooLong: "Nimm höchstens 50 Zeichen für den Namen."
        case .choreNameUnreadable: "Entferne Zeichen aus dem Namen, die nicht erlaubt sind."
        case .choreLacksPicture: "Wähle ein Bild für die Aufgabe."
        case .movedOn: "Das wurde anderswo geändert. Sieh es dir an und versuche es erneut."
        case .maximumOutOfRange: "Gib die Höchstpunktzahl als ganze Zahl ein, von 1 bis 1000000."
        case .descriptionTooLong: "Nimm höchstens 1000 Zeichen."
        case .descriptionUnreadable: "Entferne Zeichen, die nicht erlaubt sind."
        case .levelsMissing: "Füge mindestens eine Stufe hinzu."
        case .levelsTooMany: "Ein Vertrag hat höchstens 10 Stufen."
        case .rewardMissing: "Gib eine Belohnung ein."
        case .rewardTooLong: "Nimm höchstens 100 Zeichen für die Belohnung."
        case .rewardUnreadable: "Entferne Zeichen aus der Belohnung, die nicht erlaubt sind."
        case .levelPointsMissing: "Gib die Punkte der Stufe als ganze Zahl ein, mindestens 1."
        case .levelAboveMaximum: "Eine Stufe kann nicht mehr Punkte kosten als die Höchstpunktzahl des Vertrags."
        case .levelsAboveMaximum: "Zusammen kosten die Stufen mehr Punkte als die Höchstpunktzahl des Vertrags."
        case .levelNotReached: "Diese Stufe ist noch nicht erreicht."
        case .noChores: "Wähle Punkte für mindestens eine Aufgabe."
        case .tooManyChores: "Vergib höchstens 100 Aufgaben auf einmal."
        case .choreMissing: "Wähle eine Aufgabe."
        case .choreTwice: "Wähle jede Aufgabe nur einmal."
        case .pointsOutOfRange: "Wähle 1, 2 oder 3 Punkte."
        case .choreGone: "Diese Aufgabe wurde gelöscht. Es wurden keine Punkte vergeben."
        case .alreadyUndone: "Das wurde schon zurückgenommen."
        case .alreadyRequested: "Darum hast du schon gebeten. Ein Elternteil entscheidet."
        case .tooManyRequests: "Warte, bis ein Elternteil über deine Anfragen entschieden hat."
        case .tooManyChoresKept: "Die Familie hat schon 200 Aufgaben. Lösche Aufgaben, die du nicht brauchst."
        case .tooManyChildren: "Eine Familie kann höchstens 30 Kinder haben."
        case .tooManyParents: "Eine Familie kann höchstens 10 Eltern haben."
        case .codeMissing: "Scanne den Code oder öffne seinen Link."
        case .codeUnknown: "Dieser Code gilt nicht mehr. Bitte einen Elternteil um einen neuen."
        case .invitationUnknown: "Diese Einladung gilt nicht mehr. Bitte um eine neue."
        case .codeThrottled: "Zu viele falsche Codes. Warte eine Viertelstunde und versuche es dann erneut."
        case .alreadyMember: "Du gehörst schon zu dieser Familie."
        case .ownHouseholdInUse:
            "Deine eigene Familie hat Kinder oder Aufgaben. Lösche sie zuerst, dann tritt der anderen bei."
        case .leaveFirst:
            "Deine Familie hat einen weiteren Elternteil. Verlasse sie zuerst, dann tritt der anderen bei."
        case .restorableFirst:
            "Ein gelöschtes Kind deiner Familie kann noch wiederhergestellt werden. Lösche es zuerst endgültig oder stelle "
                + "es wieder her, dann tritt der anderen bei."
        case .tooManyDeleted: "Deine Familie hat 60 gelöschte Kinder. Lösche zuerst einige endgültig."
        case .cursorUnknown: "Diese Seite gibt es nicht. Beginne wieder bei der ersten."
        }
    }
}

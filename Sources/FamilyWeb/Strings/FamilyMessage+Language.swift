import Family
import WebCore

extension FamilyMessage {
    /// A sentence of Family in the reader's words; `nil` for any other.
    static func translation(of english: String, to language: Language) -> String? {
        switch language {
        case .english: nil
        case .german: FamilyMessage(rawValue: english)?.german
        }
    }

    /// The sentence in German.
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
            "Sofort kann das nur, wer diese Familie angelegt hat. Kündige das Entfernen stattdessen an."
        case .notWithThisParent: "Das geht mit diesem Elternteil nicht."
        case .removalAnnounced: "Das Entfernen dieses Elternteils ist schon angekündigt."
        case .removalRefused:
            "Dieser Elternteil hat widersprochen. Versuch es später noch einmal oder frag, wer die Familie angelegt hat."
        case .deletionTakesChildren:
            "Du bist der einzige Elternteil deiner Familie. Mit deinem Konto gehen die Profile und Punkte deiner Kinder."
        case .deletionLeavesChildren:
            "Deine Kinder bleiben bei den anderen Eltern deiner Familie. Die anderen Eltern erfahren davon."
        case .required: "Das darf nicht leer bleiben."
        case .choreNameMissing: "Gib einen Namen für die Aufgabe ein."
        case .tooManyBytes: "Nimm weniger Emojis oder Akzente: Der Text braucht zu viel Platz."
        case .choreNameTooLong: "Nimm höchstens 50 Zeichen für den Namen."
        case .choreNameUnreadable: "Nimm für den Namen nur lesbare Zeichen."
        case .choreLacksPicture: "Wähle ein Bild für die Aufgabe."
        case .movedOn: "Das wurde inzwischen anderswo geändert. Sieh es dir an und ändere es noch einmal."
        case .maximumOutOfRange: "Gib die Höchstpunktzahl als ganze Zahl ein, von 1 bis 1000000."
        case .descriptionTooLong: "Nimm höchstens 1000 Zeichen."
        case .descriptionUnreadable: "Nimm nur lesbare Zeichen."
        case .levelsMissing: "Füge mindestens eine Stufe hinzu."
        case .levelsTooMany: "Ein Vertrag hat höchstens 10 Stufen."
        case .rewardMissing: "Gib eine Belohnung ein."
        case .rewardTooLong: "Nimm höchstens 100 Zeichen für die Belohnung."
        case .rewardUnreadable: "Nimm für die Belohnung nur lesbare Zeichen."
        case .levelPointsMissing: "Gib die Punkte der Stufe als ganze Zahl ein, mindestens 1."
        case .levelAboveMaximum: "Eine Stufe kann nicht mehr Punkte kosten als die Höchstpunktzahl des Vertrags."
        case .levelsAboveMaximum: "Zusammen kosten die Stufen mehr Punkte als die Höchstpunktzahl des Vertrags."
        case .levelNotReached: "Diese Stufe ist nicht erreicht."
        case .noChores: "Wähle Punkte für mindestens eine Aufgabe."
        case .tooManyChores: "Vergib höchstens 100 Aufgaben auf einmal."
        case .choreMissing: "Wähle eine Aufgabe."
        case .choreTwice: "Jede Aufgabe nur einmal."
        case .pointsOutOfRange: "Wähle 1, 2 oder 3 Punkte."
        case .choreGone: "Diese Aufgabe wurde inzwischen gelöscht. Nichts wurde gebucht."
        case .alreadyUndone: "Das wurde schon zurückgenommen."
        case .alreadyRequested: "Darum hast du schon gebeten. Ein Elternteil muss entscheiden."
        case .tooManyRequests: "Warte, bis ein Elternteil über das entschieden hat, worum du gebeten hast."
        case .tooManyChoresKept: "Es gibt schon 200 Aufgaben. Lösche welche, die du nicht brauchst."
        case .tooManyChildren: "Eine Familie hat hier höchstens 30 Kinder."
        case .tooManyParents: "Eine Familie hat hier höchstens 10 Eltern."
        case .codeMissing: "Scanne den Code oder öffne seinen Link."
        case .codeUnknown: "Dieser Code gilt nicht mehr. Bitte einen Elternteil um einen neuen."
        case .invitationUnknown: "Diese Einladung gilt nicht mehr. Bitte um eine neue."
        case .codeThrottled: "Zu viele falsche Codes. Warte eine Viertelstunde und versuche es dann erneut."
        case .alreadyMember: "Du gehörst schon zu dieser Familie."
        case .ownHouseholdInUse:
            "Deine eigene Familie hat Kinder oder Aufgaben. Lösche sie zuerst, dann tritt der anderen bei."
        case .cursorUnknown: "Diese Seite gibt es nicht. Beginne wieder bei der ersten."
        }
    }
}

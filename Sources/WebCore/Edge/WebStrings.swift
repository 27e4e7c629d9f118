import Kernel

/// The strings of the outermost responder, outside any app.
struct WebStrings: Sendable {
    let home: String
    let family: String
    let requestLabel: String
    let signInFirst: String
    let forbidden: String
    let grownUpsOnly: String
    let notFound: String
    let notFoundWhy: String
    let movedOn: String
    let malformed: String
    let badHeader: String
    let tooManyMarks: String
    let noObject: String
    let unsupportedType: String
    let noMultipart: String
    let unknownMethod: String
    let tooLarge: String
    let tooManyParts: String
    let crossOrigin: String
    let badIdempotencyKey: String
    let tooManyStreams: String
    let `internal`: String
    let unavailable: String
    let goOn: String
    private let titles: [AppError.Code: String]

    static func of(_ language: Language) -> WebStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    func title(of code: AppError.Code) -> String { titles[code] ?? titles[.malformed] ?? "" }

    static let english = WebStrings(
        home: "Home",
        family: "Family",
        requestLabel: "Request",
        signInFirst: "Sign in first.",
        forbidden: "You may not do this.",
        grownUpsOnly: "This is for adults. Ask a parent.",
        notFound: "There is nothing here.",
        notFoundWhy: "It was deleted, or this address is wrong.",
        movedOn: "This was changed elsewhere. Review it and try again.",
        malformed: "This request can't be read.",
        badHeader: "A header of this request holds characters outside ASCII.",
        tooManyMarks: "This address has too many combining marks in a row.",
        noObject: "Send one JSON object.",
        unsupportedType: "Send JSON or a form.",
        noMultipart: "Send the file in a form of the type multipart/form-data.",
        unknownMethod: "This can't be done here.",
        tooLarge: "That is too much at once.",
        tooManyParts: "The form has too many or too long fields.",
        crossOrigin: "This came from another website. Open the page here and try again.",
        badIdempotencyKey: "A key has 1 to 200 bytes.",
        tooManyStreams: "Too many open pages. Close some of them.",
        internal:
            """
            Something went wrong on our side. Try again; if the problem persists, tell the administrator the \
            request's number.
            """,
        unavailable: "Not possible right now. Try again in a moment.",
        goOn: "Continue",
        titles: [
            .malformed: "That didn't work", .invalid: "Check what you entered", .unauthenticated: "Sign in",
            .forbidden: "Not allowed", .notFound: "Nothing here", .conflict: "That isn't possible",
            .insufficientFunds: "Not enough money", .rewardNotFunded: "Not enough money", .tooLarge: "Too large",
            .locked: "Locked", .throttled: "Too many tries", .internal: "Something went wrong",
            .unavailable: "Not possible right now",
        ]
    )

    static let german = WebStrings(
        home: "Start",
        family: "Familie",
        requestLabel: "Anfrage",
        signInFirst: "Melde dich zuerst an.",
        forbidden: "Das darfst du nicht.",
        grownUpsOnly: "Das ist für Erwachsene. Frag deine Eltern.",
        notFound: "Hier ist nichts.",
        notFoundWhy: "Es wurde gelöscht, oder die Adresse stimmt nicht.",
        movedOn: "Das wurde anderswo geändert. Sieh es dir an und versuche es erneut.",
        malformed: "Diese Anfrage ist nicht lesbar.",
        badHeader: "Ein Header dieser Anfrage enthält Zeichen außerhalb von ASCII.",
        tooManyMarks: "Diese Adresse hat zu viele kombinierende Zeichen hintereinander.",
        noObject: "Sende ein JSON-Objekt.",
        unsupportedType: "Sende JSON oder ein Formular.",
        noMultipart: "Sende die Datei in einem Formular vom Typ multipart/form-data.",
        unknownMethod: "Das geht hier nicht.",
        tooLarge: "Das ist zu viel auf einmal.",
        tooManyParts: "Das Formular hat zu viele oder zu lange Felder.",
        crossOrigin: "Das kam von einer anderen Website. Öffne die Seite hier und versuche es erneut.",
        badIdempotencyKey: "Ein Schlüssel hat 1 bis 200 Bytes.",
        tooManyStreams: "Zu viele offene Seiten. Schließe einige davon.",
        internal:
            """
            Bei uns ist etwas schiefgegangen. Versuche es erneut; bleibt das Problem, nenne dem Administrator die \
            Nummer der Anfrage.
            """,
        unavailable: "Das geht gerade nicht. Versuche es gleich noch einmal.",
        goOn: "Weiter",
        titles: [
            .malformed: "Das hat nicht geklappt", .invalid: "Prüfe deine Eingaben", .unauthenticated: "Anmelden",
            .forbidden: "Nicht erlaubt", .notFound: "Hier ist nichts", .conflict: "Das geht nicht",
            .insufficientFunds: "Zu wenig Geld", .rewardNotFunded: "Zu wenig Geld", .tooLarge: "Zu groß",
            .locked: "Gesperrt", .throttled: "Zu viele Versuche", .internal: "Etwas ist schiefgegangen",
            .unavailable: "Geht gerade nicht",
        ]
    )
}

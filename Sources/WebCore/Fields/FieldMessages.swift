import Kernel

/// The error messages of fields.
struct FieldMessages: Sendable {
    let missing: String
    let text: String
    /// For a text with too many combining marks in a row.
    let marks: String
    /// For a query value with U+0000.
    let null: String
    let whole: String
    let number: String
    let boolean: String
    let identifier: String
    let time: String
    let choice: String
    let file: String
    let list: String
    let entry: String
    /// For an entry of a form's list whose number has another spelling than its canonical one.
    let spelling: String
    let unknownCursor: String
    let checkFields: String
    private let range: String
    private let many: String

    static func of(_ language: Language) -> FieldMessages {
        switch language {
        case .english: english
        case .german: german
        }
    }

    func between(_ low: some Numeric, _ high: some Numeric) -> String {
        range.replacing("LOW", with: "\(low)").replacing("HIGH", with: "\(high)")
    }

    func tooMany(_ most: Int) -> String { many.replacing("MOST", with: "\(most)") }

    static let english = FieldMessages(
        missing: "This is needed.",
        text: "Enter text.",
        marks: "Too many marks are on one letter. Remove some of them.",
        null: "Remove the null character.",
        whole: "Enter a whole number.",
        number: "Enter a number.",
        boolean: "Choose yes or no.",
        identifier: "There is no such thing.",
        time: "Enter a time such as 2026-03-01T12:00:00Z.",
        choice: "Choose one of the choices given.",
        file: "Choose a file.",
        list: "Give a list.",
        entry: "Give an object here.",
        spelling: "Number the entries 0, 1, 2.",
        unknownCursor: "Start from the first page.",
        checkFields: "Check what is marked.",
        range: "Enter a number from LOW to HIGH.",
        many: "Give at most MOST."
    )

    static let german = FieldMessages(
        missing: "Das wird gebraucht.",
        text: "Gib einen Text ein.",
        marks: "Ein Buchstabe hat zu viele Zeichen über oder unter sich. Entferne einige davon.",
        null: "Entferne das Nullzeichen.",
        whole: "Gib eine ganze Zahl ein.",
        number: "Gib eine Zahl ein.",
        boolean: "Wähle Ja oder Nein.",
        identifier: "Das gibt es nicht.",
        time: "Gib eine Zeit wie 2026-03-01T12:00:00Z ein.",
        choice: "Wähle eine der Möglichkeiten.",
        file: "Wähle eine Datei.",
        list: "Gib eine Liste an.",
        entry: "Gib hier ein Objekt an.",
        spelling: "Nummeriere die Einträge 0, 1, 2.",
        unknownCursor: "Beginne mit der ersten Seite.",
        checkFields: "Prüfe die markierten Felder.",
        range: "Gib eine Zahl von LOW bis HIGH ein.",
        many: "Gib höchstens MOST an."
    )
}

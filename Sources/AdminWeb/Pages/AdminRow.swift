import WebCore

/// A row of a list without actions: an icon, a title and notes below it.
struct AdminRow: Sendable {
    let icon: String
    let titleText: String
    /// The notes in the reader's language.
    let notes: [String]
    /// The notes that aren't translated, such as a path.
    let verbatimNotes: [String]
    let moment: FormattedTime?

    init(
        icon: String, title: String, notes: [String?] = [], verbatim: [String?] = [], moment: FormattedTime? = nil
    ) {
        self.icon = icon
        titleText = title
        self.notes = notes.compactMap(\.self)
        verbatimNotes = verbatim.compactMap(\.self)
        self.moment = moment
    }
}

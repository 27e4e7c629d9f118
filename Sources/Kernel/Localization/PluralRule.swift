/// The choice of a plural form by number (gnu.org/software/gettext/manual/html_node/Plural-forms.html).
package enum PluralRule: String, Sendable, CaseIterable {
    /// English, German, Spanish.
    case singularForOne = "nplurals=2; plural=(n != 1);"
    /// French.
    case singularUpToOne = "nplurals=2; plural=(n > 1);"

    /// Reads `Plural-Forms` in the header of a file with translations. `nil` for an unknown rule.
    init?(header: String) {
        let name = "Plural-Forms: "
        guard let line = header.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        self.init(rawValue: String(line.dropFirst(name.count)))
    }

    /// The number of forms.
    package var formCount: Int { 2 }

    /// Returns the index of the form for a number.
    package func form(for count: Int) -> Int {
        switch self {
        case .singularForOne: count == 1 ? 0 : 1
        case .singularUpToOne: count > 1 ? 1 : 0
        }
    }
}

/// Translates the texts of the program into one language.
///
/// Call it as a function, with the English text as a literal: `t("Deposit {amount}", ["amount": text])`. The literals
/// are extracted into the files with translations.
package struct Translator: Sendable {
    package let language: Language
    private let catalog: TranslationCatalog

    package init(_ language: Language, _ catalog: TranslationCatalog) {
        self.language = language
        self.catalog = catalog
    }

    /// Returns the translation of a text.
    /// - Parameters:
    ///   - values: the values of the placeholders, which are written as `{name}`. None can reorder the text around it
    ///     (``DirectionIsolate``).
    ///   - context: distinguishes equal English texts with different meanings, such as `verb`.
    package func callAsFunction(
        _ text: StaticString, _ values: KeyValuePairs<String, String> = [:], context: StaticString? = nil
    ) -> String {
        Self.filled(catalog.text(text.description, context: context?.description), Array(values))
    }

    /// Returns the translation for a number, which also fills the placeholder `{n}`.
    /// - Parameters:
    ///   - singular: the English text for the number 1.
    ///   - plural: the English text for other numbers.
    package func callAsFunction(
        _ singular: StaticString, plural: StaticString, count: Int, _ values: KeyValuePairs<String, String> = [:]
    ) -> String {
        let text = catalog.text(singular.description, plural: plural.description, count: count)
        return Self.filled(text, values + [(key: "n", value: String(count))])
    }

    /// English, for the modules that write their messages before a reader's language is known.
    package static let english = Translator(.english, .english)

    /// Returns the translation of an error message, whose numbers are already in place.
    package func message(_ english: String) -> String { catalog.message(english) }

    /// Returns the translation of a text that isn't a literal here, such as a part of a template.
    package func text(_ english: String, context: String? = nil) -> String { catalog.text(english, context: context) }

    /// Returns a translated text with its placeholders replaced.
    package static func filled(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
        filled(text, Array(values))
    }

    /// Replaces the placeholders in one pass, so that a value that looks like a placeholder stays as it is.
    static func filled(_ text: String, _ values: [(key: String, value: String)]) -> String {
        guard !values.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        // By byte: a page has hundreds of these texts, and the search for whole characters takes most of their time.
        func drop(_ bytes: Int) { rest = rest[rest.utf8.index(rest.startIndex, offsetBy: bytes)...] }
        while let next = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            result += rest[..<next]
            rest = rest[next...]
            let found = values.first { value in
                let after = rest.utf8.dropFirst()
                return after.starts(with: value.key.utf8)
                    && after.dropFirst(value.key.utf8.count).first == UInt8(ascii: "}")
            }
            guard let (name, value) = found else {
                result += "{"
                drop(1)
                continue
            }
            result += value.isolated
            drop(name.utf8.count + 2)
            // A value that ends with a full stop, for example "Ole O.", also ends the sentence.
            if value.utf8.last == UInt8(ascii: "."), rest.utf8.first == UInt8(ascii: ".") { drop(1) }
        }
        return result + rest
    }
}

/// The translations of all texts into one language.
package struct TranslationCatalog: Sendable {
    private struct Key: Hashable {
        let text: String
        let context: String?
    }

    private let translations: [Key: [String]]
    /// The texts with placeholders, by the same text with its placeholders left out.
    private let patterns: [String: (text: String, names: [String], isPlural: Bool)]
    private let pluralRule: PluralRule

    /// No translations: all texts stay English.
    package static let english = TranslationCatalog(nil)

    package init(_ file: POFile?) {
        var translations: [Key: [String]] = [:]
        var patterns: [String: (text: String, names: [String], isPlural: Bool)] = [:]
        for entry in file?.entries ?? [] where !entry.translations.contains("") {
            translations[Key(text: entry.text, context: entry.context)] = entry.translations
            guard entry.context == nil else { continue }
            for text in [entry.text, entry.plural ?? ""] where text.contains("{") {
                let (pattern, names) = Self.pattern(text)
                patterns[pattern] = (entry.text, names, entry.plural != nil)
            }
        }
        self.translations = translations
        self.patterns = patterns
        pluralRule = file?.pluralRule ?? .singularForOne
    }

    /// Returns the translation; `text` itself without one.
    func text(_ text: String, context: String?) -> String {
        translations[Key(text: text, context: context)]?.first ?? text
    }

    /// Returns the translation of a message whose placeholders are filled with whole numbers: `Use at most 50
    /// characters.` has the translation of `Use at most {n} characters.` The message itself without one.
    func message(_ message: String) -> String {
        if let translation = translations[Key(text: message, context: nil)]?.first { return translation }
        guard !patterns.isEmpty else { return message }
        let (pattern, numbers) = Self.pattern(message)
        guard !numbers.isEmpty, let (text, names, isPlural) = patterns[pattern],
            // A number that the text itself contains must be the same.
            zip(names, numbers).allSatisfy({ Int($0) == nil || $0 == $1 })
        else { return message }
        let values = zip(names, numbers).map { (key: $0, value: $1) }
        guard isPlural, let number = values.first(where: { $0.key == "n" }).flatMap({ Int($0.value) }) else {
            return Translator.filled(self.text(text, context: nil), values)
        }
        return Translator.filled(self.text(text, plural: message, count: number), values)
    }

    /// Returns the text with each placeholder and each whole number replaced by the null character, and what was
    /// replaced.
    private static func pattern(_ text: String) -> (pattern: String, parts: [String]) {
        var pattern = ""
        var parts: [String] = []
        var rest = text[...]
        while let first = rest.first {
            let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
            if !digits.isEmpty {
                pattern += "\0"
                parts.append(String(digits))
                rest = rest.dropFirst(digits.count)
            } else if first == "{", let end = rest.firstIndex(of: "}") {
                pattern += "\0"
                parts.append(String(rest[rest.index(after: rest.startIndex)..<end]))
                rest = rest[rest.index(after: end)...]
            } else {
                pattern.append(first)
                rest = rest.dropFirst()
            }
        }
        return (pattern, parts)
    }

    /// Returns the translation of the form for `count`; the English form without one.
    func text(_ singular: String, plural: String, count: Int) -> String {
        guard let forms = translations[Key(text: singular, context: nil)], forms.count == pluralRule.formCount else {
            return PluralRule.singularForOne.form(for: count) == 0 ? singular : plural
        }
        return forms[pluralRule.form(for: count)]
    }
}

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
            for text in [entry.text, entry.plural ?? ""] where text.utf8.contains(openingBrace) {
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

    /// Returns the translation of a message whose placeholders are filled with whole numbers or the paths of JSON
    /// files: `Use at most 50 characters.` has the translation of `Use at most {n} characters.` The message itself
    /// without one.
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

    /// Returns the text with each placeholder, whole number and path of a JSON file replaced by the null character, and
    /// what was replaced.
    private static func pattern(_ text: String) -> (pattern: String, parts: [String]) {
        var pattern: [UInt8] = []
        var parts: [String] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.first {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if !digits.isEmpty {
                pattern.append(0)
                parts.append(String(decoding: digits, as: UTF8.self))
                rest = rest[digits.endIndex...]
            } else if first == openingBrace, let end = rest.firstIndex(of: UInt8(ascii: "}")) {
                pattern.append(0)
                parts.append(String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self))
                rest = rest[(end + 1)...]
            } else if pattern.last == space, beginsWithPath(rest) {
                let path = rest.prefix { $0 != space }
                pattern.append(0)
                parts.append(String(decoding: path, as: UTF8.self))
                rest = rest[path.endIndex...]
            } else {
                pattern.append(first)
                rest = rest.dropFirst()
            }
        }
        return (String(decoding: pattern, as: UTF8.self), parts)
    }

    /// Whether the first word is the path of a JSON file, such as `tracking/items.json`.
    private static func beginsWithPath(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.prefix { $0 != space }.suffix(jsonEnd.count).elementsEqual(jsonEnd)
    }

    /// Returns the translation of the form for `count`; the English form without one.
    func text(_ singular: String, plural: String, count: Int) -> String {
        guard let forms = translations[Key(text: singular, context: nil)], forms.count == pluralRule.formCount else {
            return PluralRule.singularForOne.form(for: count) == 0 ? singular : plural
        }
        return forms[pluralRule.form(for: count)]
    }
}

private let openingBrace = UInt8(ascii: "{")
private let space = UInt8(ascii: " ")
private let jsonEnd = Array(".json".utf8)

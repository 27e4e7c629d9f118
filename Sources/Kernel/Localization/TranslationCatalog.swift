/// The translations of all texts into one language.
package struct TranslationCatalog: Sendable {
    private struct Key: Hashable {
        let text: String
        let context: String?
    }

    private let translations: [Key: [String]]
    private let pluralRule: PluralRule

    /// No translations: all texts stay English.
    package static let english = TranslationCatalog(nil)

    package init(_ file: POFile?) {
        var translations: [Key: [String]] = [:]
        for entry in file?.entries ?? [] where !entry.translations.contains("") {
            translations[Key(text: entry.text, context: entry.context)] = entry.translations
        }
        self.translations = translations
        pluralRule = file?.pluralRule ?? .singularForOne
    }

    /// Returns the translation; `text` itself without one.
    func text(_ text: String, context: String?) -> String {
        translations[Key(text: text, context: context)]?.first ?? text
    }

    /// Returns the translation of the form for `count`; the English form without one.
    func text(_ singular: String, plural: String, count: Int) -> String {
        guard let forms = translations[Key(text: singular, context: nil)], forms.count == pluralRule.formCount else {
            return PluralRule.singularForOne.form(for: count) == 0 ? singular : plural
        }
        return forms[pluralRule.form(for: count)]
    }
}

import Kernel
import Testing
import Translations

@Suite("Translations of the program")
struct TranslationsTests {
    @Test("Every language except English has a readable file", arguments: Language.allCases)
    func files(language: Language) throws {
        let file = try Translations.file(language)
        #expect((file == nil) == (language == .english))
        if let file { #expect(!file.entries.isEmpty) }
    }

    @Test("A translation has the placeholders of the English text, and all plural forms", arguments: Language.allCases)
    func placeholders(language: Language) throws {
        guard let file = try Translations.file(language) else { return }
        for entry in file.entries {
            let expected = Set(entry.text.matches(of: /\{\w+\}/).map(\.output))
            for translation in entry.translations {
                #expect(Set(translation.matches(of: /\{\w+\}/).map(\.output)) == expected, "\(entry.text)")
            }
            #expect(entry.translations.count == (entry.plural == nil ? 1 : file.pluralRule.formCount))
        }
    }
}

import Kernel
import Testing
import Translations

@Suite("Translations of the program")
struct TranslationsTests {
    private static func placeholders(_ text: String) -> Set<Substring> {
        Set(text.matches(of: /\{\w+\}/).map(\.output))
    }

    @Test("Every language except English has a readable file", arguments: Language.allCases)
    func files(language: Language) throws {
        let file = try Translations.file(language)
        #expect((file == nil) == (language == .english))
        if let file { #expect(!file.entries.isEmpty) }
    }

    @Test("A language without a file, or with a malformed one, is reported instead of staying English")
    func missing() {
        let content = { (language: Language) in "msgid \"\(language.rawValue)\"\nmsgstr \"x\"\n" }
        #expect(throws: Translations.Failure.missing(.french)) {
            try Translations.read { $0 == .french ? nil : content($0) }
        }
        #expect(throws: Translations.Failure.malformed(.spanish, line: 1)) {
            try Translations.read { $0 == .spanish ? "msgid" : content($0) }
        }
        #expect(throws: Never.self) { try Translations.check() }
        #expect("\(Translations.Failure.missing(.french))".contains("Embedded/fr.po is missing"))
    }

    @Test("A translation has the placeholders of the English text, and all plural forms", arguments: Language.allCases)
    func placeholders(language: Language) throws {
        guard let file = try Translations.file(language) else { return }
        for entry in file.entries {
            let expected = Self.placeholders(entry.plural ?? entry.text)
            for (form, translation) in entry.translations.enumerated() {
                // The form for one thing may say "an hour" instead of "{n} hour".
                let optional: Set<Substring> = entry.plural != nil && form == 0 ? ["{n}"] : []
                let found = Self.placeholders(translation)
                #expect(found.union(optional) == expected.union(optional), "\(entry.text)")
            }
            #expect(entry.translations.count == (entry.plural == nil ? 1 : file.pluralRule.formCount))
        }
    }
}

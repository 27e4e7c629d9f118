import Kernel
import Testing
import Translations

/// The typography of the texts that people read.
struct ApostropheRules {
    @Test("Texts and translations have typographic apostrophes", arguments: [Language.german, .french, .spanish])
    func apostrophes(language: Language) throws {
        let entries = try #require(try Translations.file(language)).entries
        #expect(entries.count > 1_500)
        let texts = entries.flatMap { [$0.text, $0.plural ?? ""] + $0.translations }
        #expect(texts.filter { $0.contains("'") } == [])
        #expect(texts.contains { $0.contains("’") })
    }
}

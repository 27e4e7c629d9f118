import Kernel
import Testing

@Suite("Languages")
struct LanguageTests {
    @Test("A locale belongs to its language", arguments: Language.allCases)
    func locales(language: Language) {
        #expect(language.locale.hasPrefix("\(language.rawValue)_"))
    }
}

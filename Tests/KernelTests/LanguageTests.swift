import Kernel
import Testing

@Suite("Languages")
struct LanguageTests {
    @Test("A locale belongs to its language", arguments: Language.allCases)
    func locales(language: Language) {
        #expect(language.locale.hasPrefix("\(language.rawValue)_"))
    }

    @Test("Decimals and groups of digits have different separators", arguments: Language.allCases)
    func separators(language: Language) {
        #expect(language.grouped("12345") != "12\(language.decimalSeparator)345")
        #expect(Currency.euro.text(1_250, in: language).contains("12\(language.decimalSeparator)50"))
    }

    @Test(
        "A distance has the units that fit, also where it is no number",
        arguments: [
            (0, "0\u{a0}m"), (999.4, "999\u{a0}m"), (999.6, "1.0\u{a0}km"), (1_234, "1.2\u{a0}km"),
            (9_960, "10\u{a0}km"), (20_015_000, "20,015\u{a0}km"), (1e300, "1,000,000\u{a0}km"),
            (.nan, "1,000,000\u{a0}km"),
        ] as [(Double, String)])
    func distances(metres: Double, text: String) {
        #expect(DistanceText.of(metres, Translator(.english, .english)) == text)
    }
}

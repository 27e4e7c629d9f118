import Testing

@testable import Kernel

@Suite("Money")
struct MoneyTests {
    struct Typed: Sendable {
        let text: String
        let minor: Int64?
    }

    private static let typed: [Typed] = [
        Typed(text: "12.50", minor: 1250), Typed(text: "12,50", minor: 1250), Typed(text: "12.5", minor: 1250),
        Typed(text: " 12 ", minor: 1200), Typed(text: "0", minor: 0), Typed(text: "0.01", minor: 1),
        Typed(text: "007", minor: 700), Typed(text: "92233720368547758.07", minor: .max),
        Typed(text: "92233720368547758.08", minor: nil), Typed(text: "99999999999999999999", minor: nil),
        Typed(text: "12.505", minor: nil), Typed(text: "1e3", minor: nil), Typed(text: "-1", minor: nil),
        Typed(text: "+1", minor: nil), Typed(text: "1 000", minor: nil), Typed(text: "1.000,00", minor: nil),
        Typed(text: "", minor: nil), Typed(text: ".", minor: nil), Typed(text: ".5", minor: nil),
        Typed(text: "5.", minor: nil), Typed(text: "١٢", minor: nil), Typed(text: "12€", minor: nil),
    ]

    @Test("A typed amount is parsed to the cent or rejected", arguments: typed)
    func reading(typed: Typed) { #expect(Currency.euro.minor(from: typed.text) == typed.minor) }

    struct TypedIn: Sendable {
        let language: Language
        let currency: String
        let text: String
        let minor: Int64?

        init(_ language: Language, _ currency: String, _ text: String, _ minor: Int64?) {
            self.language = language
            self.currency = currency
            self.text = text
            self.minor = minor
        }
    }

    private static let typedIn: [TypedIn] = [
        TypedIn(.german, "EUR", "1.000", 100_000), TypedIn(.english, "EUR", "1,000", 100_000),
        TypedIn(.spanish, "EUR", "1.000", 100_000), TypedIn(.english, "EUR", "1.000", nil),
        TypedIn(.french, "EUR", "1.000", nil), TypedIn(.german, "EUR", "1,000", nil),
        TypedIn(.english, "KWD", "1.000", 1_000), TypedIn(.german, "KWD", "1.000", 1_000_000),
        TypedIn(.english, "KWD", "1,000", 1_000_000), TypedIn(.french, "KWD", "1,000", 1_000),
        TypedIn(.french, "KWD", "1.000", nil), TypedIn(.german, "KWD", "0.500", 500),
        TypedIn(.german, "KWD", "1234.500", 1_234_500), TypedIn(.english, "JPY", "1,000", 1_000),
        TypedIn(.german, "JPY", "1.000", 1_000), TypedIn(.english, "JPY", "1.000", nil),
        TypedIn(.english, "JPY", "500.0", nil), TypedIn(.english, "EUR", "12,5", 1_250),
        TypedIn(.german, "EUR", "12.5", 1_250), TypedIn(.german, "EUR", "1.234.567,89", 123_456_789),
        TypedIn(.english, "EUR", "1.234.567,89", 123_456_789), TypedIn(.english, "EUR", "1.234.567", 123_456_700),
        TypedIn(.french, "EUR", "1 234,50", 123_450), TypedIn(.german, "CHF", "1\u{2019}234.50", 123_450),
        TypedIn(.english, "EUR", "1,23,456", nil), TypedIn(.english, "EUR", "1,234.567.89", nil),
        TypedIn(.english, "EUR", "€ 12.50", 1_250), TypedIn(.german, "EUR", "12,50\u{a0}€", 1_250),
        TypedIn(.german, "CHF", "CHF 12.50", 1_250), TypedIn(.german, "EUR", "€€12", nil),
        TypedIn(.english, "EUR", "-12", nil), TypedIn(.english, "EUR", "", nil), TypedIn(.english, "EUR", "€", nil),
        TypedIn(.french, "EUR", "14 000,12 EUR", 1_400_012), TypedIn(.german, "EUR", "100.000.000", 10_000_000_000),
        TypedIn(.english, "EUR", "€55.555", nil), TypedIn(.english, "EUR", "1.127,54 €", 112_754),
        TypedIn(.german, "DKK", "1.5", 150), TypedIn(.german, "EUR", "1.234", 123_400),
        TypedIn(.english, "EUR", "0,500.00", nil), TypedIn(.english, "EUR", ".5", nil),
    ]

    @Test(
        "A typed amount is read with the separators of the language, and never as a thousand times another",
        arguments: typedIn)
    func reading(typed: TypedIn) {
        #expect(Currency(code: typed.currency)?.minor(from: typed.text, in: typed.language) == typed.minor)
    }

    @Test(
        "An amount that the app prints is read back as the same amount",
        arguments: Language.allCases, ["EUR", "JPY", "KWD", "CHF"])
    func roundTrip(language: Language, code: String) throws {
        let currency = try #require(Currency(code: code))
        for minor in [0, 1, 999, 1_000, 12_345, 1_234_567, 123_456_789, 1_000_000_000_000] as [Int64] {
            #expect(currency.minor(from: currency.text(minor, in: language), in: language) == minor)
            let typed = currency.decimal(minor).replacing(".", with: language.decimalSeparator)
            #expect(currency.minor(from: typed, in: language) == minor)
        }
    }

    @Test("A command or setting has no groups, and no comma that could separate thousands")
    func programs() {
        let dinar = Currency(code: "KWD")
        #expect(dinar?.minor(from: "1.500") == 1_500)
        #expect(dinar?.minor(from: "1,500") == nil)
        #expect(dinar?.minor(from: "1,5") == 1_500)
    }

    @Test("Currencies have 0, 2 or 3 decimals")
    func decimals() {
        let yen = Currency(code: "JPY")
        #expect(yen?.exponent == 0)
        #expect(yen?.minor(from: "500") == 500)
        #expect(yen?.minor(from: "500.0") == nil)
        #expect(yen?.decimal(500) == "500")
        let dinar = Currency(code: "KWD")
        #expect(dinar?.minor(from: "1.5") == 1_500)
        #expect(dinar?.decimal(1_500) == "1.500")
    }

    @Test("Only three capital letters are a currency code", arguments: ["", "EU", "EURO", "eur", "EÜR", "E1R"])
    func badCode(code: String) { #expect(Currency(code: code) == nil) }

    @Test("Amounts are formatted for programs and for people")
    func writing() {
        let euro = Currency.euro
        #expect(euro.decimal(1250) == "12.50")
        #expect(euro.decimal(-5) == "-0.05")
        #expect(euro.decimal(.min) == "-92233720368547758.08")
        #expect(euro.text(123_456_789, in: .english) == "€1,234,567.89")
        #expect(euro.text(123_456_789, in: .german) == "1.234.567,89\u{a0}€")
        #expect(euro.text(-5, in: .english) == "\u{2212}€0.05")
        #expect(euro.text(123_456_789, in: .french) == "1\u{202f}234\u{202f}567,89\u{a0}€")
        #expect(euro.text(1_234_567, in: .spanish) == "12.345,67\u{a0}€")
        #expect(euro.text(123_450, in: .spanish) == "1234,50\u{a0}€")
        #expect(Currency(code: "CHF")?.text(99, in: .english) == "CHF\u{a0}0.99")
        #expect(Currency(code: "CHF")?.text(99, in: .german) == "0,99\u{a0}CHF")
        #expect(Currency(code: "JPY")?.text(1_000, in: .english) == "¥1,000")
    }
}

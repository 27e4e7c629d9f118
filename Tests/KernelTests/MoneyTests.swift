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

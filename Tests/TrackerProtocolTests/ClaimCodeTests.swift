import Kernel
import Testing
import TrackerProtocol

@Suite struct ClaimCodeTests {
    struct Typed: Sendable, CustomTestStringConvertible {
        let text: String
        let symbols: String?
        var testDescription: String { text.debugDescription }
    }

    static let typed = [
        Typed(text: "K7QF-2M9X-TR4C", symbols: "K7QF2M9XTR4C"),
        Typed(text: "k7qf2m9xtr4c", symbols: "K7QF2M9XTR4C"),
        Typed(text: "  K7QF 2M9X\tTR4C\n", symbols: "K7QF2M9XTR4C"),
        Typed(text: "K7QF\u{2013}2M9X\u{2011}TR4C", symbols: "K7QF2M9XTR4C"),
        Typed(text: "oO00-iIlL-1234", symbols: "000011111234"),
        Typed(text: "K7QF-2M9X-TR4", symbols: nil),
        Typed(text: "K7QF-2M9X-TR4CC", symbols: nil),
        Typed(text: "K7QF-2M9X-TR4U", symbols: nil),
        Typed(text: "K7QF-2M9X-TR4Ö", symbols: nil),
        Typed(text: "K7QF-2M9X-TR4\u{141}", symbols: nil),
        Typed(text: "", symbols: nil),
    ]

    @Test("A typed code is read despite case and separators", arguments: typed) func typing(_ typed: Typed) {
        #expect(ClaimCode(typed.text)?.symbols == typed.symbols)
    }

    @Test("A random code is grouped, reads back, and differs with the random source") func drawing() throws {
        var seen: Set<String> = []
        for seed in 0..<200 {
            let code = ClaimCode(random: FixedRandom(seed: UInt64(seed)))
            #expect(code.description.count == 14)
            #expect(ClaimCode(code.description) == code)
            seen.insert(code.symbols)
        }
        #expect(seen.count == 200)
    }
}

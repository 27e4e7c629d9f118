import Kernel
import Testing

@Suite("Names")
struct DisplayNameTests {
    struct Typed: Sendable {
        let typed: String
        let stored: String
    }

    static let taken: [Typed] = [
        Typed(typed: "Keys", stored: "Keys"),
        Typed(typed: "  Keys\n", stored: "Keys"),
        Typed(typed: "e\u{301}tui", stored: "\u{e9}tui"),
        Typed(typed: "👨‍👩‍👧‍👦", stored: "👨‍👩‍👧‍👦"),
        // Fifty grapheme clusters.
        Typed(
            typed: String(repeating: "👨‍👩‍👧‍👦", count: 50), stored: String(repeating: "👨‍👩‍👧‍👦", count: 50)),
        Typed(typed: "مفاتيح", stored: "مفاتيح"),
        Typed(typed: "<script>alert('x')</script>", stored: "<script>alert('x')</script>"),
        Typed(typed: String(repeating: "a", count: 50), stored: String(repeating: "a", count: 50)),
        Typed(typed: String(repeating: "👍🏽", count: 50), stored: String(repeating: "👍🏽", count: 50)),
    ]

    @Test("Names are trimmed and composed", arguments: taken)
    func takes(name: Typed) throws {
        let made = try DisplayName(name.typed)
        // Swift compares by canonical equivalence; the database compares bytes.
        #expect(Array(made.text.utf8) == Array(name.stored.utf8))
    }

    struct Refused: Sendable {
        let typed: String
        let failure: TextValidation.Failure
    }

    static let refused: [Refused] = [
        Refused(typed: "", failure: .empty),
        Refused(typed: " \t\n\u{a0}", failure: .empty),
        Refused(typed: "\u{200b}\u{200d}\u{3164}", failure: .empty),
        Refused(typed: String(repeating: "a", count: 51), failure: .tooLong),
        // Too many bytes to trim, although little would remain.
        Refused(
            typed: String(repeating: " ", count: Limits.nameBytes * Limits.typedBytesPerStoredByte) + "a",
            failure: .tooLong),
        Refused(typed: "a" + String(repeating: "\u{301}", count: 1_000), failure: .tooLong),
        Refused(typed: "a" + String(repeating: "\u{301}", count: 31), failure: .tooLong),
        Refused(typed: String(repeating: "👨‍👩‍👧‍👦", count: 51), failure: .tooLong),
        Refused(
            typed: String(repeating: "x" + String(repeating: "\u{301}", count: 25), count: 50), failure: .tooManyBytes),
        Refused(typed: "a\u{0}b", failure: .controlCharacter),
        Refused(typed: "a\nb", failure: .controlCharacter),
        Refused(typed: "a\u{7f}b", failure: .controlCharacter),
    ]

    @Test("Names that are empty, too long or contain control characters are rejected", arguments: refused)
    func refuses(name: Refused) {
        #expect(throws: name.failure) { try DisplayName(name.typed) }
    }
}

import Kernel
import Testing

@Suite("Texts that people type")
struct TextValidationTests {
    private static let characters = 10
    private static let bytes = 40

    private static func line(_ typed: String) throws(TextValidation.Failure) -> String {
        try TextValidation.line(typed, characters: characters, bytes: bytes)
    }

    private static func lines(_ typed: String?) throws(TextValidation.Failure) -> String? {
        try TextValidation.lines(typed, characters: characters, bytes: bytes)
    }

    @Test("Both kinds of text are trimmed and composed (NFC)")
    func normal() throws {
        for text in [try Self.line(" \te\u{301}tui\u{a0}\n"), try Self.lines("\r\n e\u{301}tui\u{2003}")] {
            // Swift compares by canonical equivalence; the database compares bytes.
            #expect(Array(try #require(text).utf8) == Array("\u{e9}tui".utf8))
        }
    }

    @Test("Only a text of several lines has line breaks and tabs; other control characters are refused in both")
    func controlCharacters() throws {
        #expect(try Self.lines("a\r\nb\n\tc") == "a\nb\n\tc")
        for text in ["a\nb", "a\tb", "a\r\nb"] {
            #expect(throws: TextValidation.Failure.controlCharacter) { try Self.line(text) }
        }
        for text in ["a\u{0}b", "a\u{7f}b", "a\rb", "a\u{85}b"] {
            #expect(throws: TextValidation.Failure.controlCharacter) { try Self.line(text) }
            #expect(throws: TextValidation.Failure.controlCharacter) { try Self.lines(text) }
        }
    }

    @Test(
        "Control characters of direction are refused in names and other texts of one line",
        arguments: [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])
    func directions(value: UInt32) throws {
        let text = "a\(try #require(Unicode.Scalar(value)))b"
        #expect(throws: TextValidation.Failure.controlCharacter) { try Self.line(text) }
        // A paragraph of its own has nothing beside it. Marks of direction belong to Hebrew and Arabic texts.
        #expect(try Self.lines(text) == text)
        #expect(try Self.line("שרה\u{200f}") == "שרה\u{200f}")
    }

    @Test("A blank text is missing as a line and absent as several lines")
    func blank() throws {
        for text in ["", " ", "\n\t", "\u{a0}"] {
            #expect(throws: TextValidation.Failure.empty) { try Self.line(text) }
            #expect(try Self.lines(text) == nil)
        }
        #expect(try Self.lines(nil) == nil)
        #expect(throws: TextValidation.Failure.empty) { try Self.line("\u{200b}\u{200d}") }
    }

    @Test("Characters and bytes are counted after trimming, line breaks as one")
    func limits() throws {
        #expect(try Self.line("  0123456789  ") == "0123456789")
        #expect(try Self.lines("0123\r\n56789") == "0123\n56789")
        for text in ["0123456789a", String(repeating: "👍🏽", count: 11)] {
            #expect(throws: TextValidation.Failure.tooLong) { try Self.line(text) }
            #expect(throws: TextValidation.Failure.tooLong) { try Self.lines(text) }
        }
        let heavy = String(repeating: "👍🏽", count: 6)
        #expect(throws: TextValidation.Failure.tooManyBytes) { try Self.line(heavy) }
        #expect(throws: TextValidation.Failure.tooManyBytes) { try Self.lines(heavy) }
    }

    @Test("A text that would be expensive to normalize is too long, whatever would remain of it")
    func expensive() {
        let texts = [
            String(repeating: " ", count: Self.bytes * Limits.typedBytesPerStoredByte) + "a",
            "a" + String(repeating: "\u{301}", count: Limits.nonStarters + 1),
        ]
        for text in texts {
            #expect(throws: TextValidation.Failure.tooLong) { try Self.line(text) }
            #expect(throws: TextValidation.Failure.tooLong) { try Self.lines(text) }
            #expect(throws: TextValidation.Failure.tooLong) { try TextValidation.normalized(text, bytes: Self.bytes) }
        }
    }
}

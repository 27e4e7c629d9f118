import Kernel
import Testing

@Suite("The Stream-Safe Text Format")
struct StreamSafeTextTests {
    /// Marks above, below, with a combining class of their own, and outside the Basic Multilingual Plane.
    static let marks = ["\u{301}", "\u{323}", "\u{5b0}", "\u{3099}", "\u{1d165}"]

    private func run(_ mark: String, _ count: Int) -> String { "a" + String(repeating: mark, count: count) + "b" }

    @Test("30 consecutive non-starters are accepted, 31 are rejected", arguments: marks)
    func limit(mark: String) {
        #expect(StreamSafeText.isValid(run(mark, Limits.nonStarters).utf8))
        #expect(!StreamSafeText.isValid(run(mark, Limits.nonStarters + 1).utf8))
        // A starter between them begins a new run.
        let half = String(repeating: mark, count: 20)
        #expect(StreamSafeText.isValid("\(half)\u{34f}\(half)x\(half)".utf8))
    }

    @Test("Letters of many scripts and emoji with joiners are accepted")
    func scripts() {
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 200)
        for text in ["", "Grüße", "हिन्दी", "ไทยกำกวม", "שָׁלוֹם", family, String(repeating: "\u{200d}", count: 500)] {
            #expect(StreamSafeText.isValid(text.utf8), "\(text.prefix(20))")
        }
    }

    @Test("Percent-encoded marks count like others", arguments: marks)
    func percentEncoded(mark: String) {
        let encoded = mark.utf8.map { "%" + String($0, radix: 16, uppercase: $0 % 2 == 0) }.joined()
        let mixed = { (count: Int) in "/x?q=" + (0..<count).map { $0 % 2 == 0 ? encoded : mark }.joined() }
        #expect(StreamSafeText.isValid(percentEncoded: mixed(Limits.nonStarters).utf8))
        #expect(!StreamSafeText.isValid(percentEncoded: mixed(Limits.nonStarters + 1).utf8))
        #expect(StreamSafeText.isValid(percentEncoded: "100%, %4, %zz %".utf8))
    }

    @Test("Invalid UTF-8 ends a run, and later runs are still checked")
    func brokenBytes() {
        let marks = { (count: Int) in Array(String(repeating: "\u{301}", count: count).utf8) }
        for broken: [UInt8] in [[0x80], [0xe2, 0x82], [0xf0], [0xc0], [0xff]] {
            #expect(StreamSafeText.isValid(marks(30) + broken + marks(30)))
            #expect(!StreamSafeText.isValid(broken + marks(31)))
        }
    }

    @Test("Names and strings in JSON are checked after decoding their escapes")
    func json() {
        let raw = String(repeating: "\u{301}", count: 31)
        let escaped = String(repeating: "\\u0301", count: 31)
        let pairs = String(repeating: "\\ud834\\udd65", count: 31)
        let mixed = String(repeating: "\u{301}\\u0301", count: 16)
        for run in [raw, escaped, pairs, mixed] {
            // A text may be refused by the reader or by its field, a name only by the reader.
            for json in ["\"a\(run)\"", "{\"a\(run)\":1}", "[[\"\(run)\"]]"] {
                #expect(!JSONSyntax.isValid(Array(json.utf8)))
                let isName = json.hasPrefix("{")
                #expect((JSONReader.value(of: Array(json.utf8), refusing: []) == nil) == isName)
            }
        }
        let allowed = String(repeating: "\\u0301", count: 30)
        #expect(JSONSyntax.isValid(Array("\"\(allowed)\\n\(allowed)\"".utf8)))
        #expect(JSONSyntax.isValid(Array("[\"\(allowed)\",\"\(allowed)\"]".utf8)))
        #expect(JSONSyntax.isValid(Array("\"\\ud834 \\udd65\"".utf8)))
    }

    @Test(
        "A name equal to an ASCII name in Swift is rejected", arguments: ["public\u{212a}ey", "a\u{37e}", "\u{1fef}"])
    func twins(name: String) {
        #expect(!JSONSyntax.isValid(Array("{\"\(name)\":1}".utf8)))
        #expect(JSONSyntax.isValid(Array("{\"name\":\"\(name)\"}".utf8)))
    }
}

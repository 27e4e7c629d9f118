import Foundation
import Kernel
import Testing

@Suite("Escaping of markup")
struct MarkupTextTests {
    static let marks = ["", "\u{301}", "\u{fe0f}", "\u{200d}", "\u{903}"]

    @Test("Each special character of HTML is escaped, with any combining mark after it", arguments: marks)
    func signsAreEscaped(mark: String) {
        let text = ["\"", "'", "<", ">", "&", "="].map { $0 + mark }.joined()
        let escaped = MarkupText.html("x\(text)x")
        let wanted = ["&quot;", "&#39;", "&lt;", "&gt;", "&amp;", "="].map { $0 + mark }.joined()
        #expect(Array(escaped.utf8) == Array("x\(wanted)x".utf8))
    }

    @Test("Text without special characters keeps its bytes, and U+0000 becomes the replacement character")
    func plainTextStays() {
        for text in ["", "Bike helmet", "Käys · 北京 · 👨‍👩‍👧‍👦", "e\u{301}", "`=/"] {
            #expect(Array(MarkupText.html(text).utf8) == Array(text.utf8))
        }
        #expect(MarkupText.html("a\u{0}b") == "a\u{fffd}b")
    }

    @Test("A quoted cell doubles each quotation mark", arguments: marks)
    func cellsAreQuoted(mark: String) {
        let cell = MarkupText.quotedCell("a\"\(mark),b\"")
        #expect(Array(cell.utf8) == Array("\"a\"\"\(mark),b\"\"\"".utf8))
    }
}

import Kernel
import Testing

@Suite("Texts that are read from right to left")
struct DirectionIsolateTests {
    struct Value: CustomTestStringConvertible {
        let text: String
        let isolated: String
        var testDescription: String { text.debugDescription }
    }

    @Test(
        "A value is isolated if it could reorder the text around it",
        arguments: [
            Value(text: "Haifa", isolated: "Haifa"), Value(text: "Ґдиня 12", isolated: "Ґдиня 12"),
            Value(text: "“東京”", isolated: "“東京”"), Value(text: "", isolated: ""),
            Value(text: "חיפה", isolated: "\u{2068}חיפה\u{2069}"),
            Value(text: "القاهرة 12", isolated: "\u{2068}القاهرة 12\u{2069}"),
            Value(text: "Keys (مفاتيح)", isolated: "\u{2068}Keys (مفاتيح)\u{2069}"),
            // Adlam, and a mark of direction without a letter.
            Value(text: "𞤀𞤣", isolated: "\u{2068}𞤀𞤣\u{2069}"),
            Value(text: "a\u{200f}", isolated: "\u{2068}a\u{200f}\u{2069}"),
            // A part that is isolated already.
            Value(text: "with \u{2068}דוד\u{2069}", isolated: "with \u{2068}דוד\u{2069}"),
            Value(text: "\u{2068}דוד\u{2069} ורד", isolated: "\u{2068}\u{2068}דוד\u{2069} ורד\u{2069}"),
            // Control characters that would end the isolation, or reach beyond it.
            Value(text: "a\u{2069}b", isolated: "ab"), Value(text: "a\u{2067}b", isolated: "ab"),
            Value(text: "\u{202e}evil\u{202c}", isolated: "evil"),
            Value(text: "\u{2069}דוד\u{2067}", isolated: "\u{2068}דוד\u{2069}"),
        ])
    func values(value: Value) {
        #expect(Array(value.text.isolated.unicodeScalars) == Array(value.isolated.unicodeScalars))
        // Isolating it again changes nothing.
        #expect(Array(value.isolated.isolated.unicodeScalars) == Array(value.isolated.unicodeScalars))
    }

    @Test("The values of a sentence and the entries of a list are isolated")
    func sentences() {
        let t = Translator.english
        #expect(t("{who} has a rule", ["who": "דוד"]) == "\u{2068}דוד\u{2069} has a rule")
        #expect(t("{n} day", plural: "{n} days", count: 2, ["who": "דוד"]) == "2 days")
        #expect(["חיפה", "Eilat"].isolated(separator: " → ") == "\u{2068}חיפה\u{2069} → Eilat")
    }
}

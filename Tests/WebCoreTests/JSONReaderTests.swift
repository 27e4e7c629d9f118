import Kernel
import Testing

@testable import WebCore

@Suite("Reading JSON")
struct JSONReaderTests {
    struct Text: Sendable, CustomTestStringConvertible {
        let json: String
        let value: FieldValue?
        var testDescription: String { json }
    }

    static let texts = [
        Text(json: "null", value: .null), Text(json: " true ", value: .boolean(true)),
        Text(json: "false", value: .boolean(false)), Text(json: "0", value: .whole(0)),
        Text(json: "-0", value: .whole(0)), Text(json: "5.0", value: .whole(5)),
        Text(json: "1e3", value: .whole(1_000)),
        Text(json: "1.5", value: .number(1.5)), Text(json: "9223372036854775807", value: .whole(.max)),
        Text(json: "-9223372036854775808", value: .whole(.min)),
        Text(json: "9223372036854775808", value: .number(9_223_372_036_854_775_808)),
        Text(json: "1e400", value: .unrepresentable), Text(json: "0e400", value: .whole(0)),
        Text(json: "0.99999999999999999999", value: .number(1)),
        Text(json: "1.00000000000000000001", value: .number(1)),
        Text(json: "9007199254740993.0", value: .whole(9_007_199_254_740_993)),
        Text(json: "-9007199254740993.5", value: .number(-9_007_199_254_740_994)),
        Text(json: "92233720368547758.07e2", value: .whole(.max)),
        Text(json: "-9223372036854775808.000", value: .whole(.min)),
        Text(json: "9223372036854775807.5", value: .number(9_223_372_036_854_775_808)),
        Text(json: "-9.223372036854775809e18", value: .number(-9_223_372_036_854_775_808)),
        Text(json: "1500e-2", value: .whole(15)), Text(json: "1505e-2", value: .number(15.05)),
        Text(json: "1E+2", value: .whole(100)), Text(json: "-0.0", value: .whole(0)),
        Text(json: "1e-400", value: .number(0)), Text(json: "1e-99999999999999999999", value: .number(0)),
        Text(json: "1e99999999999999999999", value: .unrepresentable),
        Text(json: "0e99999999999999999999", value: .whole(0)), Text(json: "\"\"", value: .text("")),
        Text(json: "\"K\u{f6}ln 🚲\"", value: .text("Köln 🚲")),
        Text(json: #""a\"b\\c\/d\b\f\n\r\t""#, value: .text("a\"b\\c/d\u{08}\u{0c}\n\r\t")),
        Text(json: #""\u00e9\u0000\ud83d\udeb2""#, value: .text("é\u{0}🚲")),
        Text(json: #""\ud83d""#, value: nil), Text(json: #""\ud83dx""#, value: nil),
        Text(json: #""\udeb2""#, value: nil),
        Text(json: #""\ud83d\u0041""#, value: nil), Text(json: "[]", value: .list([])),
        Text(json: "[1, [\"a\"] ,{}]", value: .list([.whole(1), .list([.text("a")]), .object([:])])),
        Text(
            json: "{ \"a\" : {\"b\":[null]} , \"c\":\"d\" }",
            value: .object(["a": .object(["b": .list([.null])]), "c": .text("d")])
        ),
        Text(json: "{\"a\":1,\"a\":2}", value: .object(["a": .whole(1)])),
    ]

    @Test("A text is read by its meaning; half of a surrogate pair is rejected", arguments: texts)
    func value(_ text: Text) {
        let value = JSONReader.value(of: Array(text.json.utf8), refusing: .unpairedSurrogates)
        #expect(value.map(FieldValue.init) == text.value)
    }
}

import Kernel
import Testing

@Suite("JSON syntax")
struct JSONSyntaxTests {
    @Test(
        "JSON that RFC 8259 allows is accepted",
        arguments: [
            "{}", "[]", "null", "true", "false", "\"\"", "0", "-0", "12", "-1.50", "1e3", "1E+3", "0.1e-10",
            " \t\r\n{ \"a\" : [ 1 , { \"b\" : null } ] , \"c\" : \"\\u00e4\\n\\\"\\\\\\/\" } \n", "\"häuser 🏠\"",
            "[1,[2,[3]],\"[[[\"]", "{\"a\":1,\"a\":2}", "\"\u{7f}\"",
        ])
    func valid(_ text: String) { #expect(JSONSyntax.isValid(Array(text.utf8))) }

    @Test(
        "JSON that RFC 8259 forbids is rejected",
        arguments: [
            "", " ", "{", "}", "{\"name\":\"x\",}", "[1,]", "[,1]", "{\"a\":-}", "{\"a\":1e}", "{\"a\":1.}",
            "{\"a\":01}",
            "{\"a\":-01}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e+}", "{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\"}",
            "{\"a\":}", "{a:1}", "{'a':1}", "{\"a\":1}}", "{\"a\":1} x", "[1 2]", "tru", "nulll", "\"a", "\"a\nb\"",
            "\"a\tb\"", "\"\\x41\"", "\"\\u12g4\"", "\"\\u12\"", "\"\\", "// x\n1", "\u{feff}{}", "{\"a\":0x10}",
            "{\"settings\":{\"lostMetres\":01}}", "\u{a0}1",
        ])
    func broken(_ text: String) { #expect(!JSONSyntax.isValid(Array(text.utf8))) }

    @Test("Only UTF-8 is accepted")
    func encodings() {
        let latin: [UInt8] = Array("\"".utf8) + [0xe4] + Array("\"".utf8)
        let overlong: [UInt8] = Array("\"".utf8) + [0xc0, 0x80] + Array("\"".utf8)
        let utf16: [UInt8] = "{\"a\":1}".utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        for bytes in [latin, overlong, utf16, [0xff, 0xfe] + utf16] { #expect(!JSONSyntax.isValid(bytes)) }
    }

    @Test("JSON nested too deep is rejected at any depth")
    func depth() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
        }
        #expect(JSONSyntax.isValid(nested(Limits.jsonDepth)))
        #expect(!JSONSyntax.isValid(nested(Limits.jsonDepth + 1)))
        #expect(!JSONSyntax.isValid(nested(1_000_000)))
    }
}

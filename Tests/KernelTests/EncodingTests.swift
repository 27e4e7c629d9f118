import Kernel
import Testing

@Suite("Encodings of bytes and text")
struct EncodingTests {
    @Test(
        "Base64url follows RFC 4648 and has no padding",
        arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v")])
    func base64URL(text: String, encoded: String) {
        #expect(Base64URL.encoded(text.utf8) == encoded)
        #expect(Base64URL.decoded(encoded) == Array(text.utf8))
        #expect(Base64URL.strictlyDecoded(encoded) == Array(text.utf8))
        #expect(Base64URL.encoded([0xfb, 0xff] as [UInt8]) == "-_8")
    }

    @Test("Only the strict decoding refuses padding and unused bits")
    func strictness() {
        for lenient in ["Zg==", "Zh"] {
            #expect(Base64URL.decoded(lenient) == [0x66])
            #expect(Base64URL.strictlyDecoded(lenient) == nil)
        }
        for invalid in ["Z", "Zm9vZ", "Zm9v!", "ü"] { #expect(Base64URL.decoded(invalid) == nil, "\(invalid)") }
    }

    @Test("Hexadecimal digits come in pairs")
    func hexadecimal() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(Hexadecimal.decoded(Substring(Hexadecimal.encoded(all))) == all)
        #expect(Hexadecimal.encoded([0x0a, 0xff]) == "0aff")
        #expect(Hexadecimal.decoded("0AfF") == [0x0a, 0xff])
        for invalid in ["0", "0g", "+1", " 1"] { #expect(Hexadecimal.decoded(Substring(invalid)) == nil, "\(invalid)") }
    }

    @Test("Percent-encoding leaves unreserved characters, and slashes where a path is encoded")
    func percent() {
        #expect(PercentEncoding.encoded("a-b_c.d~e/f g+ü%") == "a-b_c.d~e%2Ff%20g%2B%C3%BC%25")
        #expect(PercentEncoding.encoded("/a b?", keepingSlashes: true) == "/a%20b%3F")
    }

    @Test("A comparison in constant time compares all bytes")
    func constantTime() {
        #expect(ConstantTime.isEqual([1, 2], [1, 2]))
        #expect(ConstantTime.isEqual([], []))
        for other in [[1, 3], [0, 2], [1], [1, 2, 0]] as [[UInt8]] { #expect(!ConstantTime.isEqual([1, 2], other)) }
    }
}

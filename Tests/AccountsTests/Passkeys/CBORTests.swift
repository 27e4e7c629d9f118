import Kernel
import TestSupport
import Testing

@testable import Accounts

@Suite("CBOR decoding")
struct CBORTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let value: CBOR
        var testDescription: String { "\(value)" }
    }

    // RFC 8949, appendix A.
    static let samples = [
        Sample(bytes: [0x00], value: .integer(0)), Sample(bytes: [0x17], value: .integer(23)),
        Sample(bytes: [0x18, 0x18], value: .integer(24)), Sample(bytes: [0x18, 0x64], value: .integer(100)),
        Sample(bytes: [0x19, 0x03, 0xe8], value: .integer(1000)),
        Sample(bytes: [0x1a, 0x00, 0x0f, 0x42, 0x40], value: .integer(1_000_000)),
        Sample(bytes: [0x1b, 0x00, 0x00, 0x00, 0xe8, 0xd4, 0xa5, 0x10, 0x00], value: .integer(1_000_000_000_000)),
        Sample(bytes: [0x20], value: .integer(-1)), Sample(bytes: [0x29], value: .integer(-10)),
        Sample(bytes: [0x38, 0x63], value: .integer(-100)), Sample(bytes: [0x39, 0x03, 0xe7], value: .integer(-1000)),
        Sample(bytes: [0x3b] + [0x7f] + [UInt8](repeating: 0xff, count: 7), value: .integer(.min)),
        Sample(bytes: [0xf4], value: .boolean(false)), Sample(bytes: [0xf5], value: .boolean(true)),
        Sample(bytes: [0xf6], value: .null), Sample(bytes: [0x40], value: .bytes([])),
        Sample(bytes: [0x44, 0x01, 0x02, 0x03, 0x04], value: .bytes([1, 2, 3, 4])),
        Sample(bytes: [0x60], value: .text("")), Sample(bytes: [0x64] + Array("IETF".utf8), value: .text("IETF")),
        Sample(bytes: [0x62, 0xc3, 0xbc], value: .text("ü")), Sample(bytes: [0x80], value: .list([])),
        Sample(
            bytes: [0x83, 0x01, 0x82, 0x02, 0x03, 0x82, 0x04, 0x05],
            value: .list([.integer(1), .list([.integer(2), .integer(3)]), .list([.integer(4), .integer(5)])])),
        Sample(bytes: [0xa0], value: .map([:])),
        Sample(
            bytes: [0xa2, 0x01, 0x02, 0x03, 0x04],
            value: .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
        Sample(
            bytes: [0xa2, 0x61, 0x61, 0x01, 0x61, 0x62, 0x82, 0x02, 0x03],
            value: .map([.text("a"): .integer(1), .text("b"): .list([.integer(2), .integer(3)])])),
    ]

    @Test("The RFC's samples are decoded, and refused when truncated at any byte", arguments: samples)
    func reads(sample: Sample) throws {
        #expect(try CBORReader.value(of: sample.bytes) == sample.value)
        for length in 0..<sample.bytes.count {
            #expect(throws: CBORError.truncated) { try CBORReader.value(of: Array(sample.bytes.prefix(length))) }
        }
        #expect(throws: CBORError.trailingBytes) { try CBORReader.value(of: sample.bytes + [0x00]) }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let what: String
        let bytes: [UInt8]
        let fault: CBORError
        var testDescription: String { what }
    }

    static let refused = [
        Refused(what: "a small number in two bytes", bytes: [0x18, 0x17], fault: .notShortest),
        Refused(what: "a number in three for two", bytes: [0x19, 0x00, 0xff], fault: .notShortest),
        Refused(what: "a number in five for three", bytes: [0x1a, 0x00, 0x00, 0xff, 0xff], fault: .notShortest),
        Refused(
            what: "a number in nine for five", bytes: [0x1b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], fault: .notShortest),
        Refused(what: "a length in two bytes", bytes: [0x58, 0x01, 0x00], fault: .notShortest),
        Refused(what: "bytes without a length", bytes: [0x5f, 0x41, 0x00, 0xff], fault: .indefinite),
        Refused(what: "text without a length", bytes: [0x7f, 0x61, 0x61, 0xff], fault: .indefinite),
        Refused(what: "a list without a length", bytes: [0x9f, 0x01, 0xff], fault: .indefinite),
        Refused(what: "a map without a length", bytes: [0xbf, 0x01, 0x02, 0xff], fault: .indefinite),
        Refused(what: "a lone end", bytes: [0xff], fault: .indefinite),
        Refused(what: "a key twice", bytes: [0xa2, 0x01, 0x02, 0x01, 0x03], fault: .duplicateKey),
        Refused(what: "a text key twice", bytes: [0xa2, 0x61, 0x61, 0x02, 0x61, 0x61, 0x02], fault: .duplicateKey),
        Refused(what: "a list as a key", bytes: [0xa1, 0x80, 0x01], fault: .unsupported),
        Refused(what: "bytes as a key", bytes: [0xa1, 0x41, 0x00, 0x01], fault: .unsupported),
        Refused(what: "a tag", bytes: [0xc0, 0x60], fault: .unsupported),
        Refused(what: "half a number", bytes: [0xf9, 0x3c, 0x00], fault: .unsupported),
        Refused(what: "a double", bytes: [0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0], fault: .unsupported),
        Refused(what: "undefined", bytes: [0xf7], fault: .unsupported),
        Refused(what: "a reserved argument", bytes: [0x1c], fault: .unsupported),
        Refused(what: "2^63", bytes: [0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0], fault: .unsupported),
        Refused(what: "-2^63 - 1", bytes: [0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0], fault: .unsupported),
        Refused(what: "text that is none", bytes: [0x62, 0xc3, 0x28], fault: .unsupported),
        Refused(what: "a length beyond the end", bytes: [0x5a, 0x7f, 0xff, 0xff, 0xff], fault: .truncated),
        Refused(what: "a giant list", bytes: [0x9a, 0xff, 0xff, 0xff, 0xff], fault: .tooManyValues),
        Refused(
            what: "a giant map", bytes: [0xbb, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], fault: .tooManyValues),
        Refused(
            what: "too many in lists of lists",
            bytes: [0x82] + Written.list((0..<200).map { _ in [0] }) + Written.list((0..<200).map { _ in [0] }),
            fault: .tooManyValues),
        Refused(
            what: "too deep", bytes: [UInt8](repeating: 0x81, count: Limits.cborDepth + 1) + [0x00], fault: .tooDeep),
    ]

    @Test("Input that CTAP2 forbids is refused", arguments: refused)
    func refuses(sample: Refused) {
        #expect(throws: sample.fault) { try CBORReader.value(of: sample.bytes) }
    }

    @Test("The maximum nesting depth is accepted")
    func depth() throws {
        let bytes = [UInt8](repeating: 0x81, count: Limits.cborDepth) + [0x00]
        #expect(try CBORReader.value(of: bytes) != .null)
    }

    @Test("Random bytes and random changes are decoded or refused, and no byte beyond the end is read")
    func fuzz() throws {
        let random = SeededRandom(seed: 5)
        let good = try SoftAuthenticator().registration([UInt8](repeating: 7, count: 32)).attestation
        var read = 0
        for round in 0..<20_000 {
            var bytes: [UInt8]
            if round.isMultiple(of: 2) {
                bytes = random.bytes(Int(random.uint64() % 64))
            } else {
                bytes = good
                for _ in 0...(random.uint64() % 3) {
                    bytes[Int(random.uint64() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.uint64())
                }
                if random.uint64() % 4 == 0 { bytes.removeLast(Int(random.uint64() % UInt64(bytes.count))) }
            }
            var reader = CBORReader(bytes)
            if (try? reader.value()) != nil { read += 1 }
            #expect(reader.position <= bytes.count)
        }
        #expect(read > 100)
    }
}

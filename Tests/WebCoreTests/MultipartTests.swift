import Foundation
import Kernel
import TestSupport
import Testing

@testable import WebCore

@Suite("Multipart bodies")
struct MultipartTests {
    private static let body = """
        ignored preamble\r
        --XX\r
        Content-Disposition: form-data; name="name"\r
        \r
        Käys\r
        --XX \t\r
        content-disposition: form-data; name="picture"; filename="a \\"b\\" %22c%22.jpg"\r
        Content-Type: image/jpeg\r
        \r
        \u{1}\r
        --X\r\n\r\n--XY\r
        --XX\r
        Content-Disposition: form-data; name="empty"; filename=""\r
        \r
        \r
        --XX--\r
        epilogue --XX\r\n
        """

    private func parse(_ bytes: [UInt8], chunk: Int, boundary: String = "XX") throws -> [MultipartParser.Part] {
        var parser = try #require(MultipartParser(boundary: boundary))
        var index = 0
        while index < bytes.count {
            let end = min(bytes.count, index + chunk)
            try parser.feed(bytes[index..<end])
            index = end
        }
        return try parser.finish()
    }

    @Test("The parts don't depend on the pieces in which the body arrives", arguments: Array(1...40) + [1_000_000])
    func pieces(_ chunk: Int) throws {
        let parts = try parse(Array(Self.body.utf8), chunk: chunk)
        try #require(parts.count == 3)
        #expect(parts[0] == .init(name: "name", filename: nil, mediaType: nil, bytes: Array("Käys".utf8)))
        #expect(parts[1].filename == "a \"b\" \"c\".jpg")
        #expect(parts[1].mediaType == "image/jpeg")
        #expect(String(decoding: parts[1].bytes, as: UTF8.self) == "\u{1}\r\n--X\r\n\r\n--XY")
        #expect(parts[2] == .init(name: "empty", filename: "", mediaType: nil, bytes: []))
    }

    @Test("Blanks after a delimiter are limited, in one piece and many", arguments: [1, 7, 1_000_000])
    func blanks(chunk: Int) throws {
        func body(_ blanks: Int) -> [UInt8] {
            let padding = String(repeating: " \t", count: blanks / 2)
            return Array("--XX\(padding)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--XX--".utf8)
        }
        #expect(try parse(body(Limits.multipartBlanks), chunk: chunk).map(\.name) == ["a"])
        #expect(throws: MultipartParser.Failure.malformed) {
            try parse(body(Limits.multipartBlanks + 2), chunk: chunk)
        }
        #expect(throws: MultipartParser.Failure.malformed) { try parse(Array("--XX --\r\n".utf8), chunk: chunk) }
    }

    @Test("The bytes around the parts are limited, in one piece and many", arguments: [1, 7, 1_000_000])
    func ignored(chunk: Int) throws {
        func body(before: Int, after: Int) -> [UInt8] {
            let preamble = before == 0 ? "" : String(repeating: "a", count: before) + "\r\n"
            let epilogue = String(repeating: "b", count: after)
            return Array(
                "\(preamble)--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--XX--\(epilogue)".utf8)
        }
        let limit = Limits.multipartIgnoredBytes
        #expect(try parse(body(before: limit, after: limit), chunk: chunk).map(\.name) == ["a"])
        #expect(try parse(body(before: 0, after: 0), chunk: chunk).map(\.name) == ["a"])
        for (before, after) in [(limit + 1, 0), (0, limit + 1)] {
            #expect(throws: MultipartParser.Failure.malformed) {
                try parse(body(before: before, after: after), chunk: chunk)
            }
        }
    }

    @Test("A body without a delimiter is refused before it ends")
    func noDelimiter() throws {
        var parser = try #require(MultipartParser(boundary: "XX"))
        #expect(throws: MultipartParser.Failure.malformed) {
            try parser.feed([UInt8](repeating: 0x61, count: Limits.multipartIgnoredBytes + 100))
        }
    }

    @Test("A large file is drained in pieces and isn't kept", arguments: [1, 7, 40, 1_000_000])
    func drained(_ chunk: Int) throws {
        let name = try parse(Array(Self.body.utf8), chunk: chunk)[1].name
        var parser = try #require(MultipartParser(boundary: "XX"))
        var rest = Array(Self.body.utf8)[...]
        var drained: [UInt8] = []
        while !rest.isEmpty {
            try parser.feed(rest.prefix(chunk))
            rest = rest.dropFirst(chunk)
            drained += parser.drainFile(name)
        }
        #expect(String(decoding: drained, as: UTF8.self) == "\u{1}\r\n--X\r\n\r\n--XY")
        let parts = try parser.finish()
        #expect(parts.map(\.bytes.count) == [5, 0, 0])
    }

    @Test("Only one file of the expected name is accepted", arguments: [("other", "b"), ("archive", "archive")])
    func unexpectedFile(_ first: String, _ second: String) throws {
        func part(_ name: String) -> String {
            "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"f\"\r\n\r\n"
        }
        var parser = try #require(MultipartParser(boundary: "XX", onlyFile: "archive"))
        #expect(throws: MultipartParser.Failure.unexpectedFile) {
            try parser.feed(Array((part(first) + "1\r\n" + part(second)).utf8))
        }
        var accepting = try #require(MultipartParser(boundary: "XX", onlyFile: "archive"))
        try accepting.feed(Array((part("archive") + "1\r\n--XX--").utf8))
        #expect(accepting.drainFile("archive") == Array("1".utf8))
    }

    @Test("A truncated body is malformed, wherever it ends")
    func truncated() throws {
        let bytes = Array(Self.body.utf8)
        let head = try #require(Self.body.components(separatedBy: "--XX--").first)
        for length in 0..<(head.utf8.count + "--XX--".utf8.count) {
            #expect(throws: MultipartParser.Failure.malformed) { try parse(Array(bytes[..<length]), chunk: 7) }
        }
    }

    @Test("Random damage never crashes and never makes parts beyond the limit")
    func fuzz() throws {
        let random = SeededRandom(seed: 7)
        let original = Array(Self.body.utf8)
        for _ in 0..<3_000 {
            var bytes = original
            for _ in 0..<(1 + Int(random.uint64() % 6)) {
                let place = Int(random.uint64() % UInt64(bytes.count))
                switch random.uint64() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.uint64())
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes.prefix(place % 40), at: place)
                }
            }
            let chunk = 1 + Int(random.uint64() % 50)
            let once = Result { try parse(bytes, chunk: chunk) }
            let whole = Result { try parse(bytes, chunk: bytes.count) }
            switch (once, whole) {
            case (.success(let left), .success(let right)):
                #expect(left == right)
                #expect(left.count <= Limits.multipartParts)
            case (.failure, .failure): break
            default: Issue.record("the pieces decided whether it could be read")
            }
        }
    }

    @Test("Too many parts, too long headers and too long fields are rejected")
    func limits() throws {
        let part = "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
        let many = String(repeating: part, count: Limits.multipartParts + 1) + "--XX--\r\n"
        #expect(throws: MultipartParser.Failure.tooManyParts) { try parse(Array(many.utf8), chunk: 100) }
        let header = "--XX\r\nX: " + String(repeating: "y", count: Limits.multipartHeaderBytes) + "\r\n\r\n\r\n--XX--"
        #expect(throws: MultipartParser.Failure.malformed) { try parse(Array(header.utf8), chunk: 100) }
        let field =
            "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
            + String(repeating: "y", count: Limits.multipartFieldBytes + 1) + "\r\n--XX--"
        #expect(throws: MultipartParser.Failure.fieldTooLarge) { try parse(Array(field.utf8), chunk: 1_000) }
    }

    @Test(
        "a part without a name is malformed",
        arguments: ["Content-Disposition: form-data", "Content-Disposition: attachment; name=\"a\"", "X: y", ""])
    func nameless(_ header: String) {
        let body = "--XX\r\n\(header)\r\n\r\n1\r\n--XX--"
        #expect(throws: MultipartParser.Failure.malformed) { try parse(Array(body.utf8), chunk: 9) }
    }

    @Test("Boundaries outside RFC 2046 are rejected")
    func boundaries() {
        #expect(MultipartParser(boundary: "") == nil)
        #expect(MultipartParser(boundary: String(repeating: "x", count: 71)) == nil)
        #expect(MultipartParser(boundary: "a\nb") == nil)
    }
}

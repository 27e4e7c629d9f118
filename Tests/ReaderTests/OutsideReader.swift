import Testing
import Foundation
import Kernel

/// A parser or reader of bytes that come from outside.
struct OutsideReader: Sendable, CustomTestStringConvertible {
    /// The files with the code, below `Sources`. `ReaderRules` finds files that no reader names.
    let sources: [String]
    let name: String
    /// The most bytes that the product passes to it.
    let limit: Int
    /// What is before and after the bytes, so that they reach an inner part of the reader.
    var frames: [(before: String, after: String)] = [("", "")]
    /// Whether the bytes arrive in pieces, whose size is then an argument.
    var isFed = false
    let read: @Sendable (_ bytes: [UInt8], _ pieceBytes: Int) async throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ sources: String..., limit: Int, frames: [(before: String, after: String)] = [("", "")],
        read: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.init(name, all: sources, limit: limit, frames: frames, read: read)
    }

    init(
        _ name: String, fed sources: String..., limit: Int, frames: [(before: String, after: String)] = [("", "")],
        read: @escaping @Sendable (_ bytes: [UInt8], _ pieceBytes: Int) async throws -> Void
    ) {
        self.sources = sources
        self.name = name
        self.limit = limit
        self.frames = frames
        isFed = true
        self.read = read
    }

    init(
        _ name: String, all sources: [String], limit: Int, frames: [(before: String, after: String)] = [("", "")],
        read: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.sources = sources
        self.name = name
        self.limit = limit
        self.frames = frames
        self.read = { bytes, _ in try await read(bytes) }
    }

    /// A reader of a text that was decoded from a body, a query or a header before. Those decoders refuse other bytes.
    static func text(
        _ name: String, _ sources: String..., limit: Int, frames: [(before: String, after: String)] = [("", "")],
        read: @escaping @Sendable (String) throws -> Void
    ) -> OutsideReader {
        OutsideReader(name, all: sources, limit: limit, frames: frames) { bytes in
            guard StreamSafeText.isValid(bytes), let text = String(validating: bytes, as: UTF8.self) else { return }
            try read(text)
        }
    }

    /// Returns the same reader under another name.
    func named(_ name: String) -> OutsideReader {
        OutsideReader(name, all: sources, limit: limit, frames: frames) { [read] bytes in try await read(bytes, .max) }
    }

    static let all = requests + texts + devices + services + files
}

/// What the readers are fed with: bytes and short sequences, over and over.
enum HostileBytes {
    private static let bytes: [UInt8] =
        [0, 1, 0x09, 0x0a, 0x0d, 0x20, 0x7f, 0x80, 0xc3, 0xe2, 0xff]
        + Array("\"%&'()*+,-./:;<=>?@[\\]_`{|}~019aAeTZ".utf8)
    private static let sequences = [
        "[]", "[],", "{}", "{},", "[[", "{\"a\":", "[{\"a\":", "\"a\":1,", "\"a\",", "1,", "0.", "1e", "-1", "\\u",
        "\\\"",
        "\\u0301", "\\ud834", "\r\n", "\r\n\r\n", "\n\n", "\r\r\n", "a\n", "\r\n--x", "--x\r\n", "\r\n--x\r\n",
        "\r\n--x \r\n",
        "\r\n--x\r\n\r\n", "a=1&", "a&", "&a.b=1", "a.a", "%2", "%41", "%CC%81", "a=1;", "; ", "a;q=0.1,", ";q=1",
        "a=\"b\";",
        "127.0.0.1,", "127.0.0.1, ", "::1,", "../", "//", "/a", "<a>", "</a>", "<a/>", "<!--", "<a href=", "&#1;",
        "&amp;",
        "\u{301}", "a\u{301}", "\u{301}\u{323}", "\u{1f468}\u{200d}", "\u{e4}", "FREQ=DAILY;", "MO,", "HWP1",
        "PK\u{5}\u{6}",
        "250-a\r\n", "Version: 1\n", "Package: homeward\n\n",
    ]

    static let all: [[UInt8]] = bytes.map { [$0] } + sequences.map { Array($0.utf8) }

    /// Returns about `count` bytes: as many whole units as fit, so that texts stay valid.
    static func repeating(_ unit: [UInt8], count: Int) -> [UInt8] {
        var bytes = unit
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(max(1, count / unit.count) * unit.count))
    }
}

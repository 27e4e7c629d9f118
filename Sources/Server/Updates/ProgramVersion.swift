import Foundation
import Kernel

/// A released version, as in `1.2.10`, or of a Debian package, as in `1:1.2.10-1`.
struct ProgramVersion: Comparable, Sendable {
    private static let parts = 1...4
    private static let longest = 40

    private let numbers: [Int]
    /// Without epoch and revision.
    let text: String

    /// - Returns: `nil` for anything else, such as versions before a release (`1.2.0~rc1`, `1.2.0-rc.1`).
    init?(_ written: String) {
        guard written.utf8.count <= Self.longest else { return nil }
        let upstream = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        let halves = upstream.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let main = halves.first, halves.count < 2 || halves[1].first?.isNumber == true else { return nil }
        let numbers = main.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 } ? Int(part) : nil
        }
        guard Self.parts ~= numbers.count, numbers.allSatisfy({ $0 != nil }) else { return nil }
        self.numbers = numbers.compactMap(\.self)
        text = String(main)
    }

    static func < (first: ProgramVersion, second: ProgramVersion) -> Bool {
        for index in 0..<max(first.numbers.count, second.numbers.count) {
            let one = index < first.numbers.count ? first.numbers[index] : 0
            let other = index < second.numbers.count ? second.numbers[index] : 0
            if one != other { return one < other }
        }
        return false
    }

    static func == (first: ProgramVersion, second: ProgramVersion) -> Bool { !(first < second) && !(second < first) }
}

/// A document that names versions of the program: JSON with the key `version`, or the index `Packages` of an apt
/// repository.
enum VersionDocument {
    private static let package = "Package: homeward"
    private static let field = "Version: "

    private struct JSONVersion: Decodable {
        let version: String
    }

    /// Returns the newest released version; `nil` if the document names none.
    static func newest(in bytes: [UInt8]) -> ProgramVersion? {
        if let json = JSONSyntax.decoded(JSONVersion.self, bytes) { return ProgramVersion(json.version) }
        guard StreamSafeText.isValid(bytes) else { return nil }
        let paragraphs = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").split(separator: "\n\n")
        return paragraphs.compactMap(version).max()
    }

    /// Returns the version of a paragraph about the program's package.
    private static func version(_ paragraph: Substring) -> ProgramVersion? {
        let lines = paragraph.split(separator: "\n")
        guard lines.contains(where: { $0 == package }),
            let line = lines.first(where: { $0.hasPrefix(field) })
        else { return nil }
        return ProgramVersion(String(line.dropFirst(field.count)).trimmingCharacters(in: .whitespaces))
    }
}

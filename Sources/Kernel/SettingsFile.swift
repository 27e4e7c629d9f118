import Foundation

/// A file of settings as editors, Docker and systemd write it: one `NAME=value` a line.
///
/// Lines end with LF, CR LF or CR. Blank lines and those that begin with `#` or `;` are skipped, and so are a byte
/// order mark, blanks around names and values, and the word `export`. A value may be in single quotes, which keep
/// everything, or in double quotes, where a backslash keeps `"`, `\`, `$` and `` ` ``. After a value, ` #` begins a
/// comment. The last of several lines with the same name counts.
///
/// Every other line is an error: a line that was skipped could be the one that names the data.
package struct SettingsFile: Sendable {
    /// A line that can't be read.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// Counted from 1; `nil` for the whole file.
        package let line: Int?
        package let problem: String

        package init(line: Int?, problem: String) {
            self.line = line
            self.problem = problem
        }

        package var description: String { line.map { "line \($0): \(problem)" } ?? problem }
    }

    /// A setting, with the number of its line.
    package struct Entry: Sendable, Equatable {
        package let name: String
        package let value: String
        package let line: Int
    }

    /// The settings in their order.
    package let entries: [Entry]

    /// The value of each name.
    package var values: [String: String] {
        Dictionary(entries.map { ($0.name, $0.value) }) { _, last in last }
    }

    package init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= Limits.settingsFileBytes else {
            throw Failure(line: nil, problem: "the file has more than \(Limits.settingsFileBytes) bytes")
        }
        guard !bytes.contains(0), !bytes.starts(with: [0xff, 0xfe]), !bytes.starts(with: [0xfe, 0xff]) else {
            throw Failure(line: nil, problem: "the file isn't UTF-8 but probably UTF-16; save it as UTF-8")
        }
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        var entries: [Entry] = []
        var number = 0
        for line in Self.lines(of: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]) {
            number += 1
            do throws(LineProblem) {
                guard let text = String(validating: line, as: UTF8.self) else { throw LineProblem("not UTF-8") }
                guard StreamSafeText.isValid(line) else { throw LineProblem("too many combining marks in a row") }
                if let entry = try Self.entry(text, line: number) { entries.append(entry) }
            } catch {
                throw Failure(line: number, problem: error.text)
            }
        }
        self.entries = entries
    }

    /// Returns a line that ``init(_:)`` reads as this value.
    package static func line(_ name: String, _ value: String) -> String {
        let plain = value.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && !"\"'\\$#".unicodeScalars.contains($0)
        }
        if plain { return "\(name)=\(value)" }
        guard value.contains("'") else { return "\(name)='\(value)'" }
        let escaped = value.unicodeScalars.map { "\"\\$`".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        return "\(name)=\"\(escaped)\""
    }

    /// Returns a value without the quotes around it. Docker's `--env-file` and lists of `environment` leave them there.
    package static func withoutQuotes(_ value: String) -> String {
        let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let quote = value.first, quote == "\"" || quote == "'", value.count >= 2, value.last == quote else {
            return value
        }
        return (try? Self.value(value)) ?? value
    }

    // MARK: Lines

    private struct LineProblem: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// Splits by bytes, because CR LF is one character.
    private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            defer { index += 1 }
            guard bytes[index] == lf || bytes[index] == cr else { continue }
            lines.append(bytes[start..<index])
            if bytes[index] == cr, index + 1 < bytes.endIndex, bytes[index + 1] == lf { index += 1 }
            start = index + 1
        }
        lines.append(bytes[start...])
        return lines
    }

    private static func entry(_ text: String, line: Int) throws(LineProblem) -> Entry? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let first = text.first, first != "#", first != ";" else { return nil }
        guard let sign = text.firstIndex(of: "=") else { throw LineProblem("not NAME=value") }
        var name = text[..<sign].trimmingCharacters(in: .whitespaces)
        let words = name.split(whereSeparator: \.isWhitespace)
        if words.count == 2, words[0] == "export" { name = String(words[1]) }
        guard isName(name) else { throw LineProblem("not NAME=value") }
        return Entry(name: name, value: try value(String(text[text.index(after: sign)...])), line: line)
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf) || byte == UInt8(ascii: "_")
        }
    }

    private static func value(_ text: String) throws(LineProblem) -> String {
        let value = text.trimmingCharacters(in: .whitespaces)
        guard let quote = value.first, quote == "\"" || quote == "'" else { return try unquoted(text) }
        let (inner, rest) = try quoted(value.dropFirst(), by: quote)
        guard
            rest.isEmpty || rest.first?.isWhitespace == true && rest.trimmingCharacters(in: .whitespaces).hasPrefix("#")
        else { throw LineProblem("text after the closing quote") }
        return inner
    }

    private static func unquoted(_ text: String) throws(LineProblem) -> String {
        var value = Substring(text)
        if let comment = text.firstRange(of: /\s#/) { value = text[..<comment.lowerBound] }
        let trimmed = value.trimmingCharacters(in: .whitespaces)
        guard !trimmed.hasSuffix("\\") else {
            throw LineProblem("a backslash at the end; put the whole value into one line, or into single quotes")
        }
        guard !trimmed.contains(variable) else { throw LineProblem(variableProblem) }
        return trimmed
    }

    /// Returns the text up to the closing quote, and what follows it.
    private static func quoted(
        _ text: Substring, by quote: Character
    ) throws(LineProblem) -> (value: String, rest: String) {
        var value = ""
        var isEscaped = false
        var plain = ""
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                // As a shell does: before any other character, the backslash stays.
                if !"\"\\$`".contains(character) { value.append("\\") }
                value.append(character)
                isEscaped = false
            } else if character == "\\", quote == "\"" {
                isEscaped = true
            } else if character == quote {
                guard quote == "'" || !plain.contains(variable) else { throw LineProblem(variableProblem) }
                return (value, String(text[text.index(after: index)...]))
            } else {
                value.append(character)
                plain.append(character)
            }
        }
        throw LineProblem("an opening quote without a closing one")
    }

    /// What a shell and Docker Compose would replace.
    private static var variable: Regex<Substring> { /\$[{(]/ }
    private static let variableProblem =
        "${…} isn't replaced here; write the value itself, or put it into single quotes"
}

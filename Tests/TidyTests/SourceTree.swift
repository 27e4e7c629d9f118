import Foundation

/// The project's files, read once.
struct SourceTree {
    struct File {
        let path: String
        let text: String

        var lines: [String] { text.components(separatedBy: "\n") }

        /// The module a source belongs to: `Sources/Storage/SQL.swift` → `Storage`.
        var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

        private static let literalOrComment = Pattern(#""""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*"#)

        /// The file without comments and string literals, on the same lines.
        var code: File {
            rewritten(code: String.init) { part in
                part.hasPrefix("\"\"\"") ? part.filter { $0 == "\n" } : part.hasPrefix("\"") ? "\"\"" : ""
            }
        }

        /// The string literals, each on its line.
        var literals: File {
            rewritten(code: { $0.filter { $0 == "\n" } }) { $0.hasPrefix("\"") ? String($0) : "" }
        }

        private func rewritten(code: (Substring) -> String, other: (Substring) -> String) -> File {
            var result = ""
            var end = text.startIndex
            for range in Self.literalOrComment.ranges(in: text) {
                result += code(text[end..<range.lowerBound]) + other(text[range])
                end = range.upperBound
            }
            return File(path: path, text: result + code(text[end...]))
        }

        /// The places that match, in the form that editors open.
        func places(matching pattern: Pattern) -> [String] {
            pattern.ranges(in: text).map(place)
        }

        func place(_ range: Range<String.Index>) -> String {
            let number = text[..<range.upperBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
            return "\(path):\(number): \(text[text.lineRange(for: range)])"
        }
    }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let everything = tracked()
    static let sources = files(below: "Sources", ending: "swift")
    static let templates = files(below: "Sources", ending: "mustache")
    /// The code of ``sources``.
    static let code = sources.map(\.code)

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func files(below folder: String, ending: String) -> [File] {
        everything.filter { $0.path.hasPrefix(folder + "/") && $0.path.hasSuffix("." + ending) }
    }

    /// All text files of the project, without downloads and build products.
    private static func tracked() -> [File] {
        let skipped: Set<String> = [".git", ".build", ".tools", "test-results", "vendor", "__pycache__", "data"]
        var found: [File] = []
        guard let walker = FileManager.default.enumerator(atPath: root.path) else { return [] }
        for case let path as String in walker {
            if skipped.contains((path as NSString).lastPathComponent) {
                walker.skipDescendants()
                continue
            }
            guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else { continue }
            found.append(File(path: path, text: text))
        }
        return found.sorted { $0.path < $1.path }
    }
}

/// A regular expression that searches whole files, which is many times faster than a `Regex` for each line. `^` and `$`
/// match at lines.
struct Pattern: Sendable {
    private let expression: NSRegularExpression

    /// - Precondition: The text is a regular expression; a test with a malformed one ends its process.
    init(_ text: String) {
        guard let expression = try? NSRegularExpression(pattern: text, options: .anchorsMatchLines) else {
            preconditionFailure("Malformed: \(text)")
        }
        self.expression = expression
    }

    func ranges(in text: String) -> [Range<String.Index>] {
        expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
            Range($0.range, in: text)
        }
    }

    func matches(_ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}

extension [SourceTree.File] {
    func places(matching pattern: Pattern) -> [String] { flatMap { $0.places(matching: pattern) } }
}

import Foundation

/// The project's files, read once.
struct SourceTree {
    struct File {
        let path: String
        let lines: [String]

        /// The module a source belongs to: `Sources/Storage/SQL.swift` → `Storage`.
        var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

        /// Code without comments and string literals, line by line.
        var code: [(number: Int, text: String)] {
            var isInLiteral = false
            return lines.enumerated().compactMap { index, line in
                let quotes = line.components(separatedBy: "\"\"\"").count - 1
                defer { if quotes % 2 == 1 { isInLiteral.toggle() } }
                guard !isInLiteral, quotes == 0 else { return nil }
                let bare = line.contains("\"") ? line.replacing(#/"(?:\\.|[^"\\])*"/#, with: "\"\"") : line
                guard let comment = bare.range(of: "//") else { return (index + 1, bare) }
                return (index + 1, String(bare[..<comment.lowerBound]))
            }
        }
    }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let everything = tracked()
    static let sources = files(below: "Sources", ending: "swift")
    static let templates = files(below: "Sources", ending: "mustache")
    /// The code of ``sources``, read once for all rules.
    static let code = sources.map { (file: $0, lines: $0.code) }

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
            found.append(File(path: path, lines: text.components(separatedBy: "\n")))
        }
        return found.sorted { $0.path < $1.path }
    }
}

/// The places where the code breaks a rule, in the form that editors open.
func places(breaking isBroken: (SourceTree.File, String) -> Bool) -> [String] {
    SourceTree.code.flatMap { file, lines in
        lines.filter { isBroken(file, $0.text) }.map { "\(file.path):\($0.number): \($0.text)" }
    }
}

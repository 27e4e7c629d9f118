import Foundation
import Testing

/// `docs/alerts.md`; the tests write its tables.
enum AlertsDocument {
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/alerts.md")

    static let isWriting = ProcessInfo.processInfo.environment["HOMEWARD_WRITE_DOCUMENTS"] == "1"

    static func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    static func write(_ text: String) throws { try text.write(to: file, atomically: true, encoding: .utf8) }

    /// Replaces the table between the marks of a name.
    static func replacing(_ table: String, in page: String, at name: String) throws -> String {
        let from = try #require(page.range(of: "<!-- \(name) -->\n")).upperBound
        let to = try #require(page.range(of: "<!-- end of \(name) -->")).lowerBound
        return page.replacingCharacters(in: from..<to, with: table)
    }
}

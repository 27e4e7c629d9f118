import Foundation

/// The project's documents, which the tests compare with the code.
enum Documents {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether to write the documents instead of comparing them.
    static let isWriting = ProcessInfo.processInfo.environment["HOMEWARD_WRITE_DOCUMENTS"] == "1"

    static func write(_ text: String, to path: String) throws {
        try text.write(to: root.appending(path: path), atomically: true, encoding: .utf8)
    }
}

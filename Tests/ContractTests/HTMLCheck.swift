import Foundation
import TestSupport

/// A check of pages with a browser's parser, by a script in `e2e/support`.
enum HTMLCheck {
    /// Returns what the script prints about the content: nothing if all is right. The process is waited for on a thread
    /// of its own, because other tests need those of tasks.
    static func result(of script: String, _ content: some Encodable) async throws -> String {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = folder.file("pages.json")
        try JSONEncoder().encode(content).write(to: URL(filePath: file))
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try output(of: script, file) }) }
        }
    }

    private static func output(of script: String, _ file: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let process = Process()
        process.executableURL = root.appending(path: ".tools/e2e/bin/python")
        process.arguments = [root.appending(path: "e2e/support/\(script)").path, file]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: said, as: UTF8.self)
        return process.terminationStatus == 0 ? text : "the parser ended with \(process.terminationStatus): \(text)"
    }
}

import Foundation
import Testing

@testable import Pictures

/// The `homeward` binary that was built together with these tests.
enum WorkerExecutable {
    /// A worker that may take long: a machine that runs tests may have more to do.
    static func worker() throws -> PictureWorker { PictureWorker(executable: try path(), timeout: .seconds(180)) }

    static func path() throws -> String {
        if let path = ProcessInfo.processInfo.environment["HOMEWARD_TEST_EXECUTABLE"] { return path }
        let candidates = folders().map { $0 + "/homeward" }
        let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
        return try #require(found, "no homeward binary in \(folders())")
    }

    /// Where the test bundle may be: beside the running program, or where its arguments say.
    private static func folders() -> [String] {
        ([CommandLine.arguments[0]] + CommandLine.arguments.filter { $0.contains(".xctest") }).map { path in
            let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
            let beforeBundle = whole.components(separatedBy: "/").prefix { !$0.hasSuffix(".xctest") }
            let folder = beforeBundle.joined(separator: "/")
            return folder == whole ? (whole as NSString).deletingLastPathComponent : folder
        }
    }
}

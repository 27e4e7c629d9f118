import Foundation
import Testing

@testable import Pictures

/// The `homeward` binary built together with these tests.
enum WorkerExecutable {
    /// Returns a worker with a long timeout, because the test machine may be busy.
    static func worker() throws -> PictureWorker { PictureWorker(executable: try path(), timeout: .seconds(180)) }

    static func path() throws -> String {
        if let path = ProcessInfo.processInfo.environment["HOMEWARD_TEST_EXECUTABLE"] { return path }
        let candidates = folders().map { $0 + "/homeward" }
        let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
        return try #require(found, "no homeward binary in \(folders())")
    }

    /// The possible locations of the test bundle: beside the executable or in its arguments.
    private static func folders() -> [String] {
        ([CommandLine.arguments[0]] + CommandLine.arguments.filter { $0.contains(".xctest") }).map { path in
            let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
            let beforeBundle = whole.components(separatedBy: "/").prefix { !$0.hasSuffix(".xctest") }
            let folder = beforeBundle.joined(separator: "/")
            return folder == whole ? (whole as NSString).deletingLastPathComponent : folder
        }
    }
}

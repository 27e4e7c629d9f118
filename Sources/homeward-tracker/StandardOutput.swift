import Foundation

/// The command's output for people. Everything else goes to the log on standard error.
enum StandardOutput {
    static func writeLine(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}

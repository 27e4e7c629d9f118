import Foundation

/// A folder of a test's own, removed with its last reference.
package final class TemporaryFolder: Sendable {
    /// Where it is; short enough for a socket's path.
    package let path: String

    /// Makes an empty folder that only this user can read.
    /// - Throws: what the file system says.
    package init() throws {
        var template = Array("/tmp/homeward-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: "/tmp"])
        }
        path = template.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of `name` in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }
}

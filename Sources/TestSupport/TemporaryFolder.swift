import Foundation

/// A temporary folder, removed with its last reference.
package final class TemporaryFolder: Sendable {
    /// Short enough for the path of a Unix socket.
    package let path: String

    /// Creates an empty folder that only this user can read.
    /// - Throws: a file system error.
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

    /// The path of the file `name` in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }
}

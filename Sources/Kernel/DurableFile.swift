import Foundation

/// A file with mode 0600 that is written atomically: under a draft name, synchronized, then linked or renamed.
/// Foundation's own functions neither synchronize nor report which step failed.
package struct DurableFile: Sendable {
    /// Thrown when a system call fails.
    package struct Failure: Error, Hashable, Sendable {
        package let step: String
        /// The call's error number (`errno`).
        package let code: Int32

        /// Captures `errno` of the call that has just failed.
        package init(_ step: String) {
            self.step = step
            code = errno
        }
    }

    private static let mode: mode_t = 0o600

    private let path: String

    /// Only stores the path; accesses nothing.
    package init(_ path: String) { self.path = path }

    /// Returns the path of the folder that contains the file at `path`.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Synchronizes a folder, so that added and removed names in it are durable.
    package static func synchronizeFolder(_ path: String) throws(Failure) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Failure("open folder") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Failure("fsync folder") }
    }

    /// Returns the file's first bytes, up to `limit`; `nil` when there is no file or it is not a regular file.
    package func read(limit: Int) throws(Failure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Failure("open")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure("fstat") }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        var failure: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: min(Int(status.st_size), limit)) { buffer, filled in
            while filled < buffer.count {
                let count = Foundation.read(file, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { failure = Failure("read") }
                guard count > 0 else { break }
                filled += count
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Creates the file. An existing file stays unchanged.
    /// - Parameter draft: the temporary name, in the same file system; used by no other writer.
    package func create(_ bytes: [UInt8], draft: String) throws(Failure) {
        try write(bytes, to: draft)
        defer { unlink(draft) }
        // A link is made completely or not at all, and never replaces an existing file.
        guard link(draft, path) == 0 || errno == EEXIST else { throw Failure("link") }
        try Self.synchronizeFolder(Self.folder(of: path))
    }

    /// Creates or replaces the file.
    /// - Parameter draft: the temporary name, in the same file system; used by no other writer.
    package func replace(_ bytes: [UInt8], draft: String) throws(Failure) {
        try write(bytes, to: draft)
        guard rename(draft, path) == 0 else {
            let failure = Failure("rename")
            unlink(draft)
            throw failure
        }
        try Self.synchronizeFolder(Self.folder(of: path))
    }

    /// Removes the file durably. A missing file is no error.
    package func remove() throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw Failure("unlink") }
        try Self.synchronizeFolder(Self.folder(of: path))
    }

    private func write(_ bytes: [UInt8], to draft: String) throws(Failure) {
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, Self.mode)
        guard file >= 0 else { throw Failure("create") }
        defer { close(file) }
        do throws(Failure) {
            try Self.write(bytes, to: file)
        } catch {
            unlink(draft)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let start = written
            let count = bytes.withUnsafeBytes {
                Foundation.write(file, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("write") }
            written += count
        }
        guard fsync(file) == 0 else { throw Failure("fsync") }
    }
}

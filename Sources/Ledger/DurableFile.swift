import Foundation

/// A small file that is whole and on the disk, or isn't there.
struct DurableFile {
    let path: String

    /// The content; `nil` without the file.
    /// - Parameter limit: one byte more than this is read, so that a longer file is noticed.
    func read(limit: Int) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw LedgerKey.Failure.file(errno)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw LedgerKey.Failure.file(errno) }
        return Array(bytes.prefix(count))
    }

    /// Makes the file, unless it is there.
    /// - Parameter mark: keeps two makers apart.
    func create(_ bytes: [UInt8], mark: UInt64) throws {
        try draft(bytes, mark: mark) { draft in
            // A link is made whole or not at all, and never over what is there.
            guard link(draft, path) == 0 || errno == EEXIST else { throw LedgerKey.Failure.file(errno) }
        }
    }

    /// Puts `bytes` in the place of what is there. One at a time: the callers see to that.
    func replace(_ bytes: [UInt8]) throws {
        try draft(bytes, mark: 0) { draft in
            guard rename(draft, path) == 0 else { throw LedgerKey.Failure.file(errno) }
        }
    }

    private func draft(_ bytes: [UInt8], mark: UInt64, finish: (String) throws -> Void) throws {
        let draft = "\(path).\(String(mark, radix: 16)).new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LedgerKey.Failure.file(errno) }
        defer { unlink(draft) }
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let problem = errno
        close(descriptor)
        guard isWritten else { throw LedgerKey.Failure.file(problem) }
        try finish(draft)
        let folder = (path as NSString).deletingLastPathComponent
        let folderDescriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard folderDescriptor >= 0 else { throw LedgerKey.Failure.file(errno) }
        defer { close(folderDescriptor) }
        guard fsync(folderDescriptor) == 0 else { throw LedgerKey.Failure.file(errno) }
    }
}

import Foundation
import Kernel

/// Where the bytes of a backup go.
package protocol BackupTarget: AnyObject {
    /// Writes all bytes.
    func write(_ bytes: [UInt8]) async throws
    /// Makes the bytes durable.
    func finish() async throws
    /// Removes what was written.
    func discard()
    /// The number of bytes that were written.
    var byteCount: Int64 { get }
}

/// Where the bytes of a backup come from.
package protocol BackupSource: AnyObject {
    /// Returns the next `count` bytes, or fewer at the end.
    func read(upTo count: Int) async throws -> [UInt8]
}

/// A new file, which gets its name when it is complete and checked.
package final class FileTarget: BackupTarget {
    private let path: String
    /// The temporary name.
    package let draft: String
    /// The number of bytes that were written.
    package private(set) var byteCount: Int64 = 0
    private let descriptor: Int32

    /// Opens a temporary file beside `path`. A file that an interrupted backup left there is overwritten.
    /// - Throws: ``BackupError/exists(_:)``, ``BackupError/busy(_:)`` or ``BackupError/system(step:code:)``.
    package init(_ path: String) throws(BackupError) {
        self.path = path
        draft = "\(path).partial"
        guard !FileManager.default.fileExists(atPath: path) else { throw .exists(path) }
        descriptor = open(draft, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(step: "create \(draft)", code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .busy(path)
        }
        guard ftruncate(descriptor, 0) == 0 else {
            close(descriptor)
            throw .system(step: "truncate \(draft)", code: errno)
        }
    }

    deinit { close(descriptor) }

    /// Writes all bytes.
    package func write(_ bytes: [UInt8]) throws {
        try POSIXFile.write(bytes, to: descriptor, draft)
        byteCount += Int64(bytes.count)
    }

    /// Synchronizes the file, and makes later reads come from the disk.
    package func finish() throws {
        guard fsync(descriptor) == 0 else { throw BackupError.system(step: "synchronize \(draft)", code: errno) }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Gives the file its name.
    package func publish() throws {
        guard !FileManager.default.fileExists(atPath: path) else { throw BackupError.exists(path) }
        guard rename(draft, path) == 0 else { throw BackupError.system(step: "rename \(draft)", code: errno) }
        do throws(DurableFile.Failure) {
            try DurableFile.synchronizeFolder(DurableFile.folder(of: path))
        } catch {
            throw BackupError(error, path)
        }
    }

    /// Removes the temporary file.
    package func discard() { unlink(draft) }
}

/// Standard output. It can't be read back, so such a backup isn't proved.
package final class StandardOutputTarget: BackupTarget {
    /// The number of bytes that were written.
    package private(set) var byteCount: Int64 = 0

    package init() {}

    /// Writes all bytes.
    package func write(_ bytes: [UInt8]) throws {
        try POSIXFile.write(bytes, to: STDOUT_FILENO, "standard output")
        byteCount += Int64(bytes.count)
    }

    /// Does nothing: the reader sees the end.
    package func finish() {}

    /// Does nothing: the reader finds that the end is missing.
    package func discard() {}
}

/// A file that is read from its beginning.
package final class FileSource: BackupSource {
    private let path: String
    private let descriptor: Int32

    /// - Throws: ``BackupError/system(step:code:)``.
    package init(_ path: String) throws(BackupError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(step: "open \(path)", code: errno) }
    }

    deinit { close(descriptor) }

    /// The size of the file.
    package var byteCount: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Returns the next bytes.
    package func read(upTo count: Int) throws -> [UInt8] { try POSIXFile.read(descriptor, upTo: count, path) }
}

/// Complete reads and writes of file descriptors.
enum POSIXFile {
    static func write(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws(BackupError) {
        var written = 0
        while written < bytes.count {
            let start = written
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(step: "write \(name)", code: errno) }
            written += count
        }
    }

    static func read(_ descriptor: Int32, upTo count: Int, _ name: String) throws(BackupError) -> [UInt8] {
        var failure: BackupError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = .system(step: "read \(name)", code: errno) }
                guard got > 0 else { break }
                filled += got
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

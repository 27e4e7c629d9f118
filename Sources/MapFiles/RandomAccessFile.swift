import Foundation

/// An open file that is read in parts. It stays readable if the file is deleted or replaced.
final class RandomAccessFile: Sendable {
    private let descriptor: Int32
    let bytes: UInt64

    /// - Throws: ``MapFileError`` if the path isn't a readable file.
    init(path: String) throws(MapFileError) {
        // Opening a FIFO would otherwise wait for a writer. For a file, the flag has no effect.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw MapFileError("can't be read: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw MapFileError("isn't a file")
        }
        bytes = UInt64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads a part. The caller limits its length.
    /// - Throws: ``MapFileError`` if the file has become shorter, or can't be read.
    func read(offset: UInt64, length: UInt64) throws(MapFileError) -> [UInt8] {
        guard let start = off_t(exactly: offset), let count = Int(exactly: length) else {
            throw .damaged("a part is beyond the end of the file")
        }
        var failure = 0 as Int32
        let read = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                guard let base = buffer.baseAddress else { return }
                let got = pread(descriptor, base + filled, count - filled, start + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    failure = got < 0 ? errno : 0
                    return
                }
                filled += got
            }
        }
        guard failure == 0 else { throw MapFileError("can't be read: \(String(cString: strerror(failure)))") }
        guard read.count == count else { throw .damaged("it is shorter than its directories say") }
        return read
    }
}

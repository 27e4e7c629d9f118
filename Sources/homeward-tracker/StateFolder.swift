import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// `StateFolder` has a method of the same name.
private let writeBytes = write

/// The folder with a tracker's state: one file, replaced atomically, so that a power cut leaves the old or the new one.
struct StateFolder: Sendable {
    enum Failure: Error, CustomStringConvertible {
        case unusable(path: String, code: Int32)
        case damaged(path: String)
        case inUse(path: String)

        var description: String {
            switch self {
            case .unusable(let path, let code): "\(path): \(String(cString: strerror(code)))"
            case .damaged(let path): "\(path) can't be read; move it away to begin as a new tracker"
            case .inUse(let path): "Another tracker runs in \(path)"
            }
        }
    }

    private let path: String
    private var file: String { path + "/tracker.json" }
    private var newFile: String { path + "/tracker.json.new" }
    private var lockFile: String { path + "/lock" }

    /// Only stores the path; ``create()`` creates the folder.
    init(path: String) { self.path = path }

    /// Creates the folder, readable only by its owner, if it doesn't exist.
    func create() throws(Failure) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .unusable(path: path, code: errno)
        }
    }

    /// Locks the folder against other processes until this one ends.
    func lock() throws(Failure) {
        let descriptor = open(lockFile, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(path: lockFile, code: errno) }
        // The descriptor stays open on purpose: the lock lasts as long as it does.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(path: path) }
    }

    /// Reads the state; returns `nil` when there is none yet.
    func load() throws(Failure) -> TrackerRecord? {
        guard access(file, F_OK) == 0 else {
            if errno == ENOENT { return nil }
            throw .unusable(path: file, code: errno)
        }
        guard
            let data = FileManager.default.contents(atPath: file),
            let record = try? JSONDecoder().decode(TrackerRecord.self, from: data)
        else { throw .damaged(path: file) }
        return record
    }

    /// Throws when the folder isn't writable; doesn't change the state.
    func tryWriting() throws(Failure) {
        let path = path + "/trial"
        let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(path: path, code: errno) }
        close(descriptor)
        unlink(path)
    }

    /// Writes the state and synchronizes it to the disk.
    func save(_ record: TrackerRecord) throws(Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let data = try? encoder.encode(record) else { throw .damaged(path: file) }
        try write(Array(data))
        guard rename(newFile, file) == 0 else { throw .unusable(path: file, code: errno) }
        try synchronizeFolder()
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        let descriptor = open(newFile, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(path: newFile, code: errno) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unusable(path: newFile, code: errno) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw .unusable(path: newFile, code: errno) }
    }

    private func synchronizeFolder() throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unusable(path: path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unusable(path: path, code: errno) }
    }
}

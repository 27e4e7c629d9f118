import Foundation
import Kernel

/// The file operations that durable writes are made of. Foundation's own neither fsync nor say which step failed.
enum Files {
    private static let folderMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes a folder and those above it, each synchronized with the one that holds it.
    static func makeFolder(_ path: String) throws(ObjectStoreError) {
        if mkdir(path, folderMode) == 0 { return try synchronizeFolder(parent(of: path)) }
        switch errno {
        case EEXIST:
            return
        case ENOENT where parent(of: path) != path:
            try makeFolder(parent(of: path))
            guard mkdir(path, folderMode) == 0 || errno == EEXIST else { throw failure("mkdir") }
            try synchronizeFolder(parent(of: path))
        default:
            throw failure("mkdir")
        }
    }

    /// Writes a new file and waits until its bytes are on disk.
    static func write(_ bytes: [UInt8], to path: String) throws(ObjectStoreError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fileMode)
        guard file >= 0 else { throw failure("create") }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let start = written
            let count = bytes.withUnsafeBytes {
                Foundation.write(file, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write") }
            written += count
        }
        guard fsync(file) == 0 else { throw failure("fsync") }
    }

    static func rename(_ from: String, to path: String) throws(ObjectStoreError) {
        guard Foundation.rename(from, path) == 0 else { throw failure("rename") }
    }

    /// Makes sure that names which were added to or taken from a folder stay so.
    static func synchronizeFolder(_ path: String) throws(ObjectStoreError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("open folder") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("fsync folder") }
    }

    /// The bytes of a file; `nil` when there is none.
    static func read(_ path: String, maximumBytes: Int) throws(ObjectStoreError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("open")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("fstat") }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size <= maximumBytes else { throw .tooLarge }
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, filled in
            while filled < buffer.count {
                let count = Foundation.read(file, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { code = errno }
                guard count > 0 else { break }
                filled += count
            }
        }
        guard code == 0 else { throw .system(step: "read", code: code) }
        return bytes
    }

    /// Removes a file.
    /// - Returns: whether there was one.
    @discardableResult
    static func remove(_ path: String) throws(ObjectStoreError) -> Bool {
        if unlink(path) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw failure("unlink")
    }

    /// When a file was last written to; `nil` when there is none.
    static func modified(_ path: String) throws(ObjectStoreError) -> Instant? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("stat")
        }
        let seconds = Int64(status.st_mtim.tv_sec)
        return Instant(millisecondsSince1970: seconds * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
    }

    /// The paths of all files below `root` and its subfolder `part`, as seen from `root`. Hidden names are left out.
    static func list(_ root: String, below part: String) throws(ObjectStoreError) -> [String] {
        var found: [String] = []
        var waiting = [part]
        while let folder = waiting.popLast() {
            for (name, isFolder) in try entries(of: folder.isEmpty ? root : root + "/" + folder) {
                let path = folder.isEmpty ? name : folder + "/" + name
                if isFolder { waiting.append(path) } else { found.append(path) }
            }
        }
        return found
    }

    private static func entries(of path: String) throws(ObjectStoreError) -> [(name: String, isFolder: Bool)] {
        guard let handle = opendir(path) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw failure("opendir")
        }
        defer { closedir(handle) }
        var found: [(String, Bool)] = []
        while true {
            errno = 0
            guard let entry = Foundation.readdir(handle) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            var status = stat()
            // Gone since it was listed: somebody else removed it.
            guard lstat(path + "/" + name, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: found.append((name, true))
            case S_IFREG: found.append((name, false))
            default: continue
            }
        }
        guard errno == 0 else { throw failure("readdir") }
        return found
    }

    private static func failure(_ step: String) -> ObjectStoreError { .system(step: step, code: errno) }
}

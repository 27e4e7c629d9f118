import Foundation
import Kernel

extension ObjectStoreError {
    init(_ failure: DurableFile.Failure) { self = .system(step: failure.step, code: failure.code) }
}

/// File operations of ``FolderObjectStore`` in addition to ``DurableFile``.
enum Files {
    private static let folderMode: mode_t = 0o700

    /// Creates a folder with its parents and synchronizes each parent.
    static func makeFolder(_ path: String) throws(ObjectStoreError) {
        if mkdir(path, folderMode) == 0 { return try synchronizeFolder(DurableFile.folder(of: path)) }
        switch errno {
        case EEXIST:
            return
        case ENOENT where DurableFile.folder(of: path) != path:
            try makeFolder(DurableFile.folder(of: path))
            guard mkdir(path, folderMode) == 0 || errno == EEXIST else { throw failure("mkdir") }
            try synchronizeFolder(DurableFile.folder(of: path))
        default:
            throw failure("mkdir")
        }
    }

    /// Makes additions to and removals from a folder durable.
    static func synchronizeFolder(_ path: String) throws(ObjectStoreError) {
        do throws(DurableFile.Failure) {
            try DurableFile.synchronizeFolder(path)
        } catch {
            throw ObjectStoreError(error)
        }
    }

    /// Removes a file.
    /// - Returns: Whether the file existed.
    @discardableResult
    static func remove(_ path: String) throws(ObjectStoreError) -> Bool {
        if unlink(path) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw failure("unlink")
    }

    /// When a file was last modified; `nil` when it doesn't exist.
    static func modified(_ path: String) throws(ObjectStoreError) -> Instant? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("stat")
        }
        let seconds = Int64(status.st_mtim.tv_sec)
        return Instant(millisecondsSince1970: seconds * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
    }

    /// The paths, relative to `root`, of all files below its subfolder `part`, without hidden names.
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

    /// The entries of a folder, without hidden names; empty when the folder doesn't exist.
    static func entries(of path: String) throws(ObjectStoreError) -> [(name: String, isFolder: Bool)] {
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
            // Another process removed the entry after it was listed.
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

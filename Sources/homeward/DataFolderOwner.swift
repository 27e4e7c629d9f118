import Foundation
import Synchronization

/// Keeps the data folder usable for the service, which runs as a user of its own, after a command that root ran on it.
///
/// Files that root creates there, such as the key of the first backup, get the owner of the folder when the command
/// ends. Folders are opened one after another without following links, so that the service's user can't make root
/// change a file elsewhere. A file with several names is left alone for the same reason.
enum DataFolderOwner {
    private static let folder = Mutex<String?>(nil)

    /// Gives files in `folder` to its owner at the end of this process, if root runs it.
    static func keep(of folder: String) {
        guard geteuid() == 0 else { return }
        let isFirst = Self.folder.withLock { known in
            defer { known = folder }
            return known == nil
        }
        if isFirst { atexit { DataFolderOwner.restore() } }
    }

    private static func restore() {
        guard let path = folder.withLock(\.self) else { return }
        var owner = stat()
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        guard fstat(descriptor, &owner) == 0, owner.st_uid != 0 else {
            close(descriptor)
            return
        }
        give(descriptor, to: owner)
    }

    /// Gives what root owns in a folder to `owner`, and closes the folder.
    private static func give(_ descriptor: Int32, to owner: stat) {
        guard let entries = fdopendir(descriptor) else {
            close(descriptor)
            return
        }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let file = openat(dirfd(entries), name, flags)
            guard file >= 0 else { continue }
            var status = stat()
            guard fstat(file, &status) == 0 else {
                close(file)
                continue
            }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let isFile = status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
            if status.st_uid == 0, isFolder || isFile { _ = fchown(file, owner.st_uid, owner.st_gid) }
            if isFolder { give(file, to: owner) } else { close(file) }
        }
    }
}

import Foundation
import GRDB
import Kernel

/// The database file, and the settings of connections to it.
struct SQLiteFile: Sendable {
    /// "HMWD", the application id in the header of Homeward's SQLite files.
    static let applicationID = 0x484d_5744

    let path: String

    /// Creates the folder, accessible only to its owner, unless it exists.
    func createFolder() throws {
        let folder = (path as NSString).deletingLastPathComponent
        guard !folder.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw StorageError.cannotOpen("the folder \(folder) can't be made: \(error.localizedDescription)")
        }
    }

    /// Creates the file, accessible only to its owner, unless it exists.
    func create() throws {
        // Never open an existing file here: closing it again would drop the locks that SQLite holds in this process.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno != EEXIST else { return }
            throw StorageError.cannotOpen("\(path): \(String(cString: strerror(errno)))")
        }
        close(descriptor)
    }

    /// The size of the file and its write-ahead log.
    func sizeBytes() throws -> Int64 {
        // Not opened, for the reason in `create`.
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw StorageError.cannotOpen("\(path): \(String(cString: strerror(errno)))")
        }
        let size = Int64(status.st_size)
        // The log is missing while no connection is open.
        return stat(path + "-wal", &status) == 0 ? size + Int64(status.st_size) : size
    }

    /// - Throws: ``StorageError/missing(_:)`` unless the file contains a database of Homeward;
    ///   ``StorageError/cannotOpen(_:)`` for that of another program.
    func requireContent() throws {
        guard FileManager.default.fileExists(atPath: path) else { throw StorageError.missing(path) }
        let queue = try connectUnchanged()
        defer { try? queue.close() }
        let found: (tables: Int, id: Int)
        do {
            found = try queue.read { database in
                (
                    tables: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_schema") ?? 0,
                    id: try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                )
            }
        } catch let error as DatabaseError {
            throw StorageError.cannotOpen("\(path): \(error.message ?? "SQLite \(error.extendedResultCode.rawValue)")")
        }
        guard found.tables > 0 else { throw StorageError.missing(path) }
        guard found.id == Self.applicationID else {
            throw StorageError.cannotOpen("\(path) is a SQLite file, but not Homeward’s")
        }
    }

    /// Opens the file without creating another one beside it. A reader usually creates the index of the write-ahead
    /// log; without a log, no other process has the file open, and it can be read as it is.
    func connectUnchanged() throws -> DatabaseQueue {
        guard !FileManager.default.fileExists(atPath: path + "-wal"),
            let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return try connect(isReadOnly: true) }
        return try SQLiteFile(path: "file:\(name)?immutable=1").connect(isReadOnly: true)
    }

    func connect(isReadOnly: Bool = false) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(TimeInterval(Limits.databaseBusySeconds))
        configuration.prepareDatabase { database in
            // Not through GRDB's configuration: it sets synchronous to NORMAL afterwards, which may lose the last
            // commits in a power failure.
            if !isReadOnly {
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
                guard mode == "wal" else {
                    throw StorageError.cannotOpen("\(path): no write-ahead log can be kept here")
                }
            }
            // A negative cache size is in KiB.
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cache_size = \(isReadOnly ? -8_192 : -32_768);
                    """
            )
        }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch let error as DatabaseError {
            throw StorageError.cannotOpen("\(path): \(error.message ?? "SQLite \(error.extendedResultCode.rawValue)")")
        }
    }
}

import Kernel
import Objects

/// An entry of a backup: its name and its size.
struct ArchiveEntry: Sendable, Hashable {
    /// What an entry is.
    enum Kind: Sendable, Hashable {
        /// The settings in effect, one `HOMEWARD_NAME=value` a line.
        case settings
        /// A key file of the data folder.
        case key(String)
        /// The end of the ledger's chain from before the database was copied.
        case ledgerHead
        /// The database as a SQLite file.
        case database
        /// An object of the object store.
        case object(String)
        /// The list of all objects.
        case objectList
        case manifest
    }

    let kind: Kind
    let byteCount: Int64

    init(_ kind: Kind, byteCount: Int64) {
        self.kind = kind
        self.byteCount = byteCount
    }
}

extension ArchiveEntry.Kind {
    private static let keyFolder = "keys/"
    private static let objectFolder = "objects/"

    var name: String {
        switch self {
        case .settings: "settings.conf"
        case .key(let name): Self.keyFolder + name
        case .ledgerHead: "ledger.head"
        case .database: "database.sqlite"
        case .object(let key): Self.objectFolder + key
        case .objectList: "objects.list"
        case .manifest: "manifest.json"
        }
    }

    /// - Returns: `nil` for a name that isn't part of the format, such as a path that leaves its folder.
    init?(name: String) {
        switch name {
        case "settings.conf": self = .settings
        case "ledger.head": self = .ledgerHead
        case "database.sqlite": self = .database
        case "objects.list": self = .objectList
        case "manifest.json": self = .manifest
        case _ where name.hasPrefix(Self.keyFolder):
            let file = String(name.dropFirst(Self.keyFolder.count))
            guard file.hasSuffix(".key"), ObjectKey.isValid(file), !file.contains("/") else { return nil }
            self = .key(file)
        case _ where name.hasPrefix(Self.objectFolder):
            let key = String(name.dropFirst(Self.objectFolder.count))
            guard ObjectKey.isValid(key) else { return nil }
            self = .object(key)
        default: return nil
        }
    }

    var maximumByteCount: Int64 {
        switch self {
        case .settings, .key, .ledgerHead: Int64(Limits.backupSmallEntryBytes)
        case .manifest: Int64(Limits.backupManifestBytes)
        case .objectList: Int64(Limits.backupListBytes)
        case .object: Int64(Limits.objectBytes)
        case .database: .max
        }
    }
}

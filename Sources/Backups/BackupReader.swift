import Crypto
import Foundation
package import Kernel
import Objects
import Storage

/// A backup that was decrypted and read completely, with its database in a temporary folder.
package struct OpenedBackup: Sendable {
    package let manifest: BackupManifest
    /// The settings of the server that made the backup, one `HOMEWARD_NAME=value` a line.
    package let settings: String
    /// The key files by name.
    package let keys: [String: [UInt8]]
    /// The file with the end of the ledger's chain.
    package let ledgerHead: [UInt8]?
    package let objects: [BackupObject]
    /// The copy of the database. It is deleted with this value.
    package let databasePath: String
    let scratch: ScratchFolder

    /// The path of a further file in the temporary folder.
    package func file(_ name: String) -> String { scratch.file(name) }
}

/// Reads backups.
package struct BackupReader: Sendable {
    let key: BackupKey
    let dataFolder: String
    let random: any RandomSource
    let progress: BackupProgressHandler

    /// - Parameter dataFolder: gets a temporary copy of the database.
    package init(
        key: BackupKey, dataFolder: String, random: any RandomSource,
        progress: @escaping BackupProgressHandler = { _ in }
    ) {
        self.key = key
        self.dataFolder = dataFolder
        self.random = random
        self.progress = progress
    }

    /// Decrypts a whole backup, and compares its database and objects with the manifest.
    /// - Throws: ``BackupError`` if anything is missing, was changed or contradicts the manifest.
    package func open(_ source: any BackupSource) async throws -> OpenedBackup { try await open([source]) }

    /// Does the same for a backup of several streams. Their objects must be read separately if the manifest says so.
    package func open(_ sources: [any BackupSource]) async throws -> OpenedBackup {
        let scratch = try ScratchFolder(in: dataFolder, random: random)
        let path = scratch.file("database.sqlite")
        var content = ArchiveContent()
        for source in sources { try await read(try await ArchiveReader(source, key: key), into: &content, path) }
        return try content.opened(path, scratch)
    }

    private func read(_ archive: ArchiveReader, into content: inout ArchiveContent, _ path: String) async throws {
        var done: Int64 = 0
        while let entry = try await archive.next() {
            try Task.checkCancellation()
            guard content.manifest == nil else { throw BackupError.contradiction("its manifest isn't the last entry") }
            switch entry.kind {
            case .settings: content.settings = String(decoding: try await archive.readAll(), as: UTF8.self)
            case .key(let name): content.keys[name] = try await archive.readAll()
            case .ledgerHead: content.ledgerHead = try await archive.readAll()
            case .database: content.databaseDigest = try await copy(archive, entry.byteCount, to: path)
            case .object(let key): content.found.append(BackupObject(key: key, bytes: try await archive.readAll()))
            case .objectList: content.list = try await archive.readAll()
            case .manifest:
                content.manifest = try JSONDecoder().decode(
                    BackupManifest.self, from: Data(try await archive.readAll()))
            }
            done += entry.byteCount
            progress(BackupProgress(.reading, done: done))
        }
    }

    /// Calls `body` with each object of a backup that ``open(_:)`` has checked.
    package func forEachObject(
        of source: any BackupSource, _ body: (_ key: String, _ bytes: [UInt8]) async throws -> Void
    ) async throws {
        let archive = try await ArchiveReader(source, key: key)
        while let entry = try await archive.next() {
            guard case .object(let key) = entry.kind else { continue }
            try await body(key, try await archive.readAll())
        }
    }

    private func copy(_ archive: ArchiveReader, _ size: Int64, to path: String) async throws -> String {
        try DiskSpace.require(size, in: dataFolder)
        let target = try FileTarget(path)
        var hash = SHA256()
        var done: Int64 = 0
        while let bytes = try await archive.read() {
            hash.update(data: bytes)
            try target.write(bytes)
            done += Int64(bytes.count)
            progress(BackupProgress(.reading, done: done))
        }
        try target.finish()
        try target.publish()
        return Hexadecimal.encoded(hash.finalize())
    }
}

/// What was read of a backup so far.
private struct ArchiveContent {
    var settings: String?
    var keys: [String: [UInt8]] = [:]
    var ledgerHead: [UInt8]?
    var databaseDigest: String?
    var found: [BackupObject] = []
    var list: [UInt8]?
    var manifest: BackupManifest?

    /// Compares the parts with the manifest.
    func opened(_ path: String, _ scratch: ScratchFolder) throws -> OpenedBackup {
        guard let settings, let list, let manifest else { throw BackupError.contradiction("a part of it is missing") }
        guard databaseDigest == manifest.databaseDigest else {
            throw BackupError.contradiction("the database isn't the one of its manifest")
        }
        guard Hexadecimal.encoded(SHA256.hash(data: list)) == manifest.objectListDigest,
            case let objects = try BackupObject.read(list), objects.count == manifest.objectCount,
            manifest.hasSeparateObjects ? found.isEmpty : objects == found
        else { throw BackupError.contradiction("its objects aren't those of its manifest") }
        return OpenedBackup(
            manifest: manifest, settings: settings, keys: keys, ledgerHead: ledgerHead, objects: objects,
            databasePath: path, scratch: scratch)
    }
}

extension OpenedBackup {
    /// Checks the database with its engine's means, and compares its rows and migrations with the manifest.
    package func checkDatabase() async throws {
        let summary = try await DatabaseFile(path: databasePath).inspect()
        guard summary.migrations == manifest.migrations else {
            throw BackupError.contradiction("its migrations aren't those of its manifest")
        }
        guard summary.rows == manifest.rows else {
            let tables = Set(summary.rows.keys).union(manifest.rows.keys).sorted()
            let table = tables.first { summary.rows[$0] != manifest.rows[$0] } ?? ""
            throw BackupError.contradiction("the rows of \(table) aren't as many as in its manifest")
        }
    }
}

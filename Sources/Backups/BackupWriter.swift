import Crypto
package import Kernel
import Objects
import Storage

/// Writes a backup.
package struct BackupWriter: Sendable {
    let subject: BackupSubject
    let key: BackupKey
    let dataFolder: String
    let clock: any WallClock
    let random: any RandomSource
    let progress: BackupProgressHandler

    /// - Parameter dataFolder: gets a temporary copy of the database.
    package init(
        _ subject: BackupSubject, key: BackupKey, dataFolder: String, clock: any WallClock, random: any RandomSource,
        progress: @escaping BackupProgressHandler = { _ in }
    ) {
        self.subject = subject
        self.key = key
        self.dataFolder = dataFolder
        self.clock = clock
        self.random = random
        self.progress = progress
    }

    /// Writes a complete backup to a target, or nothing.
    /// - Returns: the content.
    package func write(to target: any BackupTarget) async throws -> BackupManifest {
        do {
            let archive = try ArchiveWriter(target, key: key)
            var manifest = try await writeDatabase(to: archive)
            var objects: [BackupObject] = []
            try await subject.forEachObjectKey { key in
                try Task.checkCancellation()
                // Deleted since the list was read.
                guard let bytes = try await subject.objects.get(key) else { return }
                try await archive.add(.object(key), bytes)
                objects.append(BackupObject(key: key, bytes: bytes))
                progress(BackupProgress(.writingObjects, done: Int64(objects.count), unit: "objects"))
            }
            try await writeEnd(&manifest, objects, to: archive)
            try await target.finish()
            return manifest
        } catch {
            target.discard()
            throw error
        }
    }

    /// Writes settings, keys, the ledger's head and a copy of the database.
    func writeDatabase(to archive: ArchiveWriter) async throws -> BackupManifest {
        let startedAt = clock.now
        progress(BackupProgress(.copyingDatabase))
        try DiskSpace.require(try await subject.databaseBytes(), in: dataFolder)
        try await archive.add(.settings, Array(subject.settings.utf8))
        for (name, bytes) in subject.keys.sorted(by: { $0.key < $1.key }) { try await archive.add(.key(name), bytes) }
        // Before the database: a head that is behind the database is right, one that is ahead shows a loss.
        if let head = try subject.ledgerHead() { try await archive.add(.ledgerHead, head) }
        let scratch = try ScratchFolder(in: dataFolder, random: random)
        let path = scratch.file("database.sqlite")
        try await subject.database.backup(to: path)
        let summary = try await DatabaseFile(path: path).inspect()
        let (size, digest) = try await copy(path, to: archive)
        return BackupManifest(
            createdAt: startedAt.rfc3339, engine: "\(subject.database.dialect)", migrations: summary.migrations,
            rows: summary.rows, databaseBytes: size, databaseDigest: digest, objectCount: 0, objectBytes: 0,
            objectListDigest: "")
    }

    /// Writes the list of objects and the manifest, which completes `manifest`.
    func writeEnd(_ manifest: inout BackupManifest, _ objects: [BackupObject], to archive: ArchiveWriter) async throws {
        let list = BackupObject.list(objects)
        manifest.objectCount = objects.count
        manifest.objectBytes = objects.reduce(0) { $0 + Int64($1.byteCount) }
        manifest.objectListDigest = Hexadecimal.encoded(SHA256.hash(data: list))
        try await archive.add(.objectList, list)
        try await archive.add(.manifest, try manifest.json())
        try await archive.finish()
    }

    private func copy(_ path: String, to archive: ArchiveWriter) async throws -> (size: Int64, digest: String) {
        let source = try FileSource(path)
        let size = source.byteCount
        try await archive.begin(ArchiveEntry(.database, byteCount: size))
        var hash = SHA256()
        var done: Int64 = 0
        while true {
            let bytes = try source.read(upTo: Limits.backupChunkBytes)
            guard !bytes.isEmpty else { break }
            try Task.checkCancellation()
            hash.update(data: bytes)
            try await archive.write(bytes)
            done += Int64(bytes.count)
            progress(BackupProgress(.writingDatabase, done: done, of: size))
        }
        return (size, Hexadecimal.encoded(hash.finalize()))
    }
}

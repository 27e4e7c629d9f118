import Kernel
import Objects

/// What a backup in a repository added to it.
package struct RepositoryResult: Sendable {
    package let backup: RepositoryBackup
    /// The objects whose content this backup added.
    package let copied: [BackupObject]
}

extension BackupWriter {
    /// Writes a backup to a repository. Objects that its newest backup has are neither read nor written again, because
    /// an object never changes.
    package func write(to repository: BackupRepository, as name: BackupName) async throws -> RepositoryResult {
        // Shows other nodes that the repository is in use, before it is listed.
        try await repository.store.put(Array("started\n".utf8), at: RepositoryLayout.start(of: name))
        let known = try await knownObjects(in: repository)
        let data = RepositoryTarget(repository.store, .data, of: name)
        let archive = try ArchiveWriter(data, key: key)
        var manifest = try await writeDatabase(to: archive)
        try await archive.finish()
        try await data.finish()

        let (objects, copied, copiedBytes) = try await writeObjects(to: repository, known)
        let list = RepositoryTarget(repository.store, .list, of: name)
        manifest.hasSeparateObjects = true
        try await writeEnd(&manifest, objects, to: try ArchiveWriter(list, key: key))
        try await list.finish()

        let backup = RepositoryBackup(
            name: name, manifest: manifest, byteCount: data.byteCount + list.byteCount + copiedBytes,
            objectsCopied: copied.count, data: data.parts, list: list.parts)
        try await repository.complete(backup)
        try await requireContents(of: objects, backup, in: repository)
        return RepositoryResult(backup: backup, copied: copied)
    }

    /// The objects of the newest backup by key.
    private func knownObjects(in repository: BackupRepository) async throws -> [String: BackupObject] {
        guard let latest = try await repository.latest() else { return [:] }
        let objects = try await repository.objects(of: latest)
        return Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    private func writeObjects(
        to repository: BackupRepository, _ known: [String: BackupObject]
    ) async throws -> (objects: [BackupObject], copied: [BackupObject], bytes: Int64) {
        var objects: [BackupObject] = []
        var copied: [BackupObject] = []
        var size: Int64 = 0
        var digests = Set(known.values.map(\.digest))
        try await subject.forEachObjectKey { key in
            try Task.checkCancellation()
            if let same = known[key] {
                objects.append(same)
            } else {
                // Deleted since the list was read.
                guard let bytes = try await subject.objects.get(key) else { return }
                let object = BackupObject(key: key, bytes: bytes)
                if digests.insert(object.digest).inserted {
                    size += try await repository.put(bytes, object)
                    copied.append(object)
                }
                objects.append(object)
            }
            progress(BackupProgress(.writingObjects, done: Int64(objects.count), unit: "objects"))
        }
        return (objects, copied, size)
    }

    /// Checks that the contents of all objects are there: another node may have removed what no backup referred to.
    private func requireContents(
        of objects: [BackupObject], _ backup: RepositoryBackup, in repository: BackupRepository
    ) async throws {
        let contents = try await repository.contents()
        guard let missing = objects.first(where: { !contents.contains(RepositoryLayout.object($0.digest, key)) })
        else { return }
        try await repository.retract(backup.name)
        throw BackupError.contradiction("the content of \(missing.key) disappeared from the repository")
    }
}

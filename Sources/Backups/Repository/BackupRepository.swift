import Crypto
import Foundation
import Kernel
package import Objects

/// A complete backup in a repository.
package struct RepositoryBackup: Sendable, Hashable {
    package let name: BackupName
    package let manifest: BackupManifest
    /// The bytes that this backup added to the repository.
    package let byteCount: Int64
    /// The objects that this backup added.
    package let objectsCopied: Int
    let data: [RepositoryPart]
    let list: [RepositoryPart]
}

/// Backups in an object store. Objects are stored once and shared by all backups.
package struct BackupRepository: Sendable {
    /// The content of the object that completes a backup.
    private struct Completion: Codable {
        let manifest: BackupManifest
        let byteCount: Int64
        let objectsCopied: Int
        let data: [RepositoryPart]
        let list: [RepositoryPart]
    }

    let store: any ObjectStore
    package let key: BackupKey

    package init(_ store: any ObjectStore, key: BackupKey) {
        self.store = store
        self.key = key
    }

    /// Returns the names of all backups by time, and which of them are complete.
    package func names() async throws -> [(name: BackupName, isComplete: Bool)] { try await Self.names(in: store) }

    /// Does the same without a key.
    package static func names(in store: any ObjectStore) async throws -> [(name: BackupName, isComplete: Bool)] {
        var found: [BackupName: Bool] = [:]
        for key in try await store.keys(below: RepositoryLayout.backups) {
            guard let (name, isCompletion) = RepositoryLayout.backup(of: key) else { continue }
            found[name] = found[name] ?? false || isCompletion
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the newest complete backup.
    package func latest() async throws -> RepositoryBackup? {
        guard let name = try await names().last(where: \.isComplete)?.name else { return nil }
        return try await find(name)
    }

    /// Returns a complete backup.
    /// - Throws: ``BackupError`` if it doesn't exist, isn't complete, was changed, or was made with another key.
    package func find(_ name: BackupName) async throws -> RepositoryBackup {
        guard let bytes = try await store.get(RepositoryLayout.completion(of: name)) else {
            throw BackupError.contradiction("the repository has no complete backup \(name)")
        }
        let completion = try JSONDecoder().decode(Completion.self, from: Data(try await unseal(bytes, .manifest)))
        return RepositoryBackup(
            name: name, manifest: completion.manifest, byteCount: completion.byteCount,
            objectsCopied: completion.objectsCopied, data: completion.data, list: completion.list)
    }

    /// Makes a backup complete.
    func complete(_ backup: RepositoryBackup) async throws {
        let completion = Completion(
            manifest: backup.manifest, byteCount: backup.byteCount, objectsCopied: backup.objectsCopied,
            data: backup.data, list: backup.list)
        try await store.put(
            try await seal(try completion.json(), .manifest), at: RepositoryLayout.completion(of: backup.name))
    }

    /// Makes a backup incomplete.
    package func retract(_ name: BackupName) async throws {
        try await store.delete(RepositoryLayout.completion(of: name))
    }

    /// Deletes all that belongs to one backup alone. It isn't complete any more after the first step.
    func delete(_ name: BackupName) async throws {
        try await retract(name)
        for key in try await store.keys(below: "\(RepositoryLayout.backups)\(name)/") { try await store.delete(key) }
    }

    /// Returns the streams of a backup, for ``BackupReader/open(_:)``.
    package func sources(of backup: RepositoryBackup) -> [any BackupSource] {
        [
            RepositorySource(store, .data, of: backup.name, backup.data),
            RepositorySource(store, .list, of: backup.name, backup.list),
        ]
    }

    /// Returns the objects that a backup refers to.
    func objects(of backup: RepositoryBackup) async throws -> [BackupObject] {
        let archive = try await ArchiveReader(
            RepositorySource(store, .list, of: backup.name, backup.list), key: key)
        while let entry = try await archive.next() {
            if entry.kind == .objectList { return try BackupObject.read(try await archive.readAll()) }
        }
        throw BackupError.contradiction("its list of objects is missing")
    }

    /// Stores the content of an object.
    /// - Returns: the number of bytes.
    func put(_ bytes: [UInt8], _ object: BackupObject) async throws -> Int64 {
        let location = RepositoryLayout.object(object.digest, key)
        let sealed = try await seal(bytes, .object(location))
        try await store.put(sealed, at: location)
        return Int64(sealed.count)
    }

    /// Returns the content of an object.
    /// - Throws: ``BackupError`` if it is missing or isn't the one that the backup refers to.
    package func content(of object: BackupObject) async throws -> [UInt8] {
        let location = RepositoryLayout.object(object.digest, key)
        guard let sealed = try await store.get(location) else {
            throw BackupError.contradiction("the content of \(object.key) is missing in the repository (\(location))")
        }
        let bytes = try await unseal(sealed, .object(location))
        guard BackupObject(key: object.key, bytes: bytes) == object else {
            throw BackupError.contradiction("the content of \(object.key) in the repository is another one")
        }
        return bytes
    }

    /// Returns the locations of all contents of objects.
    func contents() async throws -> Set<String> { Set(try await store.keys(below: RepositoryLayout.objects)) }

    private func seal(_ bytes: [UInt8], _ kind: ArchiveEntry.Kind) async throws -> [UInt8] {
        let target = BytesTarget()
        let archive = try ArchiveWriter(target, key: key)
        try await archive.add(kind, bytes)
        try await archive.finish()
        return target.bytes
    }

    private func unseal(_ bytes: [UInt8], _ kind: ArchiveEntry.Kind) async throws -> [UInt8] {
        let archive = try await ArchiveReader(BytesSource(bytes), key: key)
        guard try await archive.next()?.kind == kind else {
            throw BackupError.contradiction("an object of the repository is at the wrong place")
        }
        let content = try await archive.readAll()
        guard try await archive.next() == nil else { throw BackupError.contradiction("an object has two contents") }
        return content
    }
}

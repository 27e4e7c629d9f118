import Crypto
import Kernel
import Objects

/// A part of a stream, an object of the repository.
struct RepositoryPart: Codable, Sendable, Hashable {
    let byteCount: Int
    /// SHA-256 of the encrypted bytes, in hexadecimal.
    let digest: String
}

/// Writes a stream as objects of a limited size.
final class RepositoryTarget: BackupTarget {
    private let store: any ObjectStore
    private let name: BackupName
    private let stream: RepositoryStream
    private var waiting: [UInt8] = []
    private(set) var parts: [RepositoryPart] = []

    init(_ store: any ObjectStore, _ stream: RepositoryStream, of name: BackupName) {
        self.store = store
        self.stream = stream
        self.name = name
    }

    var byteCount: Int64 { parts.reduce(0) { $0 + Int64($1.byteCount) } }

    func write(_ bytes: [UInt8]) async throws {
        waiting += bytes
        if waiting.count >= Limits.backupPartBytes { try await send() }
    }

    func finish() async throws {
        if !waiting.isEmpty { try await send() }
    }

    /// Leaves the parts: a backup without its last object doesn't count, and is removed later.
    func discard() {}

    private func send() async throws {
        try Task.checkCancellation()
        let key = RepositoryLayout.part(parts.count, of: stream, in: name)
        try await store.put(waiting, at: key)
        parts.append(
            RepositoryPart(byteCount: waiting.count, digest: Hexadecimal.encoded(SHA256.hash(data: waiting))))
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Reads a stream from its objects.
final class RepositorySource: BackupSource {
    private let store: any ObjectStore
    private let name: BackupName
    private let stream: RepositoryStream
    private let parts: [RepositoryPart]
    private var number = 0
    private var buffer: ArraySlice<UInt8> = []

    init(_ store: any ObjectStore, _ stream: RepositoryStream, of name: BackupName, _ parts: [RepositoryPart]) {
        self.store = store
        self.stream = stream
        self.name = name
        self.parts = parts
    }

    func read(upTo count: Int) async throws -> [UInt8] {
        while buffer.count < count, number < parts.count {
            let key = RepositoryLayout.part(number, of: stream, in: name)
            guard let bytes = try await store.get(key) else {
                throw BackupError.contradiction("\(key) is missing in the repository")
            }
            guard bytes.count == parts[number].byteCount,
                Hexadecimal.encoded(SHA256.hash(data: bytes)) == parts[number].digest
            else { throw BackupError.contradiction("\(key) in the repository was changed") }
            buffer = (Array(buffer) + bytes)[...]
            number += 1
        }
        let result = Array(buffer.prefix(count))
        buffer = buffer.dropFirst(result.count)
        return result
    }
}

/// Bytes in memory, for small encrypted objects.
final class BytesTarget: BackupTarget {
    private(set) var bytes: [UInt8] = []

    var byteCount: Int64 { Int64(bytes.count) }

    func write(_ bytes: [UInt8]) { self.bytes += bytes }

    func finish() {}

    func discard() {}
}

/// Bytes from memory.
final class BytesSource: BackupSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(upTo count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}

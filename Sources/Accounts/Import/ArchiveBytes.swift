import Kernel
import Objects
import Pictures
import Storage

/// The bytes of an archive, in any order.
protocol ArchiveBytes: Sendable {
    var count: Int { get }
    /// Returns the bytes from an offset on. They exist, because the caller compares with ``count``.
    func read(from offset: Int, count: Int) async throws -> [UInt8]
}

/// An uploaded archive in the object store, in parts of ``Limits/importPartBytes``. One part is in memory.
actor StoredArchive: ArchiveBytes {
    nonisolated let count: Int
    private let id: ID<AccountImport>
    private let objects: any ObjectStore
    private var cached: (index: Int, bytes: [UInt8])?

    init(_ id: ID<AccountImport>, count: Int, objects: any ObjectStore) {
        self.id = id
        self.count = count
        self.objects = objects
    }

    /// The prefix of the parts of all archives.
    static let prefix = "imports/"

    /// The key of a part's object.
    static func key(of id: ID<AccountImport>, part index: Int) -> String { "\(prefix)\(id)/\(index)" }

    /// The keys of all parts of an archive.
    static func keys(of id: ID<AccountImport>, count: Int) -> [String] {
        let parts = (count + Limits.importPartBytes - 1) / Limits.importPartBytes
        return (0..<parts).map { key(of: id, part: $0) }
    }

    func read(from offset: Int, count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let place = offset + bytes.count
            let part = try await part(place / Limits.importPartBytes)
            let start = place % Limits.importPartBytes
            let end = min(part.count, start + count - bytes.count)
            guard start < end else { throw ZipError.damaged }
            bytes += part[start..<end]
        }
        return bytes
    }

    private func part(_ index: Int) async throws -> [UInt8] {
        if let cached, cached.index == index { return cached.bytes }
        guard let bytes = try await objects.get(Self.key(of: id, part: index)) else { throw ZipError.damaged }
        cached = (index, bytes)
        return bytes
    }
}

/// An archive that can be read until a time, so that one check doesn't keep the others waiting.
struct TimedArchive: ArchiveBytes {
    private let bytes: any ArchiveBytes
    private let deadline: Instant
    private let clock: any WallClock

    init(_ bytes: any ArchiveBytes, until deadline: Instant, clock: any WallClock) {
        self.bytes = bytes
        self.deadline = deadline
        self.clock = clock
    }

    var count: Int { bytes.count }

    /// - Throws: `AppError` `invalid` after the time.
    func read(from offset: Int, count: Int) async throws -> [UInt8] {
        guard clock.now < deadline else { throw ImportArchive.refusal(.importOverdue) }
        return try await bytes.read(from: offset, count: count)
    }
}

extension StoredArchive {
    /// Whether all parts are recorded: a sweep forgets those that it has deleted.
    static func isStored(_ id: ID<AccountImport>, count: Int, in tx: Transaction) throws -> Bool {
        try keys(of: id, count: count).allSatisfy { try ObjectGarbage.contains($0, in: tx) }
    }

    /// Keeps the parts of an import until it expires, and a while longer.
    static func keep(_ id: ID<AccountImport>, count: Int, until instant: Instant, in tx: Transaction) throws {
        try ObjectGarbage.record(
            keys(of: id, count: count), dueAt: instant.adding(seconds: Limits.importSlackSeconds), in: tx)
    }

    /// Makes the parts due at once.
    static func discard(_ id: ID<AccountImport>, count: Int, in tx: Transaction) throws {
        try ObjectGarbage.record(keys(of: id, count: count), dueAt: .longAgo, in: tx)
    }
}

extension Instant {
    /// For objects that nothing needs.
    static let longAgo = Instant(millisecondsSince1970: 0)
}

import Kernel
import Objects
import Pictures
import Storage

/// Stores an archive while it arrives, in parts. Until the archive is checked and recorded, its parts count as garbage
/// that is due soon.
package actor ImportUpload {
    let id: ID<AccountImport>
    private(set) var count = 0
    private let objects: any ObjectStore
    private let database: Database
    private let clock: any WallClock
    private let beganAt: Instant
    private var pending: [UInt8] = []
    private var partCount = 0

    init(_ id: ID<AccountImport>, objects: any ObjectStore, database: Database, clock: any WallClock) {
        self.id = id
        self.objects = objects
        self.database = database
        self.clock = clock
        beganAt = clock.now
    }

    /// Appends bytes of the archive. Call it for each piece of the request, also with no bytes: it checks the time, and
    /// only the archive's bytes count for the rate.
    /// - Throws: `AppError`: `tooLarge` beyond ``Limits/importBytes``; `invalid` after ``Limits/importUploadSeconds``,
    ///   or below ``Limits/importBytesPerSecond``; ``ObjectStoreError``.
    package func append(_ bytes: [UInt8]) async throws {
        guard count + bytes.count <= Limits.importBytes else {
            throw AppError(.tooLarge, .importTooLarge, field: "archive")
        }
        count += bytes.count
        let seconds = min(
            Limits.importUploadSeconds, Limits.importGraceSeconds + Int64(count) / Limits.importBytesPerSecond)
        guard clock.now < beganAt.adding(seconds: seconds) else {
            throw AppError(.invalid, .importSlow, field: "archive")
        }
        pending += bytes
        while pending.count >= Limits.importPartBytes { try await storePart() }
    }

    /// Stores the last part.
    func finish() async throws {
        while !pending.isEmpty { try await storePart() }
    }

    /// Makes the parts due at once, after a failure. If that fails as well, they are due soon.
    func abandon() async {
        let keys = (0..<partCount).map { StoredArchive.key(of: id, part: $0) }
        pending = []
        // A task of its own: the request's may be cancelled, because its connection has ended.
        let removal = Task { [database] in
            try await database.write { tx in try ObjectGarbage.record(keys, dueAt: .longAgo, in: tx) }
        }
        _ = await removal.result
    }

    private func storePart() async throws {
        let part = Array(pending.prefix(Limits.importPartBytes))
        pending.removeFirst(part.count)
        let key = StoredArchive.key(of: id, part: partCount)
        partCount += 1
        let dueAt = beganAt.adding(seconds: Limits.importUploadSeconds + Limits.importCheckSeconds)
        try await database.write { tx in try ObjectGarbage.record([key], dueAt: dueAt, in: tx) }
        try await objects.put(part, at: key)
    }
}

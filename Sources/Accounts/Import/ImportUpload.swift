import Kernel
import Objects
import Pictures
import Storage

/// Stores an archive while it arrives, in parts. Until the archive is checked and recorded, its parts count as garbage.
package actor ImportUpload {
    let id: ID<AccountImport>
    private(set) var count = 0
    private let objects: any ObjectStore
    private let database: Database
    private let clock: any WallClock
    private var pending: [UInt8] = []
    private var partCount = 0

    init(_ id: ID<AccountImport>, objects: any ObjectStore, database: Database, clock: any WallClock) {
        self.id = id
        self.objects = objects
        self.database = database
        self.clock = clock
    }

    /// Appends bytes.
    /// - Throws: `AppError` `tooLarge` beyond ``Limits/importBytes``; ``ObjectStoreError``.
    package func append(_ bytes: [UInt8]) async throws {
        guard count + bytes.count <= Limits.importBytes else {
            throw AppError(.tooLarge, .importTooLarge, field: "archive")
        }
        count += bytes.count
        pending += bytes
        while pending.count >= Limits.importPartBytes { try await storePart() }
    }

    /// Stores the last part.
    func finish() async throws {
        while !pending.isEmpty { try await storePart() }
    }

    private func storePart() async throws {
        let part = Array(pending.prefix(Limits.importPartBytes))
        pending.removeFirst(part.count)
        let key = StoredArchive.key(of: id, part: partCount)
        partCount += 1
        let dueAt = clock.now.adding(seconds: Limits.importWaitSeconds)
        try await database.write { tx in try ObjectGarbage.record([key], dueAt: dueAt, in: tx) }
        try await objects.put(part, at: key)
    }
}

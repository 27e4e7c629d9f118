package import Kernel
package import Storage
package import Objects
package import Jobs
package import Logging
package import Pictures
import Synchronization

/// The import of exports from other servers: upload, preview, decision. ``AccountImportWorker`` performs it.
package struct AccountImportService: Sendable {
    package let worker: AccountImportWorker
    private let database: Database
    private let objects: any ObjectStore
    private let handlers: [any AccountImportHandler]
    private let checks = ImportChecks()
    private let clock: any WallClock
    private let random: any RandomSource

    /// The lane of imports.
    package var queue: JobQueue { worker.queue }

    /// Creates the service.
    /// - Parameters:
    ///   - objects: the store of uploaded archives; the picture library must use the same one, because it removes the
    ///     garbage.
    ///   - handlers: the apps' handlers, in the order in which the data must be added.
    package init(
        database: Database, objects: any ObjectStore, pictures: PictureLibrary, accounts: AccountServices,
        handlers: [any AccountImportHandler], clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        let handlers: [any AccountImportHandler] =
            [
                PicturesImport(library: pictures, database: database),
                ProfileImport(database: database, profiles: accounts.profiles, clock: clock),
            ] + handlers
        self.database = database
        self.objects = objects
        self.handlers = handlers
        self.clock = clock
        self.random = random
        worker = AccountImportWorker(
            queue: JobQueue(lane: AccountImportWorker.lane, random: random, logger: logger), database: database,
            objects: objects, handlers: handlers, securityMails: accounts.securityMails, clock: clock)
    }

    /// Returns the actor's import; `nil` without one.
    /// - Throws: `AppError` `forbidden` for a child.
    package func current(for actor: Actor) async throws -> AccountImport? {
        try actor.requireAdult()
        let now = clock.now
        return try await database.read { tx in try ImportStore.find(of: actor.person, now: now, in: tx) }
    }

    /// Begins the upload of an archive.
    /// - Throws: `AppError`: `conflict` while an import runs; `forbidden` for a child.
    package func upload(by actor: Actor) async throws -> ImportUpload {
        if try await current(for: actor)?.state == .running { throw AppError(.conflict, .importRunning) }
        return ImportUpload(
            ID(at: clock.now, random: random), objects: objects, database: database, clock: clock)
    }

    /// Checks an uploaded archive and stores its preview, in place of an earlier one. An archive that isn't accepted
    /// changes nothing.
    /// - Throws: `AppError`: `invalid` or `tooLarge` at `archive`; `conflict` while an import runs; `throttled` while
    ///   another archive is checked.
    package func finish(_ upload: ImportUpload, by actor: Actor) async throws -> AccountImport {
        try await upload.finish()
        let count = await upload.count
        guard count > 0 else { throw AppError(.invalid, .importMissing, field: "archive") }
        let id = upload.id
        do {
            let preview: ImportPreview = try await checks.one {
                try await self.preview(of: id, count: count, for: actor.person)
            }
            let now = clock.now
            return try await database.write { tx in
                if let earlier = try ImportStore.lock(of: actor.person, in: tx) {
                    guard earlier.state != .running || earlier.expiresAt <= now else {
                        throw AppError(.conflict, .importRunning)
                    }
                    try discard(earlier, in: tx)
                }
                try ImportStore.insert(id, of: actor.person, preview, byteCount: count, now: now, in: tx)
                try ImportEvents.publish(actor.person, now: now, in: tx)
                guard let stored = try ImportStore.find(id, in: tx) else { throw AppError.notFound }
                return stored
            }
        } catch {
            try await database.write { tx in
                try ObjectGarbage.record(StoredArchive.keys(of: id, count: count), dueAt: .longAgo, in: tx)
            }
            throw error
        }
    }

    private func preview(
        of id: ID<AccountImport>, count: Int, for person: PersonID
    ) async throws -> ImportPreview {
        let archive = try await ImportArchive(StoredArchive(id, count: count, objects: objects))
        try await archive.verify()
        var entries: [ImportEntry] = []
        var notes: [ImportNote] = []
        for handler in handlers {
            let part = try await handler.preview(archive, for: person)
            entries += part.entries
            notes += part.notes
        }
        return ImportPreview(
            format: archive.format, exportedAt: archive.exportedAt, accountName: archive.account.text("name") ?? "",
            accountEmail: archive.account.text("email"), entries: entries, notes: notes)
    }

    /// Starts the import of the checked archive.
    /// - Parameter includesProfile: whether the profile of the archive fills empty fields.
    /// - Throws: `AppError`: `notFound` without an archive; `conflict` for another one than `id`, or one that was
    ///   started before.
    package func start(_ id: ID<AccountImport>?, includesProfile: Bool, by change: Change) async throws -> AccountImport
    {
        try change.actor.requireAdult()
        let now = clock.now
        let until = now.adding(seconds: Limits.importRunSeconds)
        return try await database.write { tx in
            let stored = try ImportStore.lock(of: change.actor.person, in: tx)
            guard let stored, stored.expiresAt > now else { throw AppError.notFound }
            _ = try tx.once(change.idempotency, status: 202, now: now, resource: stored.id.description) {
                guard id == nil || id == stored.id, !change.isStale(at: stored.version) else {
                    throw AppError(.conflict, .importGone)
                }
                guard stored.state != .running else { throw AppError(.conflict, .importRunning) }
                guard stored.state == .ready else { throw AppError(.conflict, .importGone) }
                try ImportStore.start(stored.id, includesProfile: includesProfile, until: until, in: tx)
                try ObjectGarbage.record(
                    StoredArchive.keys(of: stored.id, count: stored.byteCount),
                    dueAt: until.adding(seconds: Limits.importWaitSeconds), in: tx)
                let text = stored.id.description
                let job = NewJob(
                    kind: "import", subject: "\(change.actor.person)", name: text, payload: Array(text.utf8),
                    expiresAt: until)
                guard try queue.enqueue(job, now: now, in: tx) else { throw AppError.importBusy }
                try ImportEvents.publish(change.actor.person, now: now, in: tx)
            }
            guard let started = try ImportStore.find(stored.id, in: tx) else { throw AppError.notFound }
            return started
        }
    }

    /// Removes an archive that wasn't started, or the result of an import that has ended. Imported records stay.
    /// - Throws: `AppError`: `notFound` without one; `conflict` while it runs.
    package func delete(by change: Change) async throws {
        try change.actor.requireAdult()
        let now = clock.now
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: "") {
                let stored = try ImportStore.lock(of: change.actor.person, in: tx)
                guard let stored, stored.expiresAt > now else { throw AppError.notFound }
                guard stored.state != .running else { throw AppError(.conflict, .importRunning) }
                try discard(stored, in: tx)
                try ImportEvents.publish(change.actor.person, now: now, in: tx)
            }
        }
    }

    private func discard(_ stored: AccountImport, in tx: Transaction) throws {
        try ObjectGarbage.record(
            StoredArchive.keys(of: stored.id, count: stored.byteCount), dueAt: .longAgo, in: tx)
        try ImportStore.delete(stored.id, in: tx)
    }
}

extension AppError {
    /// The error while other imports take the place.
    fileprivate static var importBusy: AppError {
        let text = AccountMessage.importBusy.text
        return AppError(.throttled, text, fields: ["archive": text], retryAfterSeconds: Limits.importRetrySeconds)
    }
}

extension Instant {
    /// For objects that nothing needs.
    static let longAgo = Instant(millisecondsSince1970: 0)
}

/// Limits the archives that are checked at once.
private final class ImportChecks: Sendable {
    private let count = Mutex(0)

    /// - Throws: `AppError` `throttled` while another archive is checked.
    func one<T>(_ work: () async throws -> T) async throws -> T {
        let isFree = count.withLock { count in
            guard count < Limits.importChecks else { return false }
            count += 1
            return true
        }
        guard isFree else { throw AppError.importBusy }
        defer { count.withLock { $0 -= 1 } }
        return try await work()
    }
}

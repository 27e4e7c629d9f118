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
    private let places = ImportPlaces()
    private let checks = WorkLimiter(
        places: Limits.importChecks, queue: Limits.importUploads, queuePerKey: Limits.importUploads,
        busy: AppError(.unavailable, .busy))
    private let executor: ImportExecutor
    private let clock: any WallClock
    private let random: any RandomSource
    private let logger: Logger

    private static let throttle = Throttle(
        scope: "import", limit: Limits.importUploadsPerHour, windowSeconds: 3_600, message: .importThrottled)

    /// The prefix of the objects of uploaded archives. Backups don't contain them.
    package static let objectPrefix = StoredArchive.prefix

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
        self.logger = logger
        executor = ImportExecutor()
        worker = AccountImportWorker(
            queue: JobQueue(lane: AccountImportWorker.lane, random: random, logger: logger), database: database,
            objects: objects, handlers: handlers, securityMails: accounts.securityMails, executor: executor,
            clock: clock)
    }

    /// Returns the actor's import; `nil` without one.
    /// - Throws: `AppError` `forbidden` for a child.
    package func current(for actor: Actor) async throws -> AccountImport? {
        try actor.requireAdult()
        let now = clock.now
        return try await database.read { tx in try ImportStore.find(of: actor.person, now: now, in: tx) }
    }

    /// Stores an archive while it arrives, checks it and stores its preview, in place of an earlier one. An archive
    /// that isn't accepted changes nothing, and its parts are garbage at once.
    /// - Parameter store: appends the archive's bytes, as ``ImportUpload/append(_:)`` describes.
    /// - Throws: `AppError`: `invalid` or `tooLarge` at `archive`; `conflict` while an import runs; `throttled` after
    ///   too many uploads, or while others are received; `unavailable` if the archive can't be stored; `forbidden` for
    ///   a child; errors of `store`.
    package func receive(
        by actor: Actor, _ store: (ImportUpload) async throws -> Void
    ) async throws -> AccountImport {
        if try await current(for: actor)?.state == .running { throw AppError(.conflict, .importRunning) }
        let upload = try await places.withPlace(for: actor) {
            let now = clock.now
            try await database.write { tx in
                try Self.throttle.fail(actor.person.description, now: now, in: tx)
            }
            let upload = ImportUpload(ID(at: now, random: random), objects: objects, database: database, clock: clock)
            try await abandoning(upload) {
                try await store(upload)
                try await upload.finish()
            }
            return upload
        }
        return try await abandoning(upload) {
            try await checks.run {
                try await withTaskExecutorPreference(executor) { try await check(upload, by: actor) }
            }
        }
    }

    /// Removes the parts of an upload that fails.
    private func abandoning<T>(_ upload: ImportUpload, _ work: () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch {
            await upload.abandon()
            guard let error = error as? ObjectStoreError else { throw error }
            logger.error("An archive could not be stored or read", metadata: ["error": "\(error)"])
            throw AppError(.unavailable, .importUnavailable, field: "archive")
        }
    }

    private func check(_ upload: ImportUpload, by actor: Actor) async throws -> AccountImport {
        let (id, count) = (upload.id, await upload.count)
        guard count > 0 else { throw AppError(.invalid, .importMissing, field: "archive") }
        let preview = try await preview(of: id, count: count, for: actor.person)
        let now = clock.now
        return try await database.write { tx in
            // Before the import, which may not exist yet: two uploads of one person must wait for each other.
            _ = try AccountStore.requireLockedAccount(actor.person, in: tx)
            if let earlier = try ImportStore.lock(of: actor.person, in: tx) {
                guard earlier.state != .running || earlier.expiresAt <= now else {
                    throw AppError(.conflict, .importRunning)
                }
                try discard(earlier, in: tx)
            }
            guard try StoredArchive.isStored(id, count: count, in: tx) else {
                throw AppError(.conflict, .importGone, field: "archive")
            }
            let expiresAt = now.adding(seconds: Limits.importWaitSeconds)
            try StoredArchive.keep(id, count: count, until: expiresAt, in: tx)
            try ImportStore.insert(
                id, of: actor.person, preview, byteCount: count, expiresAt: expiresAt, now: now, in: tx)
            try ImportEvents.publish(actor.person, now: now, in: tx)
            guard let stored = try ImportStore.find(id, in: tx) else { throw AppError.notFound }
            return stored
        }
    }

    private func preview(
        of id: ID<AccountImport>, count: Int, for person: PersonID
    ) async throws -> ImportPreview {
        let stored = StoredArchive(id, count: count, objects: objects)
        let deadline = clock.now.adding(seconds: Limits.importCheckRunSeconds)
        let archive = try await ImportArchive(TimedArchive(stored, until: deadline, clock: clock))
        try await archive.verify()
        var entries: [ImportEntry] = []
        var notes: [ImportNote] = []
        for handler in handlers {
            let part = try await handler.preview(archive, for: person)
            entries += part.entries
            notes += part.notes
        }
        return ImportPreview(
            format: archive.format, exportedAt: archive.exportedAt, accountName: archive.accountName ?? "",
            accountEmail: archive.accountEmail, entries: entries, notes: notes)
    }

    /// Starts the import of the checked archive.
    /// - Parameter includesProfile: whether the profile of the archive fills empty fields.
    /// - Throws: `AppError`: `notFound` without an archive; `conflict` for another one than `id`, one that was started
    ///   before, or one whose parts were removed.
    package func start(_ id: ID<AccountImport>?, includesProfile: Bool, by change: Change) async throws -> AccountImport
    {
        try change.actor.requireAdult()
        let (person, now) = (change.actor.person, clock.now)
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 202, now: now, resource: "") {
                let stored = try ImportStore.lock(of: person, in: tx)
                guard let stored, stored.expiresAt > now else { throw AppError.notFound }
                guard id == nil || id == stored.id, !change.isStale(at: stored.version) else {
                    throw AppError(.conflict, .importGone)
                }
                guard stored.state != .running else { throw AppError(.conflict, .importRunning) }
                guard stored.state == .ready,
                    try StoredArchive.isStored(stored.id, count: stored.byteCount, in: tx)
                else { throw AppError(.conflict, .importGone) }
                try start(stored, includesProfile: includesProfile, now: now, in: tx)
            }
            guard let started = try ImportStore.find(of: person, now: now, in: tx) else { throw AppError.notFound }
            return started
        }
    }

    private func start(_ stored: AccountImport, includesProfile: Bool, now: Instant, in tx: Transaction) throws {
        let until = now.adding(seconds: Limits.importRunSeconds)
        try ImportStore.start(stored.id, includesProfile: includesProfile, until: until, in: tx)
        try StoredArchive.keep(stored.id, count: stored.byteCount, until: until, in: tx)
        let text = stored.id.description
        let job = NewJob(
            kind: "import", subject: "\(stored.person)", name: text, payload: Array(text.utf8), expiresAt: until)
        guard try queue.enqueue(job, now: now, in: tx) else { throw AppError.importBusy }
        try ImportEvents.publish(stored.person, now: now, in: tx)
    }

    /// Removes an archive that wasn't started, cancels an import that runs, or removes the result of one that has
    /// ended. Imported records stay.
    /// - Throws: `AppError` `notFound` without one.
    package func delete(by change: Change) async throws {
        try change.actor.requireAdult()
        let now = clock.now
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: "") {
                let stored = try ImportStore.lock(of: change.actor.person, in: tx)
                guard let stored, stored.expiresAt > now else { throw AppError.notFound }
                try discard(stored, in: tx)
                // The worker finds at its next step that the import is gone.
                try queue.lane.removeJobs(named: [stored.id.description], in: tx)
                try ImportEvents.publish(change.actor.person, now: now, in: tx)
            }
        }
    }

    private func discard(_ stored: AccountImport, in tx: Transaction) throws {
        try StoredArchive.discard(stored.id, count: stored.byteCount, in: tx)
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

/// Limits the archives that this process receives at once. A person has one place.
private final class ImportPlaces: Sendable {
    /// The network of each person whose archive is received; `nil` for an unknown one.
    private let networks = Mutex<[PersonID: String?]>([:])

    /// - Throws: `AppError` `throttled` without a free place.
    func withPlace<T>(for actor: Actor, _ work: () async throws -> T) async throws -> T {
        let network = actor.clientAddress.map(ClientNetwork.key)
        let isFree = networks.withLock { networks in
            guard networks.count < Limits.importUploads, networks[actor.person] == nil,
                networks.values.count(where: { $0 == network }) < Limits.importUploadsPerNetwork
            else { return false }
            networks.updateValue(network, forKey: actor.person)
            return true
        }
        guard isFree else { throw AppError.importBusy }
        defer { networks.withLock { _ = $0.removeValue(forKey: actor.person) } }
        return try await work()
    }
}

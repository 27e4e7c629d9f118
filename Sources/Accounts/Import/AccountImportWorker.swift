package import Jobs
import Kernel
import Objects
import Storage

/// Performs the imports that were started, one after another. An import that is interrupted begins again and finds what
/// is here already.
package struct AccountImportWorker: Sendable {
    static let lane = JobLane(
        name: "imports", capacity: Limits.importQueue, leaseSeconds: Limits.importLeaseSeconds,
        backOff: ExponentialBackOff(firstMilliseconds: 5_000, maximumMilliseconds: 600_000), retainsDeadPayloads: true)

    package let queue: JobQueue
    let database: Database
    let objects: any ObjectStore
    let handlers: [any AccountImportHandler]
    let securityMails: SecurityMails
    let executor: ImportExecutor
    let clock: any WallClock

    /// Performs imports until the task is cancelled. Another worker continues the one that runs then.
    package func run() async { await jobs.run() }

    /// Performs the imports that are due.
    package func performDueJobs() async { await jobs.performDueJobs() }

    private var jobs: JobWorker {
        JobWorker(
            queue: queue, database: database, clock: clock, finishesAttempts: false,
            perform: { job in
                if let id = ID<AccountImport>(String(decoding: job.payload, as: UTF8.self)) {
                    try await withTaskExecutorPreference(executor) { try await perform(id) }
                }
                return .done
            })
    }

    private func perform(_ id: ID<AccountImport>) async throws {
        let now = clock.now
        let stored = try await database.write { tx -> AccountImport? in
            try ImportStore.clearRefusals(of: id, in: tx)
            return try ImportStore.find(id, in: tx)
        }
        guard let stored, stored.state == .running, stored.expiresAt > now else { return }
        do {
            let bytes = StoredArchive(id, count: stored.byteCount, objects: objects)
            let run = ImportRun(stored, archive: try await ImportArchive(bytes), database: database, clock: clock)
            for handler in handlers { try await handler.perform(run) }
            try await end(stored, as: .done)
        } catch is ImportEndedError {
        } catch let error as AppError where Self.isFinal(error.code) {
            try await end(stored, as: .failed, message: error.message)
        } catch let error as AppError {
            throw JobFailure("The import can’t go on at present (\(error.code.rawValue))")
        }
    }

    /// Whether the same import would fail again.
    private static func isFinal(_ code: AppError.Code) -> Bool {
        switch code {
        case .internal, .unavailable: false
        default: true
        }
    }

    /// Fails the imports that didn't end in time, for example because their jobs died. For a periodic job.
    package func failOverdue() async throws {
        let now = clock.now
        let overdue = try await database.read { tx in try ImportStore.overdue(now: now, in: tx) }
        for stored in overdue { try await end(stored, as: .failed, message: AccountMessage.importOverdue.text) }
    }

    private func end(_ stored: AccountImport, as state: ImportState, message: String? = nil) async throws {
        let now = clock.now
        try await database.write { tx in
            let until = now.adding(seconds: Limits.importResultSeconds)
            guard try ImportStore.end(stored.id, as: state, message: message, until: until, in: tx) else { return }
            try StoredArchive.discard(stored.id, count: stored.byteCount, in: tx)
            if let account = try AccountStore.account(stored.person, in: tx) {
                try securityMails.enqueue(
                    .imported(isComplete: state == .done, siteURL: securityMails.siteURL), to: account, now: now,
                    in: tx)
            }
            try ImportEvents.publish(stored.person, now: now, in: tx)
        }
    }
}

package import Kernel
package import Logging
package import Storage
import Synchronization

/// Records a run in the database while it is performed, and logs how it ended.
package struct BackupRunRecorder: Sendable {
    private let database: Database
    private let clock: any WallClock
    private let random: any RandomSource
    private let logger: Logger

    package init(database: Database, clock: any WallClock, random: any RandomSource, logger: Logger) {
        self.database = database
        self.clock = clock
        self.random = random
        self.logger = logger
    }

    /// Performs a backup and records its result.
    /// - Parameters:
    ///   - destination: where it is written to, for people.
    ///   - name: its name in the repository.
    ///   - work: writes the backup. It calls its argument while it makes progress.
    /// - Throws: the error of `work`, which is recorded as the reason.
    package func record<T>(
        to destination: String, name: String? = nil,
        _ work: (_ isAlive: @escaping @Sendable () -> Void) async throws -> (T, BackupRun.Result, BackupFigures)
    ) async throws -> T {
        let now = clock.now
        let id = ID<BackupRun>(at: now, random: random)
        try await database.write { tx in
            try BackupRunStore.start(id, destination: destination, name: name, at: now, in: tx)
        }
        let heartbeat = Heartbeat(id, database: database, clock: clock)
        do {
            let (value, result, figures) = try await work { heartbeat.beat() }
            try await finish(id, result, reason: nil, figures)
            logger.notice(
                "Backup written",
                metadata: [
                    "destination": "\(destination)", "result": "\(result.rawValue)", "bytes": "\(figures.byteCount)",
                    "rows": "\(figures.rowCount)", "objectsCopied": "\(figures.objectsCopied)",
                    "objectsReused": "\(figures.objectsReused)",
                ])
            return value
        } catch {
            let reason = "\(error)"
            logger.error("Backup failed", metadata: ["destination": "\(destination)", "reason": "\(reason)"])
            // The database may be the reason.
            try? await finish(id, .failed, reason: reason, BackupFigures())
            throw error
        }
    }

    private func finish(
        _ id: ID<BackupRun>, _ result: BackupRun.Result, reason: String?, _ figures: BackupFigures
    ) async throws {
        let now = clock.now
        try await database.write { tx in
            try BackupRunStore.finish(id, result, reason: reason, figures, at: now, in: tx)
        }
    }
}

/// Records that a run makes progress, at intervals.
private final class Heartbeat: Sendable {
    private let id: ID<BackupRun>
    private let database: Database
    private let clock: any WallClock
    private let seenAt: Mutex<Instant>

    init(_ id: ID<BackupRun>, database: Database, clock: any WallClock) {
        self.id = id
        self.database = database
        self.clock = clock
        seenAt = Mutex(clock.now)
    }

    func beat() {
        let now = clock.now
        let isDue = seenAt.withLock { seen in
            guard now.seconds(since: seen) >= Limits.backupTouchSeconds else { return false }
            seen = now
            return true
        }
        guard isDue else { return }
        Task { [id, database] in
            _ = try? await database.write { tx in try BackupRunStore.touch(id, at: now, in: tx) }
        }
    }
}

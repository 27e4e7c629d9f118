package import Kernel
package import Storage
import Synchronization

/// The state of the backups.
package struct BackupStatus: Sendable, Hashable {
    /// The newest run that was proved or failed.
    package var last: BackupRun?
    /// The newest run whose backup was proved.
    package var lastProved: BackupRun?

    package init(last: BackupRun? = nil, lastProved: BackupRun? = nil) {
        self.last = last
        self.lastProved = lastProved
    }

    /// Whether the newest finished run was proved.
    package var isOK: Bool { last != nil && last == lastProved }

    /// The age in seconds of the content of the newest proved backup.
    package func ageSeconds(at now: Instant) -> Double? { lastProved.map { max(0, now.seconds(since: $0.startedAt)) } }
}

/// Reads the state of the backups, for a page and for the metrics.
package final class BackupStatusReader: Sendable {
    private struct Cache {
        var status: BackupStatus?
        var readAt: Instant?
    }

    private let database: Database
    private let clock: any WallClock
    private let cache = Mutex(Cache())

    package init(database: Database, clock: any WallClock) {
        self.database = database
        self.clock = clock
    }

    /// Returns the newest runs first, with those that are running. A run whose process ended counts as failed.
    package func runs(limit: Int = Limits.backupRuns) async throws -> [BackupRun] {
        let now = clock.now
        return try await database.read { tx in try BackupRunStore.newest(limit, in: tx).map { $0.seen(at: now) } }
    }

    /// Reads the state.
    package func status() async throws -> BackupStatus {
        let runs = try await runs()
        let proved = try await database.read { tx in try BackupRunStore.newest(.proved, in: tx) }
        let status = BackupStatus(last: runs.first { $0.result == .proved || $0.result == .failed }, lastProved: proved)
        let now = clock.now
        cache.withLock { $0 = Cache(status: status, readAt: now) }
        return status
    }

    /// Returns the state as it was read in the last minute, and reads it again for the next call. The metrics mustn't
    /// wait for a database that can't be reached.
    package func recent() async -> BackupStatus? {
        let now = clock.now
        let known = cache.withLock { cache -> BackupStatus? in
            let isOld = cache.readAt.map { abs(now.seconds(since: $0)) >= Limits.backupStatusSeconds } ?? true
            if cache.status != nil, isOld {
                cache.readAt = now
                Task { _ = try? await status() }
            }
            return cache.status
        }
        if let known { return known }
        return try? await status()
    }
}

extension BackupRun {
    fileprivate func seen(at now: Instant) -> BackupRun {
        guard result == .running, now.seconds(since: seenAt) > Double(Limits.backupSilenceSeconds) else { return self }
        return BackupRun(
            id: id, startedAt: startedAt, seenAt: seenAt, finishedAt: seenAt, destination: destination, name: name,
            result: .failed, reason: "Its process ended.", byteCount: byteCount, rowCount: rowCount,
            objectsCopied: objectsCopied, objectsReused: objectsReused)
    }
}

import Backups
import Kernel
import Logging

/// Writes the regular backups. One node does it: the one that performs the maintenance.
struct BackupSchedule: Sendable {
    private let services: Services

    init(_ services: Services) { self.services = services }

    /// Writes a backup if the last one is older than the interval. A backup that failed is tried again after an hour.
    func writeIfDue() async throws {
        let runs = try await services.backupStatus.runs().filter { $0.name != nil }
        let hours = Int64(services.settings.backups.hours)
        guard Self.isDue(runs.first, at: services.clock.now, everySeconds: hours * 60 * 60) else { return }
        let (key, isNew) = try BackupKey.open(in: services.settings.dataFolder, random: services.random)
        if isNew {
            services.logger.notice("A key for backups was created. Keep its recovery key: homeward keys recovery")
        }
        let backups = BackupService(services)
        _ = try await backups.write(to: try await backups.repository(key: key))
    }

    /// Whether the next backup is due after the newest one.
    static func isDue(_ newest: BackupRun?, at now: Instant, everySeconds interval: Int64) -> Bool {
        guard let newest else { return true }
        let age = now.seconds(since: newest.startedAt)
        switch newest.result {
        case .running: return false
        case .failed: return age >= Double(min(interval, Limits.backupRetrySeconds))
        case .proved, .unproved: return age >= Double(interval)
        }
    }
}

import Accounts
import Carrepsa
import Family
import Jobs
import Kernel
import Notifications
import Pictures
import Storage
import Tracking

/// A part of the maintenance.
struct MaintenanceTask: Sendable {
    let name: String
    let everySeconds: Int64
    let work: @Sendable () async throws -> Void

    /// Returns the pause in milliseconds before the next attempt: the interval, or more after failures.
    /// - Parameter failures: the number of failures in a row.
    func pauseMilliseconds(afterFailures failures: Int, chance: UInt64) -> Int64 {
        let milliseconds = everySeconds * 1_000
        guard failures > 0 else { return milliseconds }
        let longest = max(milliseconds, Limits.maintenanceRetryMaximumSeconds * 1_000)
        return max(
            milliseconds,
            ExponentialBackOff(firstMilliseconds: milliseconds, maximumMilliseconds: longest)
                .milliseconds(afterAttempt: failures, chance: chance))
    }

    /// Returns the tasks of all modules, in sequences. The tasks of a sequence are performed one after another: the
    /// pictures' task is the last one, because the tasks before it leave objects that nothing refers to.
    static func all(of services: Services) -> [[MaintenanceTask]] {
        let (database, clock, tracking) = (services.database, services.clock, services.tracking)
        return [
            [
                MaintenanceTask(name: "session-locks", everySeconds: Limits.lockSweepSeconds) {
                    try await services.accounts.sessionLocks.lockOverdue()
                }
            ],
            [
                MaintenanceTask(name: "packages", everySeconds: Limits.deadlineSeconds) {
                    try await services.carrepsa.housekeeping.run()
                }
            ],
            [
                MaintenanceTask(name: "archive", everySeconds: Limits.archiveSeconds) {
                    try await tracking.archive.writeSegments()
                }
            ],
            [
                MaintenanceTask(name: "earlier-jobs", everySeconds: Limits.earlierWorkSeconds) {
                    await services.accounts.mailSender.moveEarlierMails()
                    await services.notifications.sender.moveEarlierMessages()
                    try await tracking.commandDeliveries.moveEarlierDeliveries()
                }
            ],
            [
                MaintenanceTask(name: "outbox", everySeconds: Limits.housekeepingSeconds) {
                    let before = clock.now.adding(seconds: -Limits.outboxSeconds)
                    while try await database.write({ try Outbox.prune(before: before, in: $0) }) > 0 {}
                },
                MaintenanceTask(name: "notifications", everySeconds: Limits.housekeepingSeconds) {
                    try await services.notifications.housekeeping()
                },
                MaintenanceTask(name: "idempotency", everySeconds: Limits.housekeepingSeconds) {
                    let before = clock.now.adding(seconds: -Limits.idempotencySeconds)
                    while try await database.write({ try $0.pruneIdempotency(before: before) }) > 0 {}
                },
                MaintenanceTask(name: "tracking", everySeconds: Limits.housekeepingSeconds) {
                    try await tracking.housekeeping.run()
                },
                MaintenanceTask(name: "family", everySeconds: Limits.housekeepingSeconds) {
                    try await services.family.housekeeping.run()
                },
                MaintenanceTask(name: "accounts", everySeconds: Limits.housekeepingSeconds) {
                    try await services.accounts.housekeeping.run()
                },
                MaintenanceTask(name: "jobs", everySeconds: Limits.housekeepingSeconds) {
                    try await services.deadJobs.prune()
                },
                MaintenanceTask(name: "pictures", everySeconds: Limits.housekeepingSeconds) {
                    try await services.pictures.sweep()
                },
            ],
        ]
    }
}

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
    let work: @Sendable () async throws -> Void

    init(_ name: String, work: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.work = work
    }
}

/// Tasks that are performed one after another, at one interval.
struct MaintenanceSequence: Sendable {
    let everySeconds: Int64
    let tasks: [MaintenanceTask]

    init(everySeconds: Int64, _ tasks: [MaintenanceTask]) {
        self.everySeconds = everySeconds
        self.tasks = tasks
    }

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

    /// Returns the regular backups, if there is a repository.
    private static func backups(of services: Services) -> [MaintenanceSequence] {
        guard services.settings.backups.address != nil else { return [] }
        let schedule = BackupSchedule(services)
        return [
            MaintenanceSequence(
                everySeconds: Limits.backupCheckSeconds,
                [
                    MaintenanceTask("backup") { try await schedule.writeIfDue() }
                ])
        ]
    }

    /// Returns the check for updates, where it is set up.
    private static func updates(of services: Services) -> [MaintenanceSequence] {
        guard let url = services.settings.updateURL else { return [] }
        let check = UpdateCheck(url: url, updates: services.accounts.updateNotices)
        return [
            MaintenanceSequence(
                everySeconds: Limits.updatePollSeconds,
                [
                    MaintenanceTask("updates") { try await check.runIfDue() }
                ])
        ]
    }

    /// Returns the requests for addresses, where a geocoder is set up.
    private static func addresses(of services: Services) -> [MaintenanceSequence] {
        let addresses = services.tracking.addresses
        guard addresses.isEnabled else { return [] }
        return [
            MaintenanceSequence(
                everySeconds: Limits.addressRequestSeconds,
                [
                    MaintenanceTask("addresses") { try await addresses.run() }
                ])
        ]
    }

    /// Returns the tasks of all modules. The pictures' task is the last one of its sequence, because the tasks before
    /// it leave objects that nothing refers to.
    static func all(of services: Services) -> [MaintenanceSequence] {
        let (database, clock, tracking) = (services.database, services.clock, services.tracking)
        return backups(of: services) + updates(of: services) + addresses(of: services) + [
            MaintenanceSequence(
                everySeconds: Limits.lockSweepSeconds,
                [
                    MaintenanceTask("session-locks") { try await services.accounts.sessionLocks.lockOverdue() }
                ]),
            MaintenanceSequence(
                everySeconds: Limits.deadlineSeconds,
                [
                    MaintenanceTask("packages") { try await services.carrepsa.housekeeping.run() }
                ]),
            MaintenanceSequence(
                everySeconds: Limits.archiveSeconds,
                [
                    MaintenanceTask("archive") { try await tracking.archive.writeSegments() }
                ]),
            MaintenanceSequence(
                everySeconds: Limits.episodeSeconds,
                [
                    MaintenanceTask("episodes") { try await tracking.episodes.run() }
                ]),
            MaintenanceSequence(
                everySeconds: Limits.earlierWorkSeconds,
                [
                    MaintenanceTask("earlier-jobs") {
                        await services.accounts.mailSender.moveEarlierMails()
                        await services.notifications.sender.moveEarlierMessages()
                        try await tracking.commandDeliveries.moveEarlierDeliveries()
                    }
                ]),
            MaintenanceSequence(
                everySeconds: Limits.storageCountSeconds,
                [
                    MaintenanceTask("picture-sizes") { try await services.pictures.measure() },
                    MaintenanceTask("storage") { try await services.storage.counter.run() },
                ]),
            MaintenanceSequence(
                everySeconds: Limits.housekeepingSeconds,
                [
                    MaintenanceTask("outbox") {
                        let before = clock.now.adding(seconds: -Limits.outboxSeconds)
                        while try await database.write({ try Outbox.prune(before: before, in: $0) }) > 0 {}
                    },
                    MaintenanceTask("notifications") { try await services.notifications.housekeeping() },
                    MaintenanceTask("idempotency") {
                        let before = clock.now.adding(seconds: -Limits.idempotencySeconds)
                        while try await database.write({ try $0.pruneIdempotency(before: before) }) > 0 {}
                    },
                    MaintenanceTask("tracking") { try await tracking.housekeeping.run() },
                    MaintenanceTask("family") { try await services.family.housekeeping.run() },
                    MaintenanceTask("accounts") {
                        try await services.accounts.housekeeping.run()
                        try await services.imports.worker.failOverdue()
                    },
                    MaintenanceTask("jobs") { try await services.deadJobs.prune() },
                    MaintenanceTask("pictures") { try await services.pictures.sweep() },
                ]),
        ]
    }
}

import Kernel
import Storage

/// The scheduled job of this module.
package struct PackageHousekeeping: Sendable {
    let database: Database
    let deadlines: PackageDeadlines
    let reminders: DeadlineReminderService
    let trips: TripNotifier
    let clock: any WallClock

    /// Expires overdue packages, sends deadline reminders, escalates unanswered delivery reports, applies the
    /// deadlines of disputes, compares new offers with saved trips, deletes expired codes and recipients, and erases
    /// texts and points of deleted accounts. Must run at least once a minute; cheap when nothing is due.
    /// - Throws: the first error, after all parts have run.
    package func run() async throws {
        var failure: (any Error)?
        for part in [
            expireOverdue, reminders.send, reminders.sendForStatements, deadlines.escalateUnanswered,
            deadlines.applyToDisputes, trips.run, deleteExpired, eraseOrphaned,
        ] {
            do {
                try await part()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func expireOverdue() async throws { try await deadlines.expireOverdue() }

    private func deleteExpired() async throws {
        let now = clock.now
        // The search reads all recipients, so it doesn't hold the database's writer.
        let leftBehind = try await database.read { tx in try RecipientStore.leftBehind(in: tx) }
        try await database.write { tx in
            try HandoverStore.prune(now: now, in: tx)
            try RecipientStore.end(leftBehind, in: tx)
            try RecipientStore.prune(now: now, in: tx)
            try PackageStore.erasePointsOfDeletedOwners(limit: Limits.pointsErasedPerRun, in: tx)
        }
    }

    private func eraseOrphaned() async throws {
        try await database.write { tx in
            try MessageStore.eraseOrphaned(in: tx)
            try ReviewStore.eraseOrphaned(in: tx)
        }
    }
}

import Kernel
import Storage

/// The scheduled job of this module.
package struct TrackingHousekeeping: Sendable {
    let database: Database
    let switches: SwitchExpiryService
    let histories: HistorySweeper
    let fixes: FixExpiryService
    let silences: SilenceAlertService
    let deadlines: GeofenceDeadlineService
    let personDeadlines: PersonDeadlineService
    let positionShares: PositionShareExpiryService
    let positionShareChecks: PositionShareCheckService
    let separations: SeparationHistoryLimiter
    let clock: any WallClock

    /// Expires commands, handles missing confirmations and silent trackers, and deletes old data: unclaimed trackers,
    /// unanswered register requests, former owners, invitations, finished commands, the quarantine, fixes beyond
    /// `keepDays` and long histories of deleted items. Cheap when nothing is due.
    package func run() async throws {
        let now = clock.now
        // First: a failure of other work must not show a position longer, nor the other way round.
        let sharingError = await endSharing(now: now)
        try await switches.expireAll(now: now)
        try await database.write { tx in
            for id in try CommandStore.expire(now: now, in: tx) {
                guard let item = try ItemStore.served(id, in: tx) else { continue }
                try TrackingEvents.publishCommand(of: id, owner: item.owner, now: now, in: tx)
            }
            try TrackerStore.purgeUnclaimed(before: now.adding(seconds: -Limits.unclaimedTrackerSeconds), in: tx)
            try TrackerRegistrationStore.sweep(now: now, in: tx)
            try FormerOwnerStore.prune(now: now, in: tx)
            try ItemInvitationStore.prune(now: now, in: tx)
            try CommandStore.prune(before: now.adding(seconds: -Limits.finishedCommandSeconds), in: tx)
            try ItemAlertStore.prune(before: now.adding(seconds: -Limits.itemAlertSeconds), in: tx)
            let replayed = now.adding(seconds: -Limits.replayDays * 24 * 60 * 60)
            try SeparationHistoryStore.prune(before: replayed, in: tx)
            try ParkingHistoryStore.prune(before: replayed, in: tx)
            try QuarantineStore.prune(before: now.adding(seconds: -Limits.quarantineSeconds), in: tx)
            try LiveLinkStore.prune(
                before: now.adding(seconds: -Limits.liveLinkKeptSeconds),
                viewersBefore: now.adding(seconds: -Limits.liveViewerSeconds), in: tx)
            try PositionViewStore.prune(before: now.adding(seconds: -Limits.viewKeptSeconds), in: tx)
            try PositionRequestStore.prune(before: now.adding(seconds: -Limits.viewKeptSeconds), in: tx)
            try FinderReportStore.prune(before: now.adding(seconds: -Limits.finderReportKeptSeconds), in: tx)
            try ItemLabelStore.prune(before: now.adding(seconds: -Limits.formerLabelSeconds), in: tx)
            try AddressStore.prune(before: now.adding(seconds: -Limits.addressSeconds), in: tx)
            try HologramFeedStore.prune(before: now.adding(seconds: -Limits.quarantineSeconds), in: tx)
        }
        try await finishParkings(now: now)
        try await separations.run()
        try await publishSilences(now: now)
        try await silences.run(now: now)
        try await deadlines.run(now: now)
        try await personDeadlines.run(now: now)
        try await histories.sweepAll()
        try await fixes.expire()
        if let sharingError { throw sharingError }
    }

    /// Ends the sharing of positions that is over.
    /// - Returns: The first error.
    private func endSharing(now: Instant) async -> (any Error)? {
        var first: (any Error)?
        do { try await positionShares.run() } catch { first = error }
        do { try await positionShareChecks.run(now: now) } catch { first = first ?? error }
        return first
    }

    /// Ends parkings in the history that a node with an older version ended only for the item.
    private func finishParkings(now: Instant) async throws {
        let items = try await database.read { tx in
            try ParkingHistoryStore.unfinished(limit: Limits.housekeepingBatch, in: tx)
        }
        for item in items {
            try await database.write { tx in
                // Parking locks the last position first.
                _ = try HealthStore.lockLastPosition(of: item, in: tx)
                try ParkingHistoryStore.finish(item, now: now, in: tx)
            }
        }
    }

    /// Publishes one event for each silence, so that open pages show it.
    private func publishSilences(now: Instant) async throws {
        let silent = try await database.read { tx in try FixStore.itemsWithUnannouncedSilence(now: now, in: tx) }
        guard !silent.isEmpty else { return }
        try await database.write { tx in
            // Reads again inside the transaction: a report or another node may have come first.
            let stillSilent = Set(try FixStore.itemsWithUnannouncedSilence(now: now, in: tx))
            for id in silent where stillSilent.contains(id) {
                guard let item = try ItemStore.served(id, in: tx) else { continue }
                try FixStore.recordSilence(of: id, in: tx)
                try TrackingEvents.publishCommand(of: id, owner: item.owner, now: now, in: tx)
            }
        }
    }
}

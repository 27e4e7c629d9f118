import Kernel
import Storage

/// The scheduled job of this module.
package struct FamilyHousekeeping: Sendable {
    let database: Database
    let parentRemovals: DueParentRemovals
    let childErasures: DueChildErasures
    let reminders: DueReminders
    let reviews: DueReviews
    let automaticPoints: DueAutomaticPoints
    let clock: any WallClock

    /// Applies the deadlines: gives automatic points, removes parents whose period of notice is over, erases deleted
    /// children, sends reminders, reviews the day before, and deletes old chores, rewards, codes, invitations,
    /// withdrawn removals and declined requests. Cheap if nothing is due.
    package func run() async throws {
        let now = clock.now
        try await parentRemovals.run()
        try await childErasures.run()
        try await reminders.run()
        try await reviews.run()
        try await automaticPoints.run()
        try await database.write { tx in
            try ChoreStore.purge(deletedBefore: now.adding(seconds: -Limits.familyUndoSeconds), in: tx)
            try RewardStore.purge(deletedBefore: now.adding(seconds: -Limits.familyUndoSeconds), in: tx)
            try SignInCodeStore.prune(expiredBefore: now.adding(seconds: -Limits.signInCodeKeptSeconds), in: tx)
            try TabletStore.pruneCodes(now: now, in: tx)
            try InvitationStore.prune(now: now, in: tx)
            try RemovalStore.prune(now: now, in: tx)
            try DeclinedRequestStore.prune(
                declinedBefore: now.adding(seconds: -Limits.declinedRequestSeconds), in: tx)
        }
    }
}

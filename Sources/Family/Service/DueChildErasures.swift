import Kernel
import Logging
import Storage

/// Erases the children that can no longer be restored.
struct DueChildErasures: Sendable {
    let database: Database
    let erasure: ChildErasure
    let clock: any WallClock
    let logger: Logger

    /// Erases the due children, each in its own transaction, so that a failure for one child doesn't block the
    /// others.
    func run() async throws {
        let now = clock.now
        let before = now.adding(seconds: -Limits.childRestorationSeconds)
        let ids = try await database.read { tx in
            try HouseholdStore.deletedChildren(before: before, limit: Limits.housekeepingBatch, in: tx)
        }
        try await database.write(each: ids) { id, tx in
            try erase(id, deletedBefore: before, now: now, in: tx)
        } failed: { id, error in
            logger.error("A deleted child could not be removed", metadata: ["child": "\(id)", "error": "\(error)"])
        }
    }

    private func erase(_ child: PersonID, deletedBefore before: Instant, now: Instant, in tx: Transaction) throws {
        guard let found = try HouseholdStore.member(child, in: tx) else { return }
        _ = try HouseholdStore.lock(found.household, in: tx)
        // The child may have been restored before the household was locked.
        guard let deletedAt = try HouseholdStore.member(child, in: tx)?.deletedAt, deletedAt <= before else { return }
        try erasure.erase(child, of: found.household, now: now, in: tx)
    }
}

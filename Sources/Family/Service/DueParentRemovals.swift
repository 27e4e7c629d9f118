import Kernel
import Logging
import Storage

/// Executes the announced removals whose period of notice is over.
struct DueParentRemovals: Sendable {
    let database: Database
    let departure: ParentDeparture
    let clock: any WallClock
    let logger: Logger

    /// Executes the due removals, each once and in its own transaction.
    func run() async throws {
        let now = clock.now
        let due = try await database.read { tx in
            try RemovalStore.due(now: now, limit: Limits.housekeepingBatch, in: tx)
        }
        try await database.write(each: due) { parent, tx in
            try remove(parent, now: now, in: tx)
        } failed: { parent, error in
            logger.error("A parent could not be removed", metadata: ["parent": "\(parent)", "error": "\(error)"])
        }
    }

    private func remove(_ parent: PersonID, now: Instant, in tx: Transaction) throws {
        guard let found = try RemovalStore.find(parent, in: tx) else { return }
        _ = try HouseholdStore.lock(found.household, in: tx)
        // The removal may have been withdrawn, refused or executed before the household was locked.
        guard let removal = try RemovalStore.find(parent, in: tx), removal == found, removal.effectiveAt <= now else {
            return
        }
        let isAlone = try HouseholdStore.count(of: removal.household, .parent, in: tx) < 2
        guard removal.refusedAt == nil, !isAlone else { return try RemovalStore.delete(parent, in: tx) }
        try departure.release(parent, from: removal.household, now: now, in: tx)
        try HouseholdStore.remove(parent, in: tx)
        try departure.notifyOfRemoval(parent, removal.household, by: nil, now: now, in: tx)
    }
}

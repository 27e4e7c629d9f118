import Accounts
import Kernel
import Logging
import Storage

extension FamilyService {
    /// Applies the deadlines: announced removals take effect, deletions become final, old codes and invitations end,
    /// and withdrawn removals can be announced again.
    /// Cheap when there is nothing to do.
    package func housekeeping() async throws {
        let now = clock.now
        let before = now.adding(seconds: -Limits.familyUndoSeconds)
        try await removeDueParents()
        try await purgeChildren(deletedBefore: before)
        try await database.write { tx in
            try ChoreStore.purge(deletedBefore: before, in: tx)
            try CodeStore.prune(expiredBefore: now.adding(seconds: -Limits.signInCodeKeptSeconds), in: tx)
            try InvitationStore.prune(now: now, in: tx)
            try RemovalStore.prune(now: now, in: tx)
        }
    }

    /// Each child in a transaction of its own: one that can't go must not keep the others.
    private func purgeChildren(deletedBefore before: Instant) async throws {
        let ids = try await database.read { tx in
            try HouseholdStore.deletedChildren(before: before, limit: Limits.housekeepingBatch, in: tx)
        }
        let now = clock.now
        for id in ids {
            do {
                try await database.write { [self] tx in try purge(id, deletedBefore: before, now: now, in: tx) }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                logger.error(
                    "A deleted child could not be removed", metadata: ["child": "\(id)", "error": "\(error)"])
            }
        }
    }

    private func purge(_ child: PersonID, deletedBefore before: Instant, now: Instant, in tx: Transaction) throws {
        guard let found = try HouseholdStore.member(child, in: tx) else { return }
        _ = try HouseholdStore.lock(found.household, in: tx)
        // It may have been brought back while the household was waited for.
        guard let deletedAt = try HouseholdStore.member(child, in: tx)?.deletedAt, deletedAt <= before else { return }
        try forget(child, in: tx)
        let members = try HouseholdStore.members(of: found.household, in: tx)
        if let heir = members.first(where: { $0.role == .parent }) {
            try FamilyPictures.handOver(from: child, to: heir.person, household: found.household, in: tx)
        }
        try accounts.eraseChild(child, now: now, in: tx)
    }
}

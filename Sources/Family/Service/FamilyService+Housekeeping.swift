import Accounts
import Kernel
import Storage

extension FamilyService {
    /// Applies the deadlines: announced removals take effect, deletions become final, old codes and invitations end,
    /// and withdrawn removals can be announced again.
    /// Cheap when there is nothing to do.
    package func housekeeping() async throws {
        let now = clock.now
        try await removeDueParents()
        try await eraseDueChildren()
        try await database.write { tx in
            try ChoreStore.purge(deletedBefore: now.adding(seconds: -Limits.familyUndoSeconds), in: tx)
            try CodeStore.prune(expiredBefore: now.adding(seconds: -Limits.signInCodeKeptSeconds), in: tx)
            try InvitationStore.prune(now: now, in: tx)
            try RemovalStore.prune(now: now, in: tx)
        }
    }
}

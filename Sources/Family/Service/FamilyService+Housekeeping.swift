import Accounts
import Kernel
import Storage

extension FamilyService {
    /// Applies the deadlines: removes parents whose period of notice is over, erases deleted children, and deletes old
    /// chores, codes, invitations and withdrawn removals. Cheap if nothing is due.
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

import Kernel
import Storage

/// Replaces the email of an account by a confirmed address.
struct EmailReplacement: Sendable {
    let events: AccountEvents
    let dataHandlers: [any AccountDataHandler]

    /// Stores a confirmed address as the account's email, after a confirmation or an undo.
    func replace(
        of before: Account, by email: EmailAddress, verifiedAt: Instant, now: Instant, in tx: Transaction
    ) throws -> Account {
        var after = before
        after.email = email.text
        after.emailVerifiedAt = verifiedAt
        after.pendingEmail = nil
        after.version += 1
        for dataHandler in dataHandlers { try dataHandler.checkChange(from: before, to: after, in: tx) }
        _ = try EmailChangeStore.delete(of: before.id, in: tx)
        try CodeStore.removeResets(of: before.id, in: tx)
        try CodeStore.removeVerifications(of: before.id, in: tx)
        try AccountStore.update(after, emailKey: email.key, in: tx)
        try events.publish(after, now: now, in: tx)
        for dataHandler in dataHandlers {
            try dataHandler.profileChanged(after, now: now, in: tx)
            try dataHandler.emailConfirmed(after, now: now, in: tx)
        }
        return after
    }
}

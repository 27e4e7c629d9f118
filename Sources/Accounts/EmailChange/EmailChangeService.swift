import Kernel
import Storage

/// Pending and completed changes of the email: cancelling and undoing them.
package struct EmailChangeService: Sendable {
    let database: Database
    let replacement: EmailReplacement
    let resetLinks: PasswordResetLinks
    let access: AccessEnder
    let events: AccountEvents
    let clock: any WallClock
    let random: any RandomSource

    /// Cancels a pending change.
    /// - Throws: ``AppError/notFound`` when there is none.
    package func cancel(by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: person.description) {
                let account = try AccountStore.requireLockedAccount(person, in: tx)
                guard try EmailChangeStore.delete(of: person, in: tx) else { throw AppError.notFound }
                var after = account
                after.pendingEmail = nil
                after.version += 1
                try AccountStore.update(after, emailKey: account.email.flatMap { EmailAddress($0)?.key }, in: tx)
                try events.publish(after, now: now, in: tx)
            }
        }
    }

    /// Returns whether a link that restores an old address is still valid.
    package func isUndoCodeValid(_ code: String) async throws -> Bool {
        guard let hash = Token.hash(shown: code) else { return false }
        let now = clock.now
        return try await database.read { tx in try EmailChangeStore.undo(hash, now: now, in: tx) != nil }
    }

    /// Restores the old address, and removes all access until its owner has chosen a new password: sessions, password,
    /// passkeys, linked identities, open invitations, links and codes, and the sessions of the owner's children end.
    /// - Returns: the code of a link for the new password.
    /// - Throws: ``AppError`` `not_found` when the link is unknown, used or expired.
    package func undo(code: String) async throws -> String {
        guard let codeHash = Token.hash(shown: code) else { throw AppError(.notFound, .linkUnknown) }
        let now = clock.now
        let reset = Token.make(random: random)
        try await database.write { tx in
            guard let undo = try EmailChangeStore.undo(codeHash, now: now, in: tx),
                let before = try AccountStore.lockedAccount(undo.person, in: tx),
                try EmailChangeStore.use(undo, codeHash: codeHash, in: tx)
            else { throw AppError(.notFound, .linkUnknown) }
            guard try !AccountStore.isTaken(emailKey: undo.email.key, except: before.id, now: now, in: tx) else {
                throw AppError(.conflict, .emailTaken, field: "email")
            }
            _ = try replacement.replace(of: before, by: undo.email, verifiedAt: undo.verifiedAt, now: now, in: tx)
            try AccountStore.setPassword(nil, of: before.id, in: tx)
            try IdentityStore.deleteAll(of: before.id, in: tx)
            try PasskeyStore.deleteAll(of: before.id, in: tx)
            // The owner reports that another person used the account.
            try access.end(accessTo: before.id, endsChildSessions: true, now: now, in: tx)
            _ = try resetLinks.insert(reset, of: before, now: now, in: tx)
        }
        return reset
    }
}

import Kernel
import Storage

/// Confirms a pending change of the email.
struct EmailChangeConfirmation: Sendable {
    let replacement: EmailReplacement
    let undoLinks: EmailUndoLinks
    let securityMails: SecurityMails

    /// Replaces the email by the pending address that the code of the mail belongs to.
    func confirm(
        _ codeHash: [UInt8], of person: PersonID, undoCode: String, now: Instant, in tx: Transaction
    ) throws -> Account {
        guard let before = try AccountStore.lockedAccount(person, in: tx),
            let email = try EmailChangeStore.consume(codeHash, of: person, now: now, in: tx)
        else { throw AppError(.notFound, .linkUnknown) }
        guard try !AccountStore.isTaken(emailKey: email.key, except: person, now: now, in: tx) else {
            throw AppError(.conflict, .emailTaken, field: "email")
        }
        let undoURL = try undoLinks.insert(undoCode, for: before, now: now, in: tx)
        let after = try replacement.replace(of: before, by: email, verifiedAt: now, now: now, in: tx)
        try securityMails.enqueue(.emailChanged(undoURL: undoURL), to: before, now: now, in: tx)
        return after
    }
}

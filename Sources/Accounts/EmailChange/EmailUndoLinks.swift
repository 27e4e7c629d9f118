import Kernel
import Storage

/// Links that restore an old email.
struct EmailUndoLinks: Sendable {
    let links: AccountLinks

    /// Stores an undo for the current address, if it is confirmed: a mistyped one may be a stranger's. Returns the
    /// link.
    /// - Throws: ``AppError`` `throttled` when the account has too many.
    func insert(_ code: String, for account: Account, now: Instant, in tx: Transaction) throws -> String? {
        guard let verifiedAt = account.emailVerifiedAt, let email = account.email.flatMap({ EmailAddress($0) }) else {
            return nil
        }
        guard try EmailChangeStore.countUndos(of: account.id, now: now, in: tx) < Limits.emailUndosPerAccount else {
            let seconds = Int(Limits.emailUndoSeconds)
            throw AppError(.throttled, AccountMessage.throttled.text, retryAfterSeconds: seconds)
        }
        let undo = EmailChangeStore.Undo(person: account.id, email: email, verifiedAt: verifiedAt, createdAt: now)
        try EmailChangeStore.insert(undo, codeHash: Token.hash(code), in: tx)
        return links.emailUndo(code)
    }
}

import Kernel
import Storage

/// Links for a new password.
struct PasswordResetLinks: Sendable {
    let links: AccountLinks

    /// Stores the code of a link for a new password, in place of any earlier one, and returns the link.
    /// - Parameter administrator: who creates it for the person, and may lose that right; `nil` for the person or a
    ///   command.
    func insert(
        _ code: String, of account: Account, by administrator: PersonID? = nil, now: Instant, in tx: Transaction
    ) throws -> String {
        let expiry = now.adding(seconds: Limits.passwordResetSeconds)
        try CodeStore.addReset(Token.hash(code), for: account.id, by: administrator, expiresAt: expiry, in: tx)
        return links.passwordReset(code)
    }
}

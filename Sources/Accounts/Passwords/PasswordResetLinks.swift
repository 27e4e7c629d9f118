import Kernel
import Storage

/// Links for a new password.
struct PasswordResetLinks: Sendable {
    let links: AccountLinks

    /// Stores the code of a link for a new password, in place of any earlier one, and returns the link.
    func insert(_ code: String, of account: Account, now: Instant, in tx: Transaction) throws -> String {
        let expiry = now.adding(seconds: Limits.passwordResetSeconds)
        try CodeStore.addReset(Token.hash(code), for: account.id, expiresAt: expiry, in: tx)
        return links.passwordReset(code)
    }
}

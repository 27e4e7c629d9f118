import Accounts
import Kernel
import WebCore

extension ShellToast {
    /// Returns a toast. It mentions a pending email if the change requested one.
    static func saved(
        _ account: Account, _ changes: ProfileChanges, _ context: SignedInContext, in language: Language? = nil
    ) -> ShellToast {
        let language = language ?? context.language
        if case .set(let typed) = changes.email, let pending = account.pendingEmail, typed != account.email {
            return ShellToast(ProofStrings.of(language).linkSent.replacing("EMAIL", with: pending))
        }
        return ShellToast(AccountsStrings.of(language).saved)
    }
}

import Accounts
import Kernel
import WebCore

extension ShellToast {
    /// Returns a toast. It mentions a pending email if the change requested one.
    static func saved(
        _ account: Account, _ changes: ProfileChanges, _ context: SignedInContext, in language: Language? = nil
    ) -> ShellToast {
        let t = context.translator(to: language ?? context.language)
        if case .set(let typed) = changes.email, let pending = account.pendingEmail, typed != account.email {
            return ShellToast(
                t("A link was sent to {email}. Open it to confirm the new address.", ["email": pending]))
        }
        return ShellToast(t("Saved"))
    }
}

import Accounts
import Kernel
import WebCore

extension WebContext {
    /// The formats in the reader's language.
    var familyFormatter: FamilyFormatter { FamilyFormatter(t, now: web.clock.now) }

    /// Whether the request comes from a shared tablet, also if a child acts on it.
    var isOnSharedDevice: Bool { app.identity?.account.role == .sharedDevice }

    /// Returns a service's error in the reader's language.
    func translated(_ error: AppError) -> AppError { error.translated(to: language) }

    /// Returns a toast that says why an action failed. The reader has just seen the resource, so "not found" needs an
    /// explanation. Other errors have their own reason.
    func failureToast(_ error: AppError) -> ShellToast {
        ShellToast(
            error == .notFound ? t("This was changed elsewhere. Look at it again.") : translated(error).message,
            isProblem: true)
    }
}

extension RequiredProfileMiddleware {
    /// Requires a date of birth.
    static let family = RequiredProfileMiddleware(.family, root: FamilyPath.root)
}

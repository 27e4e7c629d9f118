import Accounts
import Kernel
import WebCore

extension WebContext {
    /// Runs `work`, and translates its errors, including those of an app, into the reader's language.
    func translating<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch let error as AppError {
            throw error.translated(to: language)
        }
    }

    /// Whether a person is signed in and the session isn't locked.
    var isLetIn: Bool { identity?.session.isLocked == false }
}

extension AppContext {
    /// The path for a person who is already signed in.
    var pathAfterSignIn: String {
        guard isChild else { return Destination(query("return")).path }
        return Destination(query("return"), otherwise: "/family").path
    }
}

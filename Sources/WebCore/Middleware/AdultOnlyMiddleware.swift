import Accounts
import Hummingbird
import Kernel

/// Rejects requests of children with 403.
struct AdultOnlyMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        try context.requireAdult()
        return try await next(request, context)
    }
}

extension WebContext {
    /// Whether a child is signed in.
    package var isChild: Bool { identity?.account.role == .child }

    /// Rejects a child on a route that is open to everyone else, signed in or not.
    /// - Throws: `AppError` (forbidden).
    package func requireAdult() throws {
        guard !isChild else { throw AppError(.forbidden, t("This is for adults. Ask a parent.")) }
    }
}

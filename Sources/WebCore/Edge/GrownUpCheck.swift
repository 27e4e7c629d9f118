import Accounts
import Hummingbird
import Kernel

/// Keeps children out.
struct GrownUpCheck: RouterMiddleware {
    func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        try context.requireGrownUp()
        return try await next(request, context)
    }
}

extension WebContext {
    /// Whether it is a child that asks.
    package var isChild: Bool { identity?.account.role == .child }

    /// Refuses a child on a route that answers everybody else, signed in or not.
    /// - Throws: `AppError` (forbidden).
    package func requireGrownUp() throws {
        guard !isChild else { throw AppError(.forbidden, WebStrings.of(language).grownUpsOnly) }
    }
}

import Accounts
import Hummingbird
import Kernel

/// Rejects requests of everyone but administrators with 403.
struct AdministratorOnlyMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        try context.requireAdult()
        guard context.account.isOperator else {
            throw AppError(.forbidden, context.t("This is for administrators of this server."))
        }
        return try await next(request, context)
    }
}

import Accounts
import Hummingbird
import WebCore

/// The handlers of one route for parents and for children. Where one URL serves both with different pages, only this
/// type decides by the reader's role.
struct RoleHandlers: Sendable {
    typealias Handler = @Sendable (Request, SignedInContext) async throws -> Response

    let parents: Handler
    let children: Handler

    @Sendable func respond(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await context.isChild ? children(request, context) : parents(request, context)
    }
}

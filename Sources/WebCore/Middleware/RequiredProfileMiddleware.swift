package import Accounts
package import Hummingbird
import HTTPTypes
import Kernel

/// Requires the profile fields that an app needs: redirects page requests of adults to the form for missing fields.
/// Programs get an error from the app's service instead.
package struct RequiredProfileMiddleware: RouterMiddleware {
    private let app: AppName
    private let root: String
    private let admitsAdministrators: Bool

    /// Creates the middleware.
    /// - Parameters:
    ///   - app: the app whose fields are required.
    ///   - root: the return path for requests that aren't reads.
    ///   - admitsAdministrators: whether administrators need none of the fields for these routes.
    package init(_ app: AppName, root: String, admitsAdministrators: Bool = false) {
        self.app = app
        self.root = root
        self.admitsAdministrators = admitsAdministrators
    }

    /// Redirects a page request while fields are missing; passes other requests on.
    package func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        guard context.face == .page, let detour = detour(context) else { return try await next(request, context) }
        return Responses.seeOther(context, to: detour)
    }

    /// The path of the form for the missing fields; `nil` if none is missing.
    package func detour(_ context: SignedInContext) -> String? {
        if admitsAdministrators, context.account.isOperator { return nil }
        guard context.account.role == .adult, !app.missing(in: context.account).isEmpty else { return nil }
        let isReading = context.app.head.method == .get || context.app.head.method == .head
        let wanted = isReading ? LocalPath(context.app.uri.string)?.text ?? root : root
        return "/account/apps/\(app.rawValue)?return=" + PercentEncoding.encoded(wanted)
    }
}

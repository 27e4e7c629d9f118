package import Accounts
package import Hummingbird
import HTTPTypes

/// Whoever comes from another app is asked first for what this one can't do without. Programs are told so by its service.
package struct EntranceCheck: RouterMiddleware {
    private let app: AppName
    private let root: String

    /// Makes the check.
    /// - Parameters:
    ///   - app: the one that is entered.
    ///   - root: where somebody goes on who didn't come for a page.
    package init(_ app: AppName, root: String) {
        self.app = app
        self.root = root
    }

    /// Leads a page's visitor away where something is missing.
    package func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        guard context.face == .page, let detour = detour(context) else { return try await next(request, context) }
        return Answer.seeOther(context, to: detour)
    }

    /// Where it is asked for; `nil` when there is nothing to ask.
    package func detour(_ context: SignedInContext) -> String? {
        guard context.account.role == .adult, !app.missing(in: context.account).isEmpty else { return nil }
        let isReading = context.app.head.method == .get || context.app.head.method == .head
        let wanted = isReading ? LocalPath(context.app.uri.string)?.text ?? root : root
        return "/account/apps/\(app.rawValue)?return=" + PathSegment.encoded(wanted)
    }
}

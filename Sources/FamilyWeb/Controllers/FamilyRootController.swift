import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family`: the dashboard of the reader's role, or a page about Family for visitors who aren't signed in.
struct FamilyRootController: Sendable {
    let dashboards: RoleHandlers
    let children: ChildrenController

    func addRoutes(to open: RouteGroup<AppContext>) {
        open.get("/family", use: show)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard context.identity != nil else {
            guard context.face == .page else { throw NotSignedIn() }
            return try Responses.page(
                context, template: "family-welcome", FamilyWelcomePage(context, t: context.t))
        }
        let context = try SignedInContext(context: context)
        if context.face == .page, let detour = RequiredProfileMiddleware.family.detour(context) {
            return Responses.seeOther(context, to: detour)
        }
        if context.face == .json { return try await children.index(request, context) }
        return try await dashboards.respond(request, context)
    }
}

import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/`: the start page with the three apps.
struct StartController: Sendable {
    func addRoutes(to routes: RouteGroup<AppContext>) {
        routes.get("/", use: show)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        if context.isChild { return Responses.seeOther(context, to: "/family") }
        return try Responses.page(context, template: "accounts-start", StartPage(context))
    }
}

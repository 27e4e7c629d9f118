import Hummingbird
import Kernel
import WebCore

/// `/carrepsa`: the start page for signed-out visitors. Others are redirected to the search.
struct WelcomeController: Sendable {
    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        try context.requireAdult()
        if context.identity != nil { return Responses.seeOther(context, to: CarrepsaPath.packages) }
        return try Responses.page(
            context, template: "carrepsa-welcome", WelcomePage(context))
    }
}

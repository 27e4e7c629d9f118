import Accounts
import Hummingbird
import WebCore

/// `/family/themes`: the themes of profiles in the JSON API.
struct ThemesController: Sendable {
    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.get("themes", use: index)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let items = Themes.all.map { ThemeJSON(id: $0, name: ThemeName.text($0, context.t)) }
        return try Responses.json(context, ListJSON(items: items, next: nil))
    }
}

import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/navigation`: opens a maps app in navigation to the item.
struct NavigationController: Sendable {
    let navigation: NavigationService
    let items: ItemService
    let profiles: ProfileService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/navigation", use: show)
        items.post("{id}/navigation", use: create)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var chosen = context.account.mapsApp
        if let name = context.query("to") {
            guard let app = MapsApp(rawValue: name) else {
                let choices = MapsApp.allCases.map(\.rawValue).joined(separator: ", ")
                throw AppError.invalid(
                    "to", context.t("Choose one of these maps apps: {apps}.", ["apps": choices]))
            }
            chosen = app
        }
        if context.face == .json {
            let link = try await navigation.link(id, to: chosen ?? .apple, for: context.actor)
            return try Responses.json(context, NavigationJSON(link))
        }
        guard let chosen else {
            let item = try await items.item(id, for: context.actor).item
            return try Responses.page(
                context, template: "tracking-maps", MapsChoicePage(context, item, t: context.t)
            )
        }
        let link = try await navigation.link(id, to: chosen, for: context.actor)
        return Responses.seeOther(context, to: link.url)
    }

    /// Stores the first choice of a maps app and opens it.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var fields = try await Fields.read(request, context)
        let app = fields.requireChoice("to", of: MapsApp.self)
        try fields.check()
        guard let app else { throw AppError.notFound }
        let link = try await navigation.link(id, to: app, for: context.actor)
        // The choice of the maps app belongs to the account, which no access token changes.
        if !context.actor.hasAccessToken {
            _ = try await profiles.update(
                ProfileChanges(mapsApp: .set(app)), ifVersion: nil, by: Change(actor: context.actor),
                language: context.language.rawValue
            )
        }
        return try Responses.changed(context, json: { NavigationJSON(link) }, seeOther: link.url)
    }
}

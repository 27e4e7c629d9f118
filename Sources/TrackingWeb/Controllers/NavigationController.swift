import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/navigation`: opens a maps app in navigation to the item; and the same for the position that a
/// finder sent.
struct NavigationController: Sendable {
    let navigation: NavigationService
    let items: ItemService
    let profiles: ProfileService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/navigation", use: show)
        items.post("{id}/navigation", use: create)
        items.get("{id}/finder-reports/{reportId}/navigation", use: showReport)
        items.post("{id}/finder-reports/{reportId}/navigation", use: createReport)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await show(.item(context.id("id", of: Item.self)), context)
    }

    @Sendable func showReport(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await show(.ofFinder(context), context)
    }

    private func show(_ target: NavigationTarget, _ context: SignedInContext) async throws -> Response {
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
            let link = try await navigation.link(target, to: chosen ?? .apple, for: context.actor)
            return try Responses.json(context, NavigationJSON(link))
        }
        guard let chosen else {
            // Only for people who can see the item.
            _ = try await items.item(target.item, for: context.actor)
            return try Responses.page(
                context, template: "tracking-maps", MapsChoicePage(context, to: target, t: context.t)
            )
        }
        let link = try await navigation.link(target, to: chosen, for: context.actor)
        return Responses.seeOther(context, to: link.url)
    }

    /// Stores the first choice of a maps app and opens it.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await create(.item(context.id("id", of: Item.self)), request, context)
    }

    @Sendable func createReport(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await create(.ofFinder(context), request, context)
    }

    private func create(
        _ target: NavigationTarget, _ request: Request, _ context: SignedInContext
    ) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let app = fields.requireChoice("to", of: MapsApp.self)
        try fields.check()
        guard let app else { throw AppError.notFound }
        let link = try await navigation.link(target, to: app, for: context.actor)
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

extension NavigationTarget {
    /// Reads the finder's message of the URL.
    fileprivate static func ofFinder(_ context: SignedInContext) throws -> NavigationTarget {
        .report(try context.id("reportId", of: FinderReport.self), of: try context.id("id", of: Item.self))
    }

    /// The page that shows the position.
    var pageURL: String {
        switch self {
        case .item(let id): TrackingPath.item(id)
        case .report(let report, let id): TrackingPath.finderReport(report, of: id)
        }
    }
}

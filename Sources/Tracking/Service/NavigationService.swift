package import Accounts
package import Kernel

/// Navigation to an item's last position in a maps app.
package struct NavigationService: Sendable {
    let items: ItemService

    /// Returns the link that opens a maps app in navigation to the item's last position.
    /// - Throws: `AppError`: `notFound`; `conflict` without a position.
    package func link(_ id: ID<Item>, to app: MapsApp, for actor: Actor) async throws -> NavigationLink {
        let overview = try await items.item(id, for: actor)
        guard let fix = overview.lastFix else { throw AppError(.conflict, .noPosition) }
        return NavigationLink(
            app: app, destination: fix.coordinate, distanceMetres: overview.distanceMetres,
            walkMetres: overview.item.settings.walkMetres
        )
    }
}

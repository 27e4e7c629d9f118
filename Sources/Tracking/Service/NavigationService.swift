package import Accounts
package import Kernel

/// Where navigation leads.
package enum NavigationTarget: Sendable {
    /// An item's last position.
    case item(ID<Item>)
    /// The position that a finder of an item sent.
    case report(ID<FinderReport>, of: ID<Item>)

    /// The item.
    package var item: ID<Item> {
        switch self {
        case .item(let id), .report(_, let id): id
        }
    }
}

/// Navigation to a position in a maps app.
package struct NavigationService: Sendable {
    let items: ItemService
    let finderReports: FinderReportService

    /// Returns the link that opens a maps app in navigation to a position.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a finder's position without the access to manage the item;
    ///   `conflict` without a position.
    package func link(_ target: NavigationTarget, to app: MapsApp, for actor: Actor) async throws -> NavigationLink {
        switch target {
        case .item(let id):
            let overview = try await items.item(id, for: actor)
            guard let fix = overview.lastFix else { throw AppError(.conflict, .noPosition) }
            return NavigationLink(
                app: app, destination: fix.coordinate, distanceMetres: overview.distanceMetres,
                walkMetres: overview.item.settings.walkMetres)
        case .report(let report, let id):
            let found = try await finderReports.report(report, of: id, for: actor)
            guard let place = found.report.place else { throw AppError(.conflict, .noPosition) }
            return NavigationLink(
                app: app, destination: place, distanceMetres: found.distanceMetres,
                walkMetres: found.item.settings.walkMetres)
        }
    }
}

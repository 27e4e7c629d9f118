package import Accounts
package import Kernel
import Storage

/// Reads everything that the page of an item shows, in one transaction.
package struct ItemDetailsService: Sendable {
    let database: Database
    let overviews: ItemOverviewReader
    let alerts: AlertService
    let addresses: AddressService
    let clock: any WallClock

    /// Returns an item with its newest positions.
    /// - Parameter fixes: The maximum number of positions.
    /// - Throws: `AppError.notFound`.
    package func details(of id: ID<Item>, for actor: Actor, fixes limit: Int) async throws -> ItemDetails {
        let request = try PageRequest<ID<Fix>>(after: nil, limit: limit)
        let now = clock.now
        let details = try await database.read { tx in
            let overview = try overviews.item(id, for: actor, now: now, in: tx)
            let fixes = try HistoryStore.page(of: id, .newestFirst, after: nil, limit: request.rows, in: tx)
            let canRing = overview.tracker?.kind == .homeward
            let isManager = overview.access >= .manage
            return ItemDetails(
                overview: overview, fixes: request.page(fixes, \.id),
                names: try PlaceNames.all(for: actor, in: tx),
                ring: canRing ? try recentRing(of: id, now: now, in: tx) : nil,
                alertOffer: try alerts.offer(for: actor.person, in: tx),
                lostMode: isManager ? try LostModeStore.find(id, in: tx) : nil,
                finderReports: isManager
                    ? try FinderReportStore.page(of: id, before: nil, limit: Limits.finderReportsShown, in: tx) : [],
                liveLinks: isManager ? try LiveLinkStore.open(to: id, now: now, in: tx) : [],
                alerts: try ItemAlertStore.newest(
                    about: id, of: actor.person, limit: Limits.alertsOnItemPage, in: tx))
        }
        return try await withAddresses(details)
    }

    private func withAddresses(_ details: ItemDetails) async throws -> ItemDetails {
        let names = try await addresses.resolve(details.names, for: details.fixes.items.map(\.coordinate))
        let overview = details.overview.place.map { details.overview.with(place: names.addresses.resolve($0)) }
        return ItemDetails(
            overview: overview ?? details.overview, fixes: details.fixes, names: names, ring: details.ring,
            alertOffer: details.alertOffer, lostMode: details.lostMode, finderReports: details.finderReports,
            liveLinks: details.liveLinks, alerts: details.alerts)
    }

    /// Returns the newest *ring* among the item's latest commands; `nil` when it is older than
    /// ``Limits/ringShownSeconds``.
    private func recentRing(of id: ID<Item>, now: Instant, in tx: Transaction) throws -> Command? {
        let since = now.adding(seconds: -Limits.ringShownSeconds)
        return try CommandStore.page(of: id, after: nil, limit: Limits.ringSearchCommands, now: now, in: tx)
            .first { $0.kind == .ring && $0.createdAt >= since }
    }

    /// Returns an item, and whether its photo remains in the library after the item's deletion, because another object
    /// shows it.
    /// - Parameter required: The access that the actor needs.
    /// - Throws: `AppError`: `notFound`; `forbidden` when the actor has less access.
    package func itemWithPictureUse(
        _ id: ID<Item>, for actor: Actor, requires required: ItemAccess
    ) async throws -> (overview: ItemOverview, isPictureShared: Bool) {
        let now = clock.now
        return try await database.read { [overviews] tx in
            let overview = try overviews.item(id, for: actor, requires: required, now: now, in: tx)
            guard let picture = overview.item.pictureID else { return (overview, false) }
            return (overview, try ItemStore.isPictureUsedElsewhere(picture, than: id, in: tx))
        }
    }
}

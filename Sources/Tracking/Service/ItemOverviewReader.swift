import Accounts
import Kernel
import Storage

/// Reads items with their positions, trackers and alerts, as their owner sees them.
struct ItemOverviewReader: Sendable {
    /// Returns the actor's items in the order of their creation.
    func page(
        for actor: Actor, after: ID<Item>?, limit: Int, now: Instant, in tx: Transaction
    ) throws -> [ItemOverview] {
        let phone = try PositionStore.phone(for: actor, now: now, in: tx)
        let alerts = try AlertStore.alerts(of: actor.person, in: tx)
        return try OverviewStore.page(of: actor.person, after: after, limit: limit, now: now, in: tx)
            .map { $0.overview(phone: phone, alerts: alerts, now: now) }
    }

    /// Returns one item.
    /// - Throws: `AppError.notFound`.
    func item(_ id: ID<Item>, for actor: Actor, now: Instant, in tx: Transaction) throws -> ItemOverview {
        guard let stored = try OverviewStore.one(id, of: actor.person, now: now, in: tx) else {
            throw AppError.notFound
        }
        return stored.overview(
            phone: try PositionStore.phone(for: actor, now: now, in: tx),
            alerts: try AlertStore.alerts(of: actor.person, in: tx), now: now
        )
    }
}

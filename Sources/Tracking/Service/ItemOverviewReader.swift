import Accounts
import Kernel
import Storage

/// Reads items with their positions, trackers and alerts, as one person sees them.
struct ItemOverviewReader: Sendable {
    /// Returns the actor's items and the items that are shared with the actor, in the order of their creation.
    func page(
        for actor: Actor, after: ID<Item>?, limit: Int, now: Instant, in tx: Transaction
    ) throws -> [ItemOverview] {
        let phone = try PositionStore.phone(for: actor, now: now, in: tx)
        let alerts = try AlertStore.alerts(of: actor.person, in: tx)
        let rows = try OverviewStore.page(of: actor.person, after: after, limit: limit, now: now, in: tx)
        let others = try others(near: rows, than: actor.person, now: now, in: tx)
        return rows.map { $0.overview(phone: phone, alerts: alerts, others: others[$0.item.id] ?? [], now: now) }
    }

    /// Returns one item.
    /// - Throws: `AppError`: `notFound`; `forbidden` when the actor has less access than `required`.
    func item(
        _ id: ID<Item>, for actor: Actor, requires required: ItemAccess = .see, now: Instant, in tx: Transaction
    ) throws -> ItemOverview {
        guard let stored = try OverviewStore.one(id, of: actor.person, now: now, in: tx) else {
            throw AppError.notFound
        }
        try stored.access.require(required)
        return stored.overview(
            phone: try PositionStore.phone(for: actor, now: now, in: tx),
            alerts: try AlertStore.alerts(of: actor.person, in: tx),
            others: try others(near: [stored], than: actor.person, now: now, in: tx)[id] ?? [], now: now
        )
    }

    /// The recent phone positions of the other people of shared items. Without a shared item, there is no query.
    private func others(
        near rows: [ItemOverviewRow], than person: PersonID, now: Instant, in tx: Transaction
    ) throws -> [ID<Item>: [PositionSample]] {
        let shared = rows.filter { $0.isShared && $0.lastFix != nil }.map(\.item.id)
        return try AlertStore.phones(ofPeopleOf: shared, now: now, in: tx).mapValues { phones in
            phones.filter { $0.key != person }.flatMap(\.value)
        }
    }
}

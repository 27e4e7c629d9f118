import Kernel
import Storage

/// The change events of Tracking.
enum TrackingEvents {
    static func path(_ item: ID<Item>) -> String { "/tracking/items/\(item)" }

    /// The event for the owner's change of an item; `version` is the item's.
    static func item(_ item: Item, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: item.owner, kind: "item", resource: path(item.id), version: item.version, at: now)
    }

    /// The event for a fix or command; `version` is that of the item's `whereabouts` row.
    static func live(_ kind: Live, _ item: ID<Item>, owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        live(kind, path: path(item), owner: owner, version: version, now: now)
    }

    /// The event for a fix or command, with a precomputed path of the item.
    static func live(_ kind: Live, path: String, owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: kind.rawValue, resource: path, version: version, at: now)
    }

    enum Live: String {
        case fix
        case command
    }

    static func position(of owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: "position", resource: "/tracking/position", version: version, at: now)
    }

    static func source(_ id: ID<Source>, of owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: "source", resource: "/tracking/sources/\(id)", version: version, at: now)
    }

    static func safePlace(_ id: ID<SafePlace>, of owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        ChangeEvent(
            audience: owner, kind: "place", resource: "/tracking/safe-places/\(id)", version: version, at: now
        )
    }

    static func alerts(of owner: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: "place", resource: "/tracking/alerts", version: 0, at: now)
    }

    /// Publishes the event for a change of an item's commands or tracker, with the next version of its `whereabouts`
    /// row.
    static func publishCommand(of item: ID<Item>, owner: PersonID, now: Instant, in tx: Transaction) throws {
        guard let version = try FixStore.advance(item, in: tx) else { return }
        try tx.publish(live(.command, item, owner: owner, version: version, now: now))
    }
}

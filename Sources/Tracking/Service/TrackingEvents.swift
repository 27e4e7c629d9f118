import Kernel
import Storage

/// The change events of Tracking.
enum TrackingEvents {
    static let items = "/tracking/items"

    static func path(_ item: ID<Item>) -> String { "\(items)/\(item)" }

    static func path(_ report: ID<FinderReport>, of item: ID<Item>) -> String {
        "\(path(item))/finder-reports/\(report)"
    }

    /// The event for a change of an item; `version` is the item's.
    static func item(_ item: Item, to person: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: person, kind: "item", resource: path(item.id), version: item.version, at: now)
    }

    /// Publishes a change of an item to everyone who can see it.
    static func publishItem(_ item: Item, now: Instant, in tx: Transaction) throws {
        for person in [item.owner] + (try ItemMemberStore.people(of: item.id, in: tx)) {
            try tx.publish(Self.item(item, to: person, now: now))
        }
    }

    /// The event for the start or the end of a separation of a shared item from a person.
    static func separation(of item: ID<Item>, from person: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: person, kind: "item", resource: path(item), version: 0, at: now)
    }

    /// The event for the end of a person's access to an item: browsers forget the item's pages.
    static func accessEnded(to item: ID<Item>, of person: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: person, kind: "access", resource: path(item), version: 0, at: now)
    }

    /// Publishes a fix or command to everyone who can see the item.
    /// - Parameters:
    ///   - path: The item's path, where it is known already.
    ///   - change: The item's `whereabouts` row.
    static func publish(
        _ kind: Live, of item: ID<Item>, path: String? = nil, owner: PersonID, _ change: FixStore.Reported,
        now: Instant, in tx: Transaction
    ) throws {
        let path = path ?? self.path(item)
        func event(to person: PersonID) -> ChangeEvent {
            ChangeEvent(audience: person, kind: kind.rawValue, resource: path, version: change.version, at: now)
        }
        try tx.publish(event(to: owner))
        guard change.isShared else { return }
        for person in try ItemMemberStore.people(of: item, in: tx) { try tx.publish(event(to: person)) }
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

    static func path(_ link: ID<LiveLink>) -> String { "/tracking/live-links/\(link)" }

    static func liveLink(_ link: LiveLink, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: link.owner, kind: "live-link", resource: path(link.id), version: 0, at: now)
    }

    /// Publishes the start or the end of a link to its owner and, for a link to an item, to those who manage the item.
    static func publish(_ link: LiveLink, now: Instant, in tx: Transaction) throws {
        try tx.publish(liveLink(link, now: now))
        guard let item = try link.item.flatMap({ try ItemStore.item($0, of: link.owner, in: tx) }) else { return }
        let managers = try ItemMemberStore.list(of: item.id, in: tx).filter { $0.access >= .manage }.map(\.id)
        for person in [item.owner] + managers {
            try tx.publish(self.item(item, to: person, now: now))
        }
    }

    static func alerts(of owner: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: "place", resource: "/tracking/alerts", version: 0, at: now)
    }

    /// Publishes the event for a change of an item's commands or tracker, with the next version of its `whereabouts`
    /// row.
    static func publishCommand(of item: ID<Item>, owner: PersonID, now: Instant, in tx: Transaction) throws {
        guard let change = try FixStore.advance(item, in: tx) else { return }
        try publish(.command, of: item, owner: owner, change, now: now, in: tx)
    }
}

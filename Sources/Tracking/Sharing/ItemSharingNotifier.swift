import Kernel
import Notifications
import Storage

/// Notifies people of changes among the people of an item.
struct ItemSharingNotifier: Sendable {
    /// What happened.
    enum Event: String {
        /// The item is shared with the notified person.
        case shared
        /// Another person can see the item.
        case joined
        /// The notified person has other access than before.
        case changed
        /// The item is no longer shared with the notified person.
        case removed
        /// Another person can no longer see the item.
        case left
        /// The owner deleted the item.
        case deleted
        /// A person who manages the item shares its position by a live link.
        case linked
        /// The owner revoked the notified person's live link.
        case unlinked
    }

    /// Notifies one person.
    /// - Parameters:
    ///   - who: The person named in the text.
    ///   - access: The access named in the text.
    ///   - formerName: The person's own name of an item that is no longer shared.
    func notify(
        _ person: PersonID, _ event: Event, of item: Item, who: PersonID, access: ItemAccess? = nil,
        formerName: String? = nil, now: Instant, in tx: Transaction
    ) throws {
        var details = ["event": event.rawValue]
        details["access"] = access?.rawValue
        let canOpen = event != .removed && event != .deleted
        if !canOpen { details["forgets"] = TrackingEvents.path(item.id) }
        try Notice(
            id: ID(
                about: [
                    NoticeKind.itemShared.rawValue, item.id.description, person.description, event.rawValue,
                    who.description,
                ], at: now),
            person: person, kind: .itemShared,
            resource: canOpen ? TrackingEvents.path(item.id) : TrackingEvents.items,
            subject: try formerName ?? ItemMemberStore.itemName(of: item, for: person, in: tx),
            details: details, people: ["who": NamedPerson(who, try ItemMemberStore.name(of: who, in: tx))], at: now
        ).post(in: tx)
    }

    /// Notifies the people who can share the item: the owner and the people who manage it.
    func notifyManagers(
        _ event: Event, of item: Item, who: PersonID, except actor: PersonID, now: Instant, in tx: Transaction
    ) throws {
        let managers = try ItemMemberStore.list(of: item.id, in: tx).filter { $0.access >= .manage }.map(\.id)
        for person in [item.owner] + managers where person != actor && person != who {
            try notify(person, event, of: item, who: who, now: now, in: tx)
        }
    }
}

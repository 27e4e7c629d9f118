import Kernel
import Notifications
import Storage

/// Ends a person's access to an item inside a transaction, with everything that depends on it.
struct ItemMembershipEnder: Sendable {
    let notifier = ItemSharingNotifier()

    /// Removes the person from the people of the item. Open pages of the person reload at once, and the browser
    /// forgets its copies of the item's pages.
    /// - Parameters:
    ///   - item: The item; the transaction holds the lock on its row.
    ///   - actor: The person who ends it: the person, the owner, or a manager.
    func end(_ person: PersonID, of item: Item, by actor: PersonID, now: Instant, in tx: Transaction) throws {
        let name = try ItemMemberStore.itemName(of: item, for: person, in: tx)
        try remove(person, from: item, now: now, in: tx)
        if actor != person {
            try notifier.notify(person, .removed, of: item, who: actor, formerName: name, now: now, in: tx)
        }
        try notifier.notifyManagers(.left, of: item, who: person, except: actor, now: now, in: tx)
        try TrackingEvents.publishItem(item, now: now, in: tx)
    }

    /// Removes all people of an item that is about to be deleted.
    func endAll(of item: Item, by actor: PersonID, now: Instant, in tx: Transaction) throws {
        for person in try ItemMemberStore.people(of: item.id, in: tx) {
            let name = try ItemMemberStore.itemName(of: item, for: person, in: tx)
            try remove(person, from: item, now: now, in: tx)
            try notifier.notify(person, .deleted, of: item, who: actor, formerName: name, now: now, in: tx)
        }
        try ItemInvitationStore.deleteAll(of: item.id, in: tx)
    }

    /// Revokes what works without the person's session: the invitations that they created, and their live links.
    func revokeGrants(of person: PersonID, now: Instant, in tx: Transaction) throws {
        for id in try ItemInvitationStore.deleteAll(by: person, in: tx) {
            guard let item = try ItemStore.served(id, in: tx) else { continue }
            try TrackingEvents.publishItem(item, now: now, in: tx)
        }
        try endLinks(of: person, now: now, in: tx)
    }

    /// Ends a person's live links: to the position of an item that the person doesn't manage any more, or all.
    func endLinks(of person: PersonID, to item: ID<Item>? = nil, now: Instant, in tx: Transaction) throws {
        for link in try LiveLinkStore.open(of: person, to: item, now: now, in: tx) {
            try LiveLinkStore.end(link.id, as: .revoked, now: now, in: tx)
            try TrackingEvents.publish(link, now: now, in: tx)
        }
    }

    private func remove(_ person: PersonID, from item: Item, now: Instant, in tx: Transaction) throws {
        // Reports lock the last position first, and then the people's states and rules.
        _ = try HealthStore.lockLastPosition(of: item.id, in: tx)
        try endLinks(of: person, to: item.id, now: now, in: tx)
        try ItemAlertStore.delete(about: item.id, of: person, in: tx)
        try SeparationHistoryStore.delete(of: item.id, for: person, in: tx)
        try ItemMemberStore.delete(person, of: item.id, in: tx)
        try ItemInvitationStore.deleteAll(by: person, of: item.id, in: tx)
        try GeofenceStore.delete(of: item.id, owner: person, in: tx)
        try Notice.withdraw(about: TrackingEvents.path(item.id), includingParts: true, from: person, at: now, in: tx)
        try tx.publish(TrackingEvents.item(item, to: person, now: now))
        try tx.publish(TrackingEvents.accessEnded(to: item.id, of: person, now: now))
    }
}

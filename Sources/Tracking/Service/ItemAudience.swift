import Kernel
import Storage

/// The people who are notified about an item: the owner and those who manage it, unless they muted its alerts.
enum ItemAudience {
    /// - Parameter isUrgent: Whether people who muted the item's alerts are notified, too.
    static func people(of item: Item, isUrgent: Bool = false, in tx: Transaction) throws -> [PersonID] {
        try people(of: item.id, owner: item.owner, isUrgent: isUrgent, in: tx)
    }

    static func people(
        of item: ID<Item>, owner: PersonID, isUrgent: Bool = false, in tx: Transaction
    ) throws -> [PersonID] {
        try ItemMemberStore.recipients(
            of: item, owner: owner, atLeast: .manage, includingMuted: isUrgent, in: tx)
    }
}

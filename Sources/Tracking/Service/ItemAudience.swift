import Kernel
import Storage

/// The people who are notified about an item: the owner and those who manage it, unless they muted its alerts.
enum ItemAudience {
    struct Recipient: Sendable, Equatable {
        let person: PersonID
        /// The person's own name of the item.
        let itemName: String
    }

    /// - Parameter isUrgent: Whether people who muted the item's alerts are notified, too.
    static func people(of item: Item, isUrgent: Bool = false, in tx: Transaction) throws -> [Recipient] {
        try people(of: item.id, owner: item.owner, name: item.name, isUrgent: isUrgent, in: tx)
    }

    /// - Parameter name: The owner's name of the item.
    static func people(
        of item: ID<Item>, owner: PersonID, name: String, isUrgent: Bool = false, in tx: Transaction
    ) throws -> [Recipient] {
        try ItemMemberStore.recipients(
            of: item, owner: owner, name: name, atLeast: .manage, includingMuted: isUrgent, in: tx)
    }
}

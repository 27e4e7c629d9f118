import Kernel
import Storage

/// The people who are notified about an item: the owner and those who manage it, unless they muted it.
enum ItemAudience {
    static func people(of item: Item, in tx: Transaction) throws -> [PersonID] {
        try people(of: item.id, owner: item.owner, in: tx)
    }

    static func people(of item: ID<Item>, owner: PersonID, in tx: Transaction) throws -> [PersonID] {
        try ItemMemberStore.recipients(of: item, owner: owner, atLeast: .manage, in: tx)
    }
}

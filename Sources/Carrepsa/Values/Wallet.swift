package import Kernel

/// What somebody has.
package struct Wallet: Sendable, Hashable {
    /// Minor units at hand, 0 or more.
    package let balance: Int64
    /// Minor units of theirs in escrow: rewards of their packages and money locks of what they carry.
    package let held: Int64
    /// In what.
    package let currency: Currency
}

/// Why money moved, from the point of view of the wallet's owner.
package enum WalletEntryKind: String, Sendable, Hashable, CaseIterable {
    /// What a new wallet starts with.
    case welcome
    /// Paid in.
    case topUp = "top_up"
    /// Paid out.
    case payOut = "pay_out"
    /// A reward put aside for one's own package.
    case rewardHeld = "reward_held"
    /// A reward come back.
    case rewardReturned = "reward_returned"
    /// A money lock put up for somebody's package.
    case moneyLockHeld = "money_lock_held"
    /// A money lock come back without a reward.
    case moneyLockReturned = "money_lock_returned"
    /// Money lock and reward of a delivery.
    case earned
    /// Reward and money lock of a package that the carrier lost.
    case compensated
}

/// What became of money that was put aside.
package enum HeldFate: Sendable, Hashable {
    /// It came back.
    case returned
    /// It went to the owner, because the parcel was lost.
    case forfeited
    /// It went to the carrier, because the package was delivered.
    case paid
}

/// One movement of a wallet.
package struct WalletEntry: Sendable, Hashable {
    /// The transfer's id, as text.
    package let id: String
    /// When.
    package let at: Instant
    /// Minor units; negative when they left.
    package let amount: Int64
    /// Why.
    package let kind: WalletEntryKind
    /// The later outcome of a held amount; `nil` while it is still held.
    package let fate: HeldFate?
    /// The package that it is about.
    package let packageID: ID<Package>?
    /// Its title.
    package let packageTitle: String?
    /// Whether the asker can still open the package: not when it was withdrawn or is somebody else's by now.
    package let isPackageShown: Bool
    /// What the wallet held afterwards.
    package let balanceAfter: Int64
}

/// Somebody on the other side.
package struct Neighbour: Sendable, Hashable {
    /// The person.
    package let id: PersonID
    /// The name.
    package let name: String
    /// `nil` unless asker and person are the two parties of an accepted or travelling package.
    package let email: String?
    /// `nil` unless asker and person are the two parties of an accepted or travelling package.
    package let phone: String?
}

/// A part of a list.
package struct CarrepsaPage<Entry: Sendable>: Sendable {
    /// The entries of this part.
    package let items: [Entry]
    /// What to hand in as `after` for the next part; `nil` at the end.
    package let next: String?

    /// Makes a page.
    package init(items: [Entry], next: String?) {
        self.items = items
        self.next = next
    }
}

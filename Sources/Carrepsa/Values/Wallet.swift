package import Kernel

/// The money of a person.
package struct Wallet: Sendable, Hashable {
    /// The available amount in minor units, 0 or more.
    package let balance: Int64
    /// The part of the balance that can be paid out, in minor units: all but welcome money.
    package let payable: Int64
    /// The person's amount in escrow in minor units: rewards of own packages and deposits for carried ones.
    package let held: Int64
    package let currency: Currency
}

/// The kind of a wallet entry from the wallet owner's point of view.
package enum WalletEntryKind: String, Sendable, Hashable, CaseIterable {
    /// The initial amount of a new wallet.
    case welcome
    case topUp = "top_up"
    case payOut = "pay_out"
    /// The reward of an own package went into escrow.
    case rewardHeld = "reward_held"
    /// The reward of an own package came back.
    case rewardReturned = "reward_returned"
    /// The owner lowered the reward of an offer.
    case rewardLowered = "reward_lowered"
    /// The deposit for a carried package went into escrow.
    case moneyLockHeld = "money_lock_held"
    /// The deposit came back without a reward.
    case moneyLockReturned = "money_lock_returned"
    /// Deposit and reward of a delivery.
    case earned
    /// Reward and deposit of a package that the carrier lost.
    case compensated
    /// The part of reward and deposit that a dispute's end gave.
    case settled
}

/// The later outcome of an amount in escrow.
package enum EscrowOutcome: Sendable, Hashable {
    case returned
    /// The deposit went to the owner, because the carrier lost the package.
    case forfeited
    /// The reward went to the carrier, because the package was delivered.
    case paid
    /// It was divided at the end of a dispute.
    case divided
}

/// An entry in the statement of a wallet.
package struct WalletEntry: Sendable, Hashable {
    /// The transfer's id.
    package let id: String
    package let at: Instant
    /// Minor units; negative amounts left the wallet.
    package let amount: Int64
    package let kind: WalletEntryKind
    /// The later outcome of an amount in escrow; `nil` while it is still there and for other kinds.
    package let outcome: EscrowOutcome?
    package let packageID: ID<Package>?
    package let packageTitle: String?
    /// The name of the other person of the delivery; `nil` for none, and if the account was deleted.
    package let otherName: String?
    /// Whether the viewer can open the package. `false` if it was withdrawn or the viewer is no longer its carrier.
    package let isPackageShown: Bool
    package let balanceAfter: Int64
    /// An administrator's note on a payment; `nil` for other kinds and for payments on the command line.
    package let note: String?
}

/// A wallet with a page of its entries, read together.
package struct WalletStatement: Sendable {
    package let wallet: Wallet
    package let entries: ListPage<WalletEntry>
    /// The person's own unfinished packages; only on the first page and if the person has money in escrow.
    package let owned: [Package]
    /// The unfinished packages that the person carries, under the same condition.
    package let carried: [Package]
}

/// The other person of a delivery, as a viewer sees it.
package struct OtherParty: Sendable, Hashable {
    package let id: PersonID
    package let name: String
    /// `nil` unless viewer and person are owner and carrier of an accepted or travelling package, or the viewer decides
    /// the person's dispute.
    package let email: String?
    /// `nil` under the same condition as `email`.
    package let phone: String?
    package let reputation: Reputation
}

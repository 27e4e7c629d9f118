package import Kernel
package import Pictures

/// A child's purchase of a reward. Its price is spent as long as it waits or is approved.
package struct Purchase: Sendable, Hashable {
    /// The state of a purchase.
    package enum State: String, Sendable, CaseIterable {
        /// A parent decides on it.
        case waiting
        /// A parent approved it, or it needed no approval.
        case approved
        /// A parent declined it.
        case declined
        /// The child cancelled it.
        case cancelled
        /// A parent gave the points of an approved purchase back.
        case refunded

        /// Whether the price is spent.
        package var isSpent: Bool { self == .waiting || self == .approved }
    }

    package let id: ID<Purchase>
    package let childID: PersonID
    /// `nil` if the reward was deleted.
    package let rewardID: ID<ShopReward>?
    /// The reward's name at the time of the purchase.
    package let name: String
    /// The reward's picture at the time of the purchase.
    package let pictureID: ID<Picture>?
    /// The price in points at the time of the purchase.
    package let price: Int64
    package let at: Instant
    package let state: State
    /// The time of the last decision; `nil` while it waits, and for one that needed no approval.
    package let decidedAt: Instant?
    /// The present name of the person who decided; `nil` if the account was deleted.
    package let decidedByName: String?
}

/// A purchase with its child.
package struct PurchaseDetails: Sendable {
    package let purchase: Purchase
    package let child: Child
}

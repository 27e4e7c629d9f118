package import Kernel
package import Pictures

/// A reward in the shop of a household, which children buy with points.
package struct ShopReward: Sendable, Hashable {
    package let id: ID<ShopReward>
    /// 1 to ``Limits/shopRewardCharacters`` characters.
    package let name: String
    package let pictureID: ID<Picture>?
    /// The price in points, within ``Limits/shopPrices``.
    package let price: Int64
    /// How many are left, 0 or more; `nil` for any number.
    package let stock: Int64?
    /// The children who may buy it; `nil` for all children of the household.
    package let children: [PersonID]?
    /// The days after which the same child may buy it again: 1 is once a day; `nil` for any time.
    package let cooldownDays: Int?
    /// Whether a parent decides on each purchase.
    package let needsApproval: Bool
    /// Increases by one with each change, also of the stock.
    package let version: Int64
    package let createdAt: Instant

    /// Returns whether a child may buy it.
    package func isFor(_ child: PersonID) -> Bool { children?.contains(child) ?? true }
}

/// The fields of a reward as a client sent them; `nil` for a missing field.
package struct ShopRewardInput: Sendable {
    /// 1 to ``Limits/shopRewardCharacters`` characters.
    package var name: String?
    /// A picture from the acting person's own library, a built-in one, or the reward's present one.
    package var pictureID: ID<Picture>?
    package var price: Int64?
    package var stock: Int64?
    /// The ids of children; `nil` for all.
    package var children: [String]?
    package var cooldownDays: Int64?
    package var needsApproval: Bool

    package init(
        name: String? = nil, pictureID: ID<Picture>? = nil, price: Int64? = nil, stock: Int64? = nil,
        children: [String]? = nil, cooldownDays: Int64? = nil, needsApproval: Bool = true
    ) {
        self.name = name
        self.pictureID = pictureID
        self.price = price
        self.stock = stock
        self.children = children
        self.cooldownDays = cooldownDays
        self.needsApproval = needsApproval
    }
}

/// The shop as a parent or a child sees it.
package struct FamilyShop: Sendable {
    /// Sorted by price and name; those that the child may buy, for a child.
    package let rewards: [ShopReward]
    /// The purchases that wait for a parent, oldest first: of all children, or the child's own.
    package let waiting: [Purchase]
    /// The wishes on which no parent decided, oldest first: of all children, or the child's own.
    package let wishes: [Wish]
    /// The children of the household for a parent; the child itself for a child.
    package let children: [Child]
    /// Whether the reader can buy each reward now; empty for a parent.
    package let offers: [ID<ShopReward>: PurchaseVerdict]
}

/// What a row about the shop shows.
package struct ShopSummary: Sendable, Hashable {
    /// The number of rewards that the reader sees.
    package let rewardCount: Int
    /// The number of purchases that wait for a parent: of all children, or the child's own.
    package let waitingCount: Int
    /// The number of wishes on which no parent decided: of all children, or the child's own.
    package let wishCount: Int
}

/// Whether a child can buy a reward.
package enum PurchaseVerdict: Sendable, Hashable {
    case allowed
    /// It needs this many points more.
    case lacksPoints(Int64)
    case soldOut
    /// The child bought it, and may buy it again on this date.
    case availableFrom(LocalDate)
}

package import Kernel

/// The reward that a child saves its points for.
package struct SavingGoal: Sendable, Hashable {
    package let rewardID: ID<ShopReward>
    package let name: String
    /// The present price in points.
    package let price: Int64
    /// The time at which the child first had the points, and was notified; `nil` before.
    package let reachedAt: Instant?
    /// Whether the child has bought it, and a parent decides.
    package let isWaiting: Bool
}

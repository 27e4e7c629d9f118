import Kernel

/// The rule for purchases. The ledger also refuses a transfer that would make a balance negative.
enum PurchaseRule {
    /// Returns whether a child can buy a reward now.
    /// - Parameters:
    ///   - balance: the points that the child can spend.
    ///   - last: the date of the child's last purchase of the reward whose price is spent.
    static func verdict(
        _ reward: ShopReward, balance: Int64, last: LocalDate?, today: LocalDate
    ) -> PurchaseVerdict {
        if let stock = reward.stock, stock < 1 { return .soldOut }
        if let last, let days = reward.cooldownDays {
            let again = last.adding(days: days)
            if again > today { return .availableFrom(again) }
        }
        return balance < reward.price ? .lacksPoints(reward.price - balance) : .allowed
    }
}

import Family
import Kernel
import WebCore

/// The progress of a child's saving goal.
struct SavingGoalView: Sendable {
    /// `Saving for “Zoo”`.
    let goalTitle: String
    /// `12 of 30 points`.
    let goalText: String
    let goalValue: Int64
    let goalMaximum: Int64
    let isGoalReached: Bool
    /// The reward in the shop; `nil` unless the child reads it and has the points.
    let buyURL: String?
    /// The address that ends saving.
    let endGoalURL: String

    /// Returns `nil` without a goal.
    /// - Parameter offersPurchase: whether the page leads the child to the reward in the shop.
    init?(_ child: Child, offersPurchase: Bool = false, _ t: Translator, _ formatter: FamilyFormatter) {
        guard let goal = child.savingGoal, let points = child.spendablePoints else { return nil }
        goalTitle = t("Saving for “{reward}”", ["reward": goal.name])
        goalText = t(
            "{n} of {points}", ["n": formatter.number(min(points, goal.price)), "points": formatter.points(goal.price)])
        goalValue = min(points, goal.price)
        goalMaximum = goal.price
        isGoalReached = points >= goal.price
        buyURL = offersPurchase && isGoalReached ? "\(FamilyPath.shop)#reward-\(goal.rewardID)" : nil
        endGoalURL = FamilyPath.goal(of: child.id) + "?_method=delete"
    }
}

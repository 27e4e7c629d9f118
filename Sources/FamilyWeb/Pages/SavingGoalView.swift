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
        let saved = goal.isWaiting ? goal.price : min(points, goal.price)
        goalText =
            goal.isWaiting
            ? t("Bought. Waiting for a parent")
            : t("{n} of {points}", ["n": formatter.number(saved), "points": formatter.points(goal.price)])
        goalValue = saved
        goalMaximum = goal.price
        isGoalReached = !goal.isWaiting && points >= goal.price
        buyURL = offersPurchase && isGoalReached ? "\(FamilyPath.shop)#reward-\(goal.rewardID)" : nil
        endGoalURL = FamilyPath.goal(of: child.id) + "?_method=delete"
    }
}

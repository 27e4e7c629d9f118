import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The dashboard of a child.
struct ChildDashboardPage: Sendable {
    let shell: Shell
    let hello: String
    let me: ChildDashboardCard?
    let siblings: [ChildDashboardCard]
    let hasSiblings: Bool
    /// `nil` if no chore has a schedule.
    let todayRow: TodayRow?
    /// `5 days in a row`; `nil` for less than two.
    let streakText: String?
    let shopRow: ShopRow
    /// `nil` unless people ask where the child is.
    let positionAsk: PositionAskCard?

    init(
        _ context: SignedInContext, _ dashboard: ChildDashboard, askers: [String], formatter: FamilyFormatter
    ) {
        let children = dashboard.children
        shell = Shell(
            context, title: context.t("Family"), menu: .family(context.t, for: context.account),
            tab: FamilyTab.family.rawValue, isRefreshable: true
        )
        let own = children.first { $0.id == context.actor.person }
        hello = context.t("Hi, {name}!", ["name": own?.name ?? context.account.name])
        me = own.map { ChildDashboardCard($0, context.t, formatter) }
        siblings = children.filter { $0.id != context.actor.person }.map {
            ChildDashboardCard($0, context.t, formatter)
        }
        hasSiblings = !siblings.isEmpty
        todayRow = TodayRow(dashboard.today, context.t)
        streakText = StreakText.of(dashboard.today.streakDays(of: context.actor.person), context.t)
        shopRow = ShopRow(dashboard.shop, child: own, context.t, formatter)
        positionAsk = PositionAskCard(askers, context.t)
    }
}

/// A child's card for children.
struct ChildDashboardCard: Sendable {
    let childID: String
    let childURL: String
    let childName: String
    let childTheme: String
    let avatarURL: String?
    let initial: String
    let hasContract: Bool
    let gained: String
    let gainedText: String
    let maximum: String
    let achievementText: String
    let levelText: String
    /// `18 points to spend`, in place of points and levels without a contract; `nil` for a sibling.
    let spendableText: String?
    let level: Int
    /// The text about the next level.
    let goal: String
    let contractID: String
    /// The level and the reward of the last level that was reached, on two lines; empty for none.
    let celebration: String
    /// The rewards of all levels that were reached, one on each line.
    let celebratedRewards: String
    /// `nil` without a saving goal, and for a sibling.
    let savingGoal: SavingGoalView?

    init(_ child: Child, _ t: Translator, _ formatter: FamilyFormatter) {
        childID = child.id.description
        childURL = FamilyPath.child(child.id)
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        initial = child.name.first.map(String.init) ?? ""
        hasContract = child.contract != nil
        gained = String(child.gainedPoints)
        maximum = String(child.contract?.maxPoints ?? 0)
        gainedText = t(
            "{n} of {max}",
            ["n": formatter.number(child.gainedPoints), "max": formatter.number(child.contract?.maxPoints ?? 0)])
        achievementText = t("{n} in all", ["n": formatter.number(child.achievementPoints)])
        level = child.prizeLevel
        levelText = t("Level {n}", ["n": String(child.prizeLevel)])
        spendableText =
            child.contract == nil
            ? child.spendablePoints.map { t("{points} to spend", ["points": formatter.points($0)]) } : nil
        contractID = child.contract?.id.description ?? ""
        goal = Self.goal(child, t, formatter)
        celebration = Self.celebration(child, t)
        celebratedRewards = (child.contract?.levels ?? []).filter(\.isReached).map(\.reward)
            .joined(separator: "\n")
        savingGoal = SavingGoalView(child, offersPurchase: true, t, formatter)
    }

    private static func goal(_ child: Child, _ t: Translator, _ formatter: FamilyFormatter) -> String {
        guard let contract = child.contract else {
            return t("Every chore counts. Rewards come with the next contract.")
        }
        guard let next = contract.levels.first(where: { !$0.isReached }) else { return t("All rewards reached!") }
        let missing = formatter.points(max(0, next.threshold - contract.gainedPoints))
        return t("{n} to go: {reward}", ["n": missing, "reward": next.reward])
    }

    private static func celebration(_ child: Child, _ t: Translator) -> String {
        guard let reached = child.contract?.levels.last(where: \.isReached) else { return "" }
        let isLast = reached.number == child.contract?.levels.count
        let headline = isLast ? t("All levels reached!") : t("Level {n} reached!")
        return Translator.filled(headline, ["n": String(reached.number)]) + "\n" + reached.reward
    }
}

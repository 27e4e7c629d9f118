import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The dashboard of a child.
struct ChildDashboardPage: Sendable {
    let shell: Shell
    let t: FamilyChildPageStrings
    let hello: String
    let me: ChildDashboardCard?
    let siblings: [ChildDashboardCard]
    let hasSiblings: Bool

    init(_ context: SignedInContext, _ children: [Child], formatter: FamilyFormatter) {
        let words = context.familyStrings
        t = words.child.my
        shell = Shell(
            context, title: words.common.family, menu: .family(words, for: context.account),
            tab: FamilyTab.family.rawValue, isRefreshable: true
        )
        let own = children.first { $0.id == context.actor.person }
        hello = FamilyStrings.fill(words.child.my.hello, ["name": own?.name ?? context.account.name])
        me = own.map { ChildDashboardCard($0, words, formatter) }
        siblings = children.filter { $0.id != context.actor.person }.map { ChildDashboardCard($0, words, formatter) }
        hasSiblings = !siblings.isEmpty
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
    let level: Int
    /// The text about the next level.
    let goal: String
    let contractID: String
    let celebration: String

    init(_ child: Child, _ words: FamilyStrings, _ formatter: FamilyFormatter) {
        let t = words.child.my
        childID = child.id.description
        childURL = FamilyPath.child(child.id)
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        initial = child.name.first.map(String.init) ?? ""
        hasContract = child.contract != nil
        gained = String(child.gainedPoints)
        maximum = String(child.contract?.maxPoints ?? 0)
        gainedText = FamilyStrings.fill(
            words.dashboard.gained,
            ["n": formatter.number(child.gainedPoints), "max": formatter.number(child.contract?.maxPoints ?? 0)])
        achievementText = FamilyStrings.fill(
            words.dashboard.inAll, ["n": formatter.number(child.achievementPoints)])
        level = child.prizeLevel
        levelText = FamilyStrings.fill(t.stars, ["n": String(child.prizeLevel)])
        contractID = child.contract?.id.description ?? ""
        goal = Self.goal(child, t, formatter)
        celebration = Self.celebration(child, t)
    }

    private static func goal(_ child: Child, _ t: FamilyChildPageStrings, _ formatter: FamilyFormatter) -> String {
        guard let contract = child.contract else { return t.noContract }
        guard let next = contract.levels.first(where: { !$0.isReached }) else { return t.allReached }
        let missing = formatter.points(max(0, next.threshold - contract.gainedPoints))
        return FamilyStrings.fill(t.goal, ["n": missing, "reward": next.reward])
    }

    private static func celebration(_ child: Child, _ t: FamilyChildPageStrings) -> String {
        guard let reached = child.contract?.levels.last(where: \.isReached) else { return "" }
        let isLast = reached.number == child.contract?.levels.count
        let headline = isLast ? t.celebrateAll : t.celebrate
        return FamilyStrings.fill(headline, ["n": String(reached.number)]) + "\n" + reached.reward
    }
}

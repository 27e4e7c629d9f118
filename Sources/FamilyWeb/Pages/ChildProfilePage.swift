import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// A child's own page, or a sibling's, which has no actions.
struct ChildProfilePage: Sendable {
    let shell: Shell
    let t: FamilyChildPageStrings
    let isMine: Bool
    let card: ChildDashboardCard
    let surplus: String?
    let descriptionText: String?
    let rewardsTitle: String
    let rewards: [ChildLevelView]
    let hasRewards: Bool
    let chores: [ChildChoreView]
    let hasChores: Bool
    let requestsURL: String
    let finishedTitle: String
    let finished: [ChildAssignmentView]
    let hasFinished: Bool
    let allURL: String?

    init(_ context: SignedInContext, _ details: ChildDetails, formatter: FamilyFormatter) {
        let child = details.child
        let words = context.familyStrings
        let t = words.child.my
        let isMine = context.actor.person == child.id
        self.t = t
        self.isMine = isMine
        shell = Shell(
            context, title: child.name, menu: .family(words, for: context.account), tab: FamilyTab.family.rawValue,
            isLargeTitle: false, isRefreshable: true,
            back: ShellBack(url: FamilyPath.root, label: words.common.family)
        )
        card = ChildDashboardCard(child, words, formatter)
        let above = child.contract?.surplusPoints ?? 0
        surplus = above > 0 ? FamilyStrings.fill(words.profile.surplus, ["n": formatter.points(above)]) : nil
        descriptionText = child.contract?.description
        rewardsTitle = isMine ? t.rewards : t.rewardsOf
        rewards =
            child.contract.map { contract in
                contract.levels.map { ChildLevelView($0, of: contract, isMine: isMine, t, formatter) }
            } ?? []
        hasRewards = !rewards.isEmpty
        let waiting = details.requests.reduce(into: [:]) { $0[$1.choreID] = $1 }
        chores = details.chores.map { ChildChoreView($0, waiting: waiting[$0.id], words) }
        hasChores = !chores.isEmpty
        requestsURL = FamilyPath.requests(of: child.id)
        finishedTitle = t.doneBy
        finished = details.assignments.items.map { ChildAssignmentView($0, words, formatter) }
        hasFinished = !finished.isEmpty
        allURL = details.assignments.next == nil ? nil : FamilyPath.assignments(of: child.id)
    }
}

/// A level of the present contract, for children.
struct ChildLevelView: Sendable {
    let levelNumber: String
    let reward: String
    let isReached: Bool
    let isHandedOver: Bool
    let note: String

    init(
        _ level: RewardLevel, of contract: Contract, isMine: Bool, _ t: FamilyChildPageStrings,
        _ formatter: FamilyFormatter
    ) {
        levelNumber = FamilyStrings.fill(t.stars, ["n": String(level.number)])
        reward = level.reward
        isReached = level.isReached
        isHandedOver = level.handedOverAt != nil
        let missing = formatter.points(max(0, level.threshold - contract.gainedPoints))
        if isHandedOver {
            note = isMine ? t.handedOver : t.handedOverOther
        } else if isReached {
            note = isMine ? t.waiting : FamilyStrings.fill(t.reachedAt, ["n": formatter.points(level.threshold)])
        } else {
            let togo = FamilyStrings.fill(t.togo, ["n": missing])
            note = level.wasLost ? "\(t.lost) · \(togo)" : togo
        }
    }
}

/// A chore for which a child can request points.
struct ChildChoreView: Sendable {
    let choreID: String
    let choreName: String
    let choreURL: String
    let isWaiting: Bool
    let askLabel: String
    /// The address that withdraws the request; empty without one.
    let withdrawURL: String
    let withdrawText: String
    let withdrawLabel: String

    init(_ chore: Chore, waiting request: ChoreRequest?, _ words: FamilyStrings) {
        choreID = chore.id.description
        choreName = chore.name
        choreURL = FamilyPath.picture(chore.pictureID, size: .medium)
        isWaiting = request != nil
        askLabel = FamilyStrings.fill(words.child.my.askLabel, ["chore": chore.name])
        withdrawURL = request.map { FamilyPath.request($0.id, of: $0.childID) + "?_method=delete" } ?? ""
        withdrawText = words.parents.withdrawRequest
        withdrawLabel = FamilyStrings.fill(words.parents.withdrawRequestLabel, ["chore": chore.name])
    }
}

/// An assignment, for children.
struct ChildAssignmentView: Sendable {
    let finishedID: String
    let choreName: String
    let choreURL: String
    let pointsText: String
    let isUndone: Bool
    let undoneText: String
    let moment: FamilyMoment

    init(_ assignment: Assignment, _ words: FamilyStrings, _ formatter: FamilyFormatter) {
        finishedID = assignment.id.description
        choreName = assignment.name
        choreURL = FamilyPath.picture(assignment.pictureID, size: .small)
        pointsText = FamilyStrings.fill(words.profile.plus, ["n": String(assignment.points)])
        isUndone = assignment.reversedAt != nil
        undoneText = words.profile.undone
        moment = FamilyMoment(assignment.at, formatter)
    }
}

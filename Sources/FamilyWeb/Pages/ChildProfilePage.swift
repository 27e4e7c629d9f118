import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// A child's own page, or a sibling's, which has no actions.
struct ChildProfilePage: Sendable {
    let shell: Shell
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
        let t = context.t
        let isMine = context.actor.person == child.id
        self.isMine = isMine
        shell = Shell(
            context, title: child.name, menu: .family(context.t, for: context.account), tab: FamilyTab.family.rawValue,
            isLargeTitle: false, isRefreshable: true,
            back: ShellBack(url: FamilyPath.root, label: context.t("Family"))
        )
        card = ChildDashboardCard(child, context.t, formatter)
        let above = child.contract?.surplusPoints ?? 0
        surplus = above > 0 ? formatter.surplus(above) : nil
        descriptionText = child.contract?.description
        rewardsTitle = isMine ? t("My rewards") : t("Rewards")
        rewards =
            child.contract.map { contract in
                contract.levels.map { ChildLevelView($0, of: contract, isMine: isMine, t, formatter) }
            } ?? []
        hasRewards = !rewards.isEmpty
        let waiting = details.requests.reduce(into: [:]) { $0[$1.choreID] = $1 }
        let declined = details.declined.reduce(into: [:]) { $0[$1.choreID] = $1 }
        chores = details.chores.map {
            ChildChoreView(
                $0, waiting: waiting[$0.id], declinedText: declined[$0.id].map(formatter.declined),
                isDoneToday: details.doneToday.contains($0.id), context.t, formatter
            )
        }
        hasChores = !chores.isEmpty
        requestsURL = FamilyPath.requests(of: child.id)
        finishedTitle = t("Finish chores")
        finished = details.assignments.items.map { ChildAssignmentView($0, context.t, formatter) }
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
        _ level: RewardLevel, of contract: Contract, isMine: Bool, _ t: Translator,
        _ formatter: FamilyFormatter
    ) {
        levelNumber = t("Level {n}", ["n": String(level.number)])
        reward = level.reward
        isReached = level.isReached
        isHandedOver = level.handedOverAt != nil
        let missing = formatter.points(max(0, level.threshold - contract.gainedPoints))
        if isHandedOver {
            note = isMine ? t("You have it") : t("Handed over")
        } else if isReached {
            note = isMine ? t("Ask for it!") : t("at {n}", ["n": formatter.points(level.threshold)])
        } else {
            let togo = t("{n} to go", ["n": missing])
            note = level.wasLost ? [t("Lost again"), togo].isolated(separator: " · ") : togo
        }
    }
}

/// A chore for which a child can request points.
struct ChildChoreView: Sendable {
    let choreID: String
    let choreName: String
    let choreURL: String
    let isWaiting: Bool
    /// The reason for which the last request was declined; `nil` if it wasn't.
    let declinedText: String?
    /// Whether the child got points for it today. It can report it again.
    let isDoneToday: Bool
    /// When its points are given automatically; `nil` if a parent has to decide.
    let automaticMoment: FormattedTime?
    let askLabel: String
    /// The page with the steps or the photo field; `nil` if one tap is enough, or while a request waits.
    let doneURL: String?
    /// The address that withdraws the request; empty without one.
    let withdrawURL: String
    let withdrawText: String
    let withdrawLabel: String

    init(
        _ chore: Chore, waiting request: ChoreRequest?, declinedText: String?, isDoneToday: Bool, _ t: Translator,
        _ formatter: FamilyFormatter
    ) {
        choreID = chore.id.description
        choreName = chore.name
        choreURL = FamilyPath.picture(chore.pictureID, size: .medium)
        isWaiting = request != nil
        self.declinedText = request == nil ? declinedText : nil
        self.isDoneToday = isDoneToday && request == nil && declinedText == nil
        automaticMoment = request?.automaticAt.map { FormattedTime($0, formatter.times) }
        askLabel = t("I have done “{chore}”", ["chore": chore.name])
        doneURL = chore.needsProof && request == nil ? FamilyPath.done(chore.id) : nil
        withdrawURL = request.map { FamilyPath.request($0.id, of: $0.childID) + "?_method=delete" } ?? ""
        withdrawText = t("Take back")
        withdrawLabel = t("Take back: I haven’t done “{chore}”", ["chore": chore.name])
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
    let moment: FormattedTime

    init(_ assignment: Assignment, _ t: Translator, _ formatter: FamilyFormatter) {
        finishedID = assignment.id.description
        choreName = assignment.name
        choreURL = FamilyPath.picture(assignment.pictureID, size: .small)
        pointsText = t("+{n}", ["n": String(assignment.points)])
        isUndone = assignment.reversedAt != nil
        undoneText = t("Undone")
        moment = FormattedTime(assignment.at, formatter.times)
    }
}

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

/// A child's own page, or a sibling's, which has no actions.
struct ChildProfilePage: Sendable {
    static let finishedShown = 10

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

    init(
        _ context: SignedInContext, _ child: Child, finished page: FamilyPage<Assignment>, chores: [Chore],
        requests: [ChoreRequest], formatter: FamilyFormatter
    ) {
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
        let waiting = requests.reduce(into: [:]) { $0[$1.choreID] = $1 }
        self.chores = chores.map { ChildChoreView($0, waiting: waiting[$0.id], words) }
        hasChores = !chores.isEmpty
        requestsURL = FamilyPath.requests(of: child.id)
        finishedTitle = t.doneBy
        finished = page.items.map { ChildAssignmentView($0, words, formatter) }
        hasFinished = !finished.isEmpty
        allURL = page.next == nil ? nil : FamilyPath.assignments(of: child.id)
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

struct ChildAccountPage: Sendable {
    let shell: Shell
    let t: FamilyChildPageStrings
    let menu: ActionMenu
    let myName: String
    let myTheme: String
    let avatarURL: String?
    let initial: String
    let birthText: String
    let birthLabel: String
    let themeText: String
    let editURL: String
    let devicesURL: String
    let parents: [ChildParentView]
    let hasParents: Bool

    init(_ context: SignedInContext, _ child: Child, parents: [Member], formatter: FamilyFormatter) {
        let words = context.familyStrings
        t = words.child.my
        let menu = ActionMenu(words.account.menu, [.signOut(words)])
        self.menu = menu
        shell = Shell(
            context, title: words.account.title, menu: .family(words, for: context.account),
            tab: FamilyTab.account.rawValue, isRefreshable: true,
            action: ShellAction(
                label: words.child.my.menu, icon: "plus", url: FamilyPath.menu + "?for=account",
                sheetID: ActionMenu.sheetID)
        )
        myName = child.name
        myTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        initial = child.name.first.map(String.init) ?? ""
        birthText = formatter.date(child.dateOfBirth)
        birthLabel = words.person.dateOfBirth
        themeText = words.child.looks.themes[child.theme] ?? child.theme
        editURL = FamilyPath.editAccount
        devicesURL = FamilyPath.devices(of: child.id)
        self.parents = parents.map { member in
            ChildParentView(
                parentName: member.name,
                parentAvatarURL: member.avatarPictureID.map { FamilyPath.picture($0, size: .small) })
        }
        hasParents = !parents.isEmpty
    }
}

/// The profile of a parent, for children.
struct ChildParentView: Sendable {
    let parentName: String
    let parentAvatarURL: String?
}

/// The page with which a child edits its own profile.
struct ChildEditPage: Sendable {
    static let formID = "my-form"

    let shell: Shell
    let t: FamilyChildPageStrings
    let formURL: String
    let problem: String?
    let version: String
    let nameLabel: String
    let nameValue: String
    let nameError: String
    let isNameInvalid: Bool
    let birthLabel: String
    let birthValue: String
    let birthError: String
    let isBirthInvalid: Bool
    let update: String
    let looks: AppearancePicker

    init(_ context: SignedInContext, typed: MyProfileFormState, error: AppError?) {
        let words = context.familyStrings
        t = words.child.my
        let errors = FormErrors(error)
        shell = Shell(
            context, title: words.child.my.editTitle, menu: .family(words, for: context.account), isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: FamilyPath.account, label: words.common.cancel, isCancel: true)
        )
        formURL = FamilyPath.child(context.actor.person) + "?_method=patch"
        problem = errors.message
        version = typed.version
        nameLabel = words.person.name
        nameValue = typed.name
        nameError = errors["name"] ?? ""
        isNameInvalid = !nameError.isEmpty
        birthLabel = words.person.dateOfBirth
        birthValue = typed.dateOfBirth
        birthError = errors["dateOfBirth"] ?? ""
        isBirthInvalid = !birthError.isEmpty
        update = words.common.update
        looks = AppearancePicker(context, theme: typed.theme, avatar: typed.avatar, errors: errors)
    }
}

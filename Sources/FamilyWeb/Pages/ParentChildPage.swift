import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// A child's profile for a parent.
struct ParentChildPage: Sendable {
    let shell: Shell
    let menu: ActionMenu
    let id: String
    let profileURL: String
    let dashboardURL: String
    let heroAvatarURL: String?
    let themeID: String
    let childName: String
    /// `nil` unless the child shares its position with the reader.
    let positionLink: PositionLink?
    let bornText: String
    let editURL: String
    let assignURL: String
    let hasContract: Bool
    let gainedText: String
    /// `18`, which the child can spend in the shop: shown without a contract.
    let spendableNumber: String
    let inAllText: String
    let levelText: String
    let contract: ContractView?
    let noContractText: String
    let newContractURL: String
    let contractsURL: String
    let requests: [RequestRow]
    let hasRequests: Bool
    let finished: [AssignmentRow]
    let hasFinished: Bool
    let noneFinishedText: String
    /// The address of the list of all assignments; `nil` if the page shows all.
    let allFinishedURL: String?
    let purchasesURL: String
    /// `18 points to spend`.
    let spendableText: String
    /// `nil` if the child doesn't save.
    let savingGoal: SavingGoalView?
    let devicesURL: String
    let devicesText: String
    let edit: PersonForm
    let deletion: ChildDeletion
    let assign: AssignForm

    init(
        _ context: SignedInContext, _ details: ChildDetails, isPositionShared: Bool, t: Translator,
        formatter: FamilyFormatter
    ) {
        let child = details.child
        let shell = Shell(
            context, title: child.name, menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, back: ShellBack(url: FamilyPath.root, label: t("Family")),
            action: .plus(t("Add"), url: FamilyPath.childMenu(child.id)),
            pane: ShellPane(url: FamilyPath.root, label: t("Family"))
        )
        let key = shell.idempotencyKey
        self.shell = shell
        menu = .profile(child.id, t)
        id = child.id.description
        profileURL = FamilyPath.child(child.id)
        dashboardURL = FamilyPath.root
        heroAvatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        themeID = child.theme
        childName = child.name
        positionLink = isPositionShared ? PositionLink(of: child.id, name: child.name, t) : nil
        bornText = t("Born on {date}", ["date": formatter.date(child.dateOfBirth)])
        editURL = FamilyPath.editChild(child.id)
        assignURL = FamilyPath.newAssignments(of: child.id)
        hasContract = child.contract != nil
        gainedText = formatter.gained(child)
        spendableNumber = formatter.number(child.spendablePoints ?? 0)
        inAllText = formatter.number(child.achievementPoints)
        levelText = String(child.prizeLevel)
        contract = child.contract.map {
            ContractView($0, child: child.id, isParent: true, key: key, t: t, formatter: formatter)
        }
        noContractText = t(
            "Agree on points and rewards with {name}. Points can be spent in the shop in any case.",
            ["name": child.name])
        newContractURL = FamilyPath.newContract(of: child.id)
        contractsURL = FamilyPath.contracts(of: child.id)
        requests = details.requests.map { RequestRow($0, key: key, t: t, formatter: formatter) }
        hasRequests = !details.requests.isEmpty
        finished = details.assignments.items.map {
            AssignmentRow($0, child: child.id, isParent: true, key: key, t: t, formatter: formatter)
        }
        hasFinished = !details.assignments.items.isEmpty
        noneFinishedText = t("What {name} has done is shown here, with its points.", ["name": child.name])
        allFinishedURL = details.assignments.next.map { _ in FamilyPath.assignments(of: child.id) }
        purchasesURL = FamilyPath.purchases(of: child.id)
        spendableText = t("{points} to spend", ["points": formatter.points(child.spendablePoints ?? 0)])
        savingGoal = SavingGoalView(child, t, formatter)
        devicesURL = FamilyPath.devices(of: child.id)
        devicesText = formatter.devices(child.deviceCount ?? 0)
        edit = .child(
            child, context, typed: PersonFormState(child), isSheet: true, error: nil, key: context.newIdempotencyKey(),
            t: t)
        deletion = ChildDeletion(child, key: key, t: t)
        assign = AssignForm(
            context, child: child, chores: details.chores, typed: .nothing, isSheet: true, error: nil,
            key: context.newIdempotencyKey(), t: t, formatter: formatter)
    }
}

/// The list of a child's assignments.
struct AssignmentListPage: Sendable {
    let shell: Shell
    let finished: [AssignmentRow]
    let hasFinished: Bool
    let noneFinishedText: String
    let reloadURL: String
    let profileURL: String
    let moreURL: String?

    init(
        _ context: SignedInContext, _ entries: ChildEntries<Assignment>, after: String?, t: Translator,
        formatter: FamilyFormatter
    ) {
        let child = entries.child
        let page = entries.page
        let shell = Shell(
            context, title: t("Finish chores"), menu: .family(t, for: context.account),
            tab: FamilyTab.family.rawValue, isLargeTitle: false, isRefreshable: true,
            back: ShellBack(url: FamilyPath.child(child.id), label: child.name)
        )
        self.shell = shell
        let isParent = context.account.role == .adult
        finished = page.items.map {
            AssignmentRow(
                $0, child: child.id, isParent: isParent, key: shell.idempotencyKey, t: t, formatter: formatter)
        }
        hasFinished = !page.items.isEmpty
        noneFinishedText = t("What {name} has done is shown here, with its points.", ["name": child.name])
        let url = FamilyPath.assignments(of: child.id)
        reloadURL = url + (after.map { "?after=\(PercentEncoding.encoded($0))" } ?? "")
        profileURL = FamilyPath.child(child.id)
        moreURL = page.next.map { url + "?after=\(PercentEncoding.encoded($0))" }
    }
}

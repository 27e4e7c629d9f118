import Family
import Kernel
import Pictures
import WebCore

/// The row that leads to ``WaitingRequestsPage``.
struct WaitingRequestsRow: Sendable {
    let requestsURL: String
    /// `3 chores to approve`.
    let requestsNote: String

    /// Returns `nil` unless several requests are open: a single one is decided where it is shown.
    init?(_ count: Int, _ t: Translator) {
        guard count > 1 else { return nil }
        requestsURL = FamilyPath.waiting
        requestsNote = t("{n} chore to approve", plural: "{n} chores to approve", count: count)
    }
}

/// The page of the open requests of all children, where a parent approves several at once.
struct WaitingRequestsPage: Sendable {
    let shell: Shell
    let groups: [WaitingRequestsGroup]
    let isEmpty: Bool
    let approvalsURL: String
    let choices: [PointsChoice]
    let idempotencyKey: String
    let reloadURL: String
    let moreURL: String?

    init(_ context: SignedInContext, _ waiting: WaitingRequests, after: String?, formatter: FamilyFormatter) {
        let t = context.t
        shell = Shell(
            context, title: t("Waiting for points"), menu: .family(t, for: context.account),
            tab: FamilyTab.family.rawValue, isRefreshable: true,
            back: ShellBack(url: FamilyPath.root, label: t("Family")))
        let key = shell.idempotencyKey
        groups = waiting.children.map { child in
            WaitingRequestsGroup(
                child,
                waiting.page.items.filter { $0.childID == child.id }.map {
                    RequestRow($0, key: key, from: RequestRow.waiting, t: t, formatter: formatter)
                })
        }
        isEmpty = groups.isEmpty
        approvalsURL = FamilyPath.approvals
        choices = Limits.chorePoints.map { points in
            PointsChoice(
                pointsValue: points,
                choiceLabel: t("Give {points} for each chosen chore", ["points": formatter.points(points)]))
        }
        idempotencyKey = key
        func page(_ after: String) -> String { FamilyPath.waiting + "?after=\(PercentEncoding.encoded(after))" }
        reloadURL = after.map(page) ?? FamilyPath.waiting
        moreURL = waiting.page.next.map(page)
    }
}

/// The requests of one child.
struct WaitingRequestsGroup: Sendable {
    let childID: String
    let childName: String
    let childTheme: String
    let groupAvatarURL: String?
    let requests: [RequestRow]

    init(_ child: Member, _ requests: [RequestRow]) {
        childID = child.id.description
        childName = child.name
        childTheme = child.theme
        groupAvatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        self.requests = requests
    }
}

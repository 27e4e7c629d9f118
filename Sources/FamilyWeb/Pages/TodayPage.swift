import Accounts
import Family
import Kernel
import Pictures
import Recurrence
import WebCore

/// The row about today on the dashboards of parents and children.
struct TodayRow: Sendable {
    let todayURL: String
    /// `1 overdue, 2 due, 1 waiting`.
    let todayNote: String

    /// Returns `nil` if no chore has a schedule.
    init?(_ today: FamilyToday, _ t: Translator) {
        guard today.hasSchedules else { return nil }
        todayURL = FamilyPath.today
        let overdue = today.count(.overdue)
        let due = today.count(.due)
        let waiting = today.count(.waiting)
        let parts = [
            overdue == 0 ? nil : t("{n} overdue", plural: "{n} overdue", count: overdue),
            due == 0 ? nil : t("{n} due", plural: "{n} due", count: due),
            waiting == 0 ? nil : t("{n} waiting", plural: "{n} waiting", count: waiting),
        ].compactMap(\.self)
        todayNote = parts.isEmpty ? t("Everything is done") : parts.joined(separator: ", ")
    }
}

/// The page *Today*.
struct TodayPage: Sendable {
    let shell: Shell
    let isParent: Bool
    let dateText: String
    let groups: [TodayGroup]
    let isEmpty: Bool
    let accountURL: String

    init(_ context: SignedInContext, _ today: FamilyToday, formatter: FamilyFormatter) {
        let t = context.t
        let schedules = ScheduleFormatter(context)
        shell = Shell(
            context, title: t("Today"), menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, back: ShellBack(url: FamilyPath.root, label: t("Family")))
        isParent = !context.isChild
        dateText = t(
            "{weekday}, {date}",
            ["weekday": schedules.weekday(today.date.weekday), "date": schedules.date(today.date)])
        let key = shell.idempotencyKey
        let isParent = isParent
        groups = today.children.compactMap { child in
            let entries = today.entries.filter { $0.childID == child.id }
            guard !entries.isEmpty else { return nil }
            let views = entries.map {
                TodayEntryView(
                    $0, today: today.date, isParent: isParent, key: key, t: t, formatter: formatter, schedules)
            }
            return TodayGroup(child, views)
        }
        isEmpty = groups.isEmpty
        accountURL = FamilyPath.account
    }
}

/// The entries of one child.
struct TodayGroup: Sendable {
    let childID: String
    let childURL: String
    let childName: String
    let childTheme: String
    let groupAvatarURL: String?
    let entries: [TodayEntryView]
    let hasEntries: Bool
    let nextEntries: [TodayEntryView]
    let hasNext: Bool

    init(_ child: Member, _ views: [TodayEntryView]) {
        childID = child.id.description
        childURL = FamilyPath.child(child.id)
        childName = child.name
        childTheme = child.theme
        groupAvatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        entries = views.filter { !$0.isNext }
        hasEntries = !entries.isEmpty
        nextEntries = views.filter(\.isNext)
        hasNext = !nextEntries.isEmpty
    }
}

/// An entry of the page.
struct TodayEntryView: Sendable {
    let entryID: String
    let choreName: String
    let chorePictureURL: String
    /// When it is or was due; `nil` for none.
    let entryNote: String?
    let isOverdue: Bool
    let isWaiting: Bool
    let isDone: Bool
    let isNext: Bool
    /// `+2` for what is done.
    let pointsText: String
    let choreID: String
    let occurrence: String
    /// The address that gives points; `nil` unless a parent can give them.
    let giveURL: String?
    /// The buttons of ``giveURL``, or of the request's approval.
    let choices: [PointsChoice]
    /// The address that asks for points; `nil` unless the child can.
    let askURL: String?
    let askLabel: String
    let askedMoment: FormattedTime?
    let requestURL: String
    /// The address that gives the points of a request; `nil` unless a parent can.
    let approvalURL: String?
    let declineLabel: String
    /// The address that withdraws the child's request; `nil` unless the reader is the child.
    let withdrawURL: String?
    let withdrawLabel: String
    let idempotencyKey: String

    init(
        _ entry: TodayEntry, today: LocalDate, isParent: Bool, key: String, t: Translator, formatter: FamilyFormatter,
        _ schedules: ScheduleFormatter
    ) {
        let day = entry.date?.text ?? entry.request?.id.description ?? ""
        entryID = "\(entry.childID)-\(entry.choreID?.description ?? "")-\(day)-\(entry.state.rawValue)"
        choreName = entry.name
        chorePictureURL = FamilyPath.picture(entry.pictureID, size: .small)
        entryNote = schedules.note(entry, today: today)
        isOverdue = entry.state == .overdue
        isWaiting = entry.state == .waiting
        isDone = entry.state == .done
        isNext = entry.state == .next
        pointsText = entry.points.map { t("+{n}", ["n": String($0)]) } ?? ""
        choreID = entry.choreID?.description ?? ""
        occurrence = entry.date?.text ?? ""
        let isOpen = entry.state == .overdue || entry.state == .due
        giveURL = isParent && isOpen ? FamilyPath.assignments(of: entry.childID) : nil
        choices = Limits.chorePoints.map { points in
            PointsChoice(
                pointsValue: points,
                choiceLabel: t(
                    "Give {points} for “{chore}”", ["points": formatter.points(points), "chore": entry.name]))
        }
        askURL = !isParent && isOpen ? FamilyPath.requests(of: entry.childID) : nil
        askLabel = t("I have done “{chore}”", ["chore": entry.name])
        askedMoment = entry.request.map { FormattedTime($0.at, formatter.times) }
        let url = entry.request.map { FamilyPath.request($0.id, of: $0.childID) } ?? ""
        requestURL = url
        approvalURL = isParent && isWaiting ? url + "/approval" : nil
        withdrawURL = isWaiting ? url + "?_method=delete" : nil
        declineLabel = t("Decline “{chore}”", ["chore": entry.name])
        withdrawLabel = t("Take back: I haven’t done “{chore}”", ["chore": entry.name])
        idempotencyKey = key
    }
}

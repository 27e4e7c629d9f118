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
            today.swapCount == 0
                ? nil : t("{n} swap is waiting", plural: "{n} swaps are waiting", count: today.swapCount),
        ].compactMap(\.self)
        todayNote = parts.isEmpty ? t("Everything is done") : parts.isolated(separator: ", ")
    }
}

/// The page *Today*.
struct TodayPage: Sendable {
    let shell: Shell
    let isParent: Bool
    let dateText: String
    /// When the page changes by itself.
    let changesAt: String
    /// What the first child can claim; `nil` without any.
    let claimable: TodayGroup?
    let groups: [TodayGroup]
    let isEmpty: Bool
    /// `nil` for a child, and unless several requests are open.
    let requestsRow: WaitingRequestsRow?
    let pausesURL: String
    let swapsURL: String
    /// `1 swap is waiting`; `nil` without any.
    let swapsText: String?
    let choresURL: String

    init(_ context: SignedInContext, _ today: FamilyToday, formatter: FamilyFormatter) {
        let t = context.t
        let schedules = ScheduleFormatter(context)
        shell = Shell(
            context, title: t("Today"), menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, back: ShellBack(url: FamilyPath.root, label: t("Family")))
        isParent = !context.isChild
        changesAt = today.changesAt.rfc3339
        dateText = schedules.fullDate(today.date)
        let isParent = isParent
        let reader = isParent ? nil : context.actor.person
        let children = today.children
        func views(_ child: PersonID?) -> [TodayEntryView] {
            today.entries.filter { $0.childID == child }.map {
                TodayEntryView(
                    $0, declined: today.declined(for: $0),
                    needsProof: today.needsProof($0), today: today.date,
                    reader: reader, children: children, t: t, formatter: formatter, schedules)
            }
        }
        let anyones = views(nil)
        claimable = anyones.isEmpty ? nil : TodayGroup(nil, anyones, pause: nil)
        groups = today.children.compactMap { child in
            let pause = schedules.pause(of: child.id, today)
            let entries = views(child.id)
            return entries.isEmpty && pause == nil
                ? nil
                : TodayGroup(
                    child, entries, pause: pause, streak: StreakText.of(today.streakDays(of: child.id), t))
        }
        isEmpty = groups.isEmpty && claimable == nil
        pausesURL = FamilyPath.pauses
        swapsURL = FamilyPath.swaps
        swapsText =
            today.swapCount == 0
            ? nil : t("{n} swap is waiting", plural: "{n} swaps are waiting", count: today.swapCount)
        requestsRow = isParent ? WaitingRequestsRow(today.count(.waiting), t) : nil
        choresURL = FamilyPath.chores
    }
}

/// The entries of one child, or those that the first child can claim.
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

    /// `Pause until 14 March 2026`; `nil` without a pause.
    let pauseText: String?
    /// `5 days in a row`; `nil` for less than two.
    let streakText: String?

    init(_ child: Member?, _ views: [TodayEntryView], pause: String?, streak: String? = nil) {
        childID = child?.id.description ?? "anyone"
        childURL = child.map { FamilyPath.child($0.id) } ?? ""
        childName = child?.name ?? ""
        childTheme = child?.theme ?? ""
        groupAvatarURL = child?.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        entries = views.filter { !$0.isNext }
        hasEntries = !entries.isEmpty
        nextEntries = views.filter(\.isNext)
        hasNext = !nextEntries.isEmpty
        pauseText = pause
        streakText = streak
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
    /// `3 points`; `nil` without points that were promised.
    let offerText: String?
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
    /// The page with the steps or the photo field of the chore, instead of ``askURL``.
    let doneURL: String?
    let askLabel: String
    let askedMoment: FormattedTime?
    /// When its points are given automatically; `nil` if a parent has to decide.
    let automaticMoment: FormattedTime?
    let declinePageURL: String
    /// The reason for which the child's last request was declined; `nil` if it wasn't.
    let declinedText: String?
    /// The address that gives the points of a request; `nil` unless a parent can.
    let approvalURL: String?
    let declineLabel: String
    /// The address that withdraws the child's request; `nil` unless the reader is the child.
    let withdrawURL: String?
    let withdrawLabel: String
    /// The children who can claim it, for a parent; the child itself, for a child.
    let claims: [ClaimView]
    let hasClaims: Bool
    /// The address that gives a claimed occurrence back; `nil` for others.
    let releaseURL: String?
    let releaseLabel: String
    /// The address at which the child asks for a swap of its turn; `nil` unless it can.
    let swapURL: String?
    let swapLabel: String

    /// - Parameters:
    ///   - reader: the child that reads the page; `nil` for a parent.
    ///   - children: the children whom the reader sees.
    init(
        _ entry: TodayEntry, declined: DeclinedRequest?, needsProof: Bool, today: LocalDate, reader: PersonID?,
        children: [Member], t: Translator,
        formatter: FamilyFormatter, _ schedules: ScheduleFormatter
    ) {
        let isParent = reader == nil
        let day = entry.date?.text ?? entry.request?.id.description ?? ""
        entryID =
            "\(entry.childID?.description ?? "anyone")-\(entry.choreID?.description ?? "")-\(day)-\(entry.state.rawValue)"
        choreName = entry.name
        chorePictureURL = FamilyPath.picture(entry.pictureID, size: .small)
        entryNote = schedules.note(entry, today: today)
        isOverdue = entry.state == .overdue
        offerText = entry.offeredPoints.map(formatter.points)
        isWaiting = entry.state == .waiting
        isDone = entry.state == .done
        isNext = entry.state == .next
        pointsText = entry.points.map { t("+{n}", ["n": String($0)]) } ?? ""
        choreID = entry.choreID?.description ?? ""
        occurrence = entry.date?.text ?? ""
        let isOpen = entry.isOpen
        giveURL = isParent && isOpen ? entry.childID.map(FamilyPath.assignments) : nil
        // Labels are written only for what is shown: a page can have hundreds of entries.
        let isDecided = !isParent || !(isOpen || isWaiting)
        choices = (isDecided ? [] : Array(Limits.chorePoints)).map { points in
            PointsChoice(
                pointsValue: points,
                choiceLabel: t(
                    "Give {points} for “{chore}”", ["points": formatter.points(points), "chore": entry.name]),
                isOffered: entry.offeredPoints == points)
        }
        askURL = isOpen && !needsProof ? reader.map(FamilyPath.requests) : nil
        doneURL =
            if reader != nil, isOpen, needsProof, let chore = entry.choreID {
                FamilyPath.done(chore) + "?occurrence=\(entry.date?.text ?? "")&from=\(RequestRow.today)"
            } else {
                nil
            }
        askLabel = t("I have done “{chore}”", ["chore": entry.name])
        askedMoment = entry.request.map { FormattedTime($0.at, formatter.times) }
        automaticMoment = entry.request?.automaticAt.map { FormattedTime($0, formatter.times) }
        let url = entry.request.map { FamilyPath.request($0.id, of: $0.childID) } ?? ""
        declinePageURL = entry.request.map { RequestRow.declinePage(of: $0, from: RequestRow.today) } ?? ""
        declinedText = declined.map(formatter.declined)
        approvalURL = isParent && isWaiting ? url + "/approval" : nil
        withdrawURL = isWaiting ? url + "?_method=delete" : nil
        declineLabel = t("Decline “{chore}”", ["chore": entry.name])
        withdrawLabel = t("Take back: I haven’t done “{chore}”", ["chore": entry.name])
        let claimants = isOpen ? children.filter { entry.candidates.contains($0.id) } : []
        claims = claimants.map { ClaimView($0, entry, isReader: $0.id == reader, t) }
        hasClaims = !claims.isEmpty
        releaseURL =
            if entry.isClaimed, isOpen, let child = entry.childID, let chore = entry.choreID, let date = entry.date {
                FamilyPath.turn(of: chore, on: date.text, for: child) + "?_method=delete"
            } else {
                nil
            }
        swapURL =
            if let reader, entry.isSwappable, isOpen || isNext, let chore = entry.choreID, let date = entry.date,
                date >= today
            {
                FamilyPath.newSwap(of: reader, chore, on: date.text)
            } else {
                nil
            }
        swapLabel = t("Swap “{chore}”", ["chore": entry.name])
        releaseLabel = t("Give back “{chore}”", ["chore": entry.name])
    }
}

/// A child who can claim an entry.
struct ClaimView: Sendable {
    let claimURL: String
    let claimText: String
    let claimLabel: String

    init(_ child: Member, _ entry: TodayEntry, isReader: Bool, _ t: Translator) {
        claimURL =
            if let chore = entry.choreID, let date = entry.date {
                FamilyPath.turn(of: chore, on: date.text, for: child.id) + "?_method=put"
            } else {
                ""
            }
        claimText = isReader ? t("I’ll do it") : child.name
        claimLabel =
            isReader
            ? t("I’ll do “{chore}”", ["chore": entry.name])
            : t("{name} does “{chore}”", ["name": child.name, "chore": entry.name])
    }
}

/// The text about a streak.
enum StreakText {
    private static let leastDays = 2

    /// Returns `5 days in a row`; `nil` for less than two.
    static func of(_ days: Int, _ t: Translator) -> String? {
        days < leastDays ? nil : t("{n} day in a row", plural: "{n} days in a row", count: days)
    }
}

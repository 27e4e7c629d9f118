import Accounts
import Family
import Kernel
import Pictures
import Recurrence
import WebCore

extension Shell {
    /// Returns the frame of a page on a shared tablet: no tabs, no bell, and nothing that leads elsewhere.
    static func tablet(_ context: SignedInContext, title: String, isLargeTitle: Bool, back: ShellBack?) -> Shell {
        Shell(
            context, title: title, menu: .familySignedOut(context.t), isLargeTitle: isLargeTitle, isRefreshable: true,
            hasTabs: false, back: back)
    }
}

/// The day of all children on a shared tablet.
struct TabletPage: Sendable {
    let shell: Shell
    let dateText: String
    /// When the page changes by itself.
    let changesAt: String
    let children: [TabletChildCard]
    let hasChildren: Bool
    /// The pictures of the picture PIN, which must be there without a connection; empty if no child has one.
    let keptPictures: [String]

    init(_ context: SignedInContext, _ day: TabletDay) {
        let t = context.t
        let schedules = ScheduleFormatter(context)
        let today = day.today
        shell = .tablet(context, title: t("Today"), isLargeTitle: true, back: nil)
        dateText = schedules.fullDate(today.date)
        changesAt = today.changesAt.rfc3339
        children = today.children.map { TabletChildCard($0, today, t) }
        hasChildren = !children.isEmpty
        keptPictures = day.withPicturePIN.isEmpty ? [] : PINPicture.all(t).map(\.pictureURL)
    }
}

/// A child on the page of all children: what is to do, and how much of it is done.
struct TabletChildCard: Sendable {
    private static let shownCount = 4

    let childID: String
    let childURL: String
    let childName: String
    let childTheme: String
    let avatarURL: String?
    let initial: String
    /// `2 of 5 done`; `nil` if nothing is planned.
    let progressText: String?
    let doneCount: String
    let totalCount: String
    let isAllDone: Bool
    let isPaused: Bool
    /// The first chores that are to do.
    let openChores: [TabletChore]
    /// `2 more`; `nil` if all are shown.
    let moreText: String?

    init(_ child: Member, _ today: FamilyToday, _ t: Translator) {
        childID = child.id.description
        childURL = FamilyPath.tabletChild(child.id)
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        initial = child.name.first.map(String.init) ?? ""
        let entries = today.entries.filter { $0.childID == child.id }
        let open = entries.filter(\.isOpen)
        let done = entries.count { $0.state == .waiting || $0.state == .done }
        let total = open.count + done
        isPaused = today.pause(of: child.id) != nil
        progressText =
            total == 0 ? nil : t("{n} of {m} done", ["n": String(done), "m": String(total)])
        doneCount = String(done)
        totalCount = String(total)
        let claimable = today.entries.filter { $0.isOpen && $0.childID == nil && $0.candidates.contains(child.id) }
        isAllDone = total > 0 && open.isEmpty && claimable.isEmpty
        let shown = open + claimable
        openChores = shown.prefix(Self.shownCount).map { TabletChore($0) }
        let rest = shown.count - openChores.count
        moreText = rest > 0 ? t("{n} more", ["n": String(rest)]) : nil
    }
}

/// A chore on the card of a child.
struct TabletChore: Sendable {
    let choreName: String
    let chorePictureURL: String
    let isOverdue: Bool
    let isForAnyone: Bool

    init(_ entry: TodayEntry) {
        choreName = entry.name
        chorePictureURL = FamilyPath.picture(entry.pictureID, size: .small)
        isOverdue = entry.state == .overdue
        isForAnyone = entry.childID == nil
    }
}

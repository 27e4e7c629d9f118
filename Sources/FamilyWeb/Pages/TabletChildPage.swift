import Family
import Kernel
import Pictures
import Recurrence
import WebCore

/// The day of one child on a shared tablet, where it reports its chores.
struct TabletChildPage: Sendable {
    /// The query of the page after pictures that were wrong.
    static let wrongPIN = "?pin=wrong"

    let shell: Shell
    let childID: String
    let childURL: String
    let childName: String
    let childTheme: String
    let avatarURL: String?
    let initial: String
    let tabletURL: String
    let changesAt: String
    /// The pad on which the child taps its pictures; `nil` without a picture PIN.
    let pad: PicturePad?
    let entries: [TabletEntryView]
    let hasEntries: Bool
    let nextEntries: [TabletEntryView]
    let hasNext: Bool
    let pauseText: String?
    let streakText: String?

    init(_ context: SignedInContext, _ day: TabletChildDay) {
        let t = context.t
        let schedules = ScheduleFormatter(context)
        let formatter = context.familyFormatter
        let (child, today) = (day.child, day.today)
        shell = .tablet(
            context, title: child.name, isLargeTitle: false,
            back: ShellBack(url: FamilyPath.tablet, label: t("Today")))
        childID = child.id.description
        childURL = FamilyPath.tabletChild(child.id)
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .medium) }
        initial = child.name.first.map(String.init) ?? ""
        tabletURL = FamilyPath.tablet
        changesAt = today.changesAt.rfc3339
        pad =
            day.hasPicturePIN
            ? PicturePad(child.id, isWrong: context.query("pin") == "wrong", t) : nil
        let views = today.entries.map {
            TabletEntryView(
                $0, of: child.id, declined: today.declined(for: $0),
                needsProof: today.needsProof($0), today: today.date, t, formatter,
                schedules)
        }
        entries = views.filter { !$0.isNext }
        hasEntries = !entries.isEmpty
        nextEntries = views.filter(\.isNext)
        hasNext = !nextEntries.isEmpty
        pauseText = schedules.pause(of: child.id, today)
        streakText = StreakText.of(today.streakDays(of: child.id), t)
    }
}

/// An entry of the page.
struct TabletEntryView: Sendable {
    let entryID: String
    let choreName: String
    let chorePictureURL: String
    let entryNote: String?
    let isOverdue: Bool
    let isNext: Bool
    let isWaiting: Bool
    let isDone: Bool
    /// `+2` for what is done.
    let pointsText: String
    /// `3 points`; `nil` without points that were promised.
    let offerText: String?
    let declinedText: String?
    let choreID: String
    let occurrence: String
    let personID: String
    /// The address that reports the chore; `nil` unless it can be reported here.
    let askURL: String?
    /// The page with its steps or the photo field, instead of ``askURL``.
    let doneURL: String?
    let askLabel: String
    let claimURL: String?
    let claimLabel: String
    let releaseURL: String?
    let releaseLabel: String
    let withdrawURL: String?
    let withdrawLabel: String

    init(
        _ entry: TodayEntry, of child: PersonID, declined: DeclinedRequest?, needsProof: Bool, today: LocalDate,
        _ t: Translator, _ formatter: FamilyFormatter, _ schedules: ScheduleFormatter
    ) {
        let day = entry.date?.text ?? entry.request?.id.description ?? ""
        entryID = "\(entry.choreID?.description ?? "")-\(day)-\(entry.state.rawValue)"
        choreName = entry.name
        chorePictureURL = FamilyPath.picture(entry.pictureID, size: .small)
        entryNote = schedules.note(entry, today: today)
        isOverdue = entry.state == .overdue
        isNext = entry.state == .next
        isWaiting = entry.state == .waiting
        isDone = entry.state == .done
        pointsText = entry.points.map { t("+{n}", ["n": String($0)]) } ?? ""
        offerText = entry.offeredPoints.map(formatter.points)
        declinedText = declined.map(formatter.declined)
        choreID = entry.choreID?.description ?? ""
        occurrence = entry.date?.text ?? ""
        personID = child.description
        let isOpen = entry.isOpen
        let isOwn = entry.childID == child
        askURL = isOpen && isOwn && !needsProof ? FamilyPath.tabletRequests(of: child) : nil
        doneURL =
            if isOpen, isOwn, needsProof, let chore = entry.choreID {
                FamilyPath.tabletDone(chore, of: child) + "?occurrence=\(entry.date?.text ?? "")"
            } else {
                nil
            }
        askLabel = t("I have done “{chore}”", ["chore": entry.name])
        let turn: String? =
            if let chore = entry.choreID, let date = entry.date {
                FamilyPath.tabletTurn(of: chore, on: date.text, for: child)
            } else {
                nil
            }
        claimURL = isOpen && entry.candidates.contains(child) ? turn.map { $0 + "?_method=put" } : nil
        claimLabel = t("I’ll do “{chore}”", ["chore": entry.name])
        releaseURL = isOpen && isOwn && entry.isClaimed ? turn.map { $0 + "?_method=delete" } : nil
        releaseLabel = t("Give back “{chore}”", ["chore": entry.name])
        withdrawURL =
            isWaiting
            ? entry.request.map { "\(FamilyPath.tabletRequests(of: child))/\($0.id)?_method=delete" } : nil
        withdrawLabel = t("Take back: I haven’t done “{chore}”", ["chore": entry.name])
    }
}

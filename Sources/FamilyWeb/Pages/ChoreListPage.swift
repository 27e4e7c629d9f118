import Family
import Kernel
import Pictures
import WebCore

/// The row that leads to ``ChoreListPage``.
struct ChoresRow: Sendable {
    let choresURL: String
    /// `5 chores, 2 not scheduled`.
    let choresNote: String

    /// Returns `nil` without chores.
    init?(_ counts: ChoreCounts, _ t: Translator) {
        guard counts.all > 0 else { return nil }
        choresURL = FamilyPath.chores
        let all = t("{n} chore", plural: "{n} chores", count: counts.all)
        choresNote =
            counts.unplanned == 0
            ? all
            : t(
                "{chores}, {n} not scheduled", plural: "{chores}, {n} not scheduled", count: counts.unplanned,
                ["chores": all])
    }
}

/// The chores with the days on which they are due and the children who do them.
struct ChoreListPage: Sendable {
    let shell: Shell
    let chores: [PlannedChoreRow]
    let hasChores: Bool
    let starterChoresURL: String
    let newChoreURL: String

    init(_ context: SignedInContext, _ plan: ChorePlan) {
        let t = context.t
        shell = Shell(
            context, title: t("Chores"), menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, back: ShellBack(url: FamilyPath.root, label: t("Family")),
            action: ShellAction(label: t("Choose chores"), icon: "plus", url: FamilyPath.starterChores))
        let names = Dictionary(plan.children.map { ($0.id, $0.name) }) { one, _ in one }
        let formatter = ScheduleFormatter(context)
        chores = plan.chores.map { chore in
            PlannedChoreRow(chore, plan.schedules[chore.id], names: names, t, formatter)
        }
        hasChores = !chores.isEmpty
        starterChoresURL = FamilyPath.starterChores
        newChoreURL = FamilyPath.newChore
    }
}

/// A chore with its days and children.
struct PlannedChoreRow: Sendable {
    let choreID: String
    let choreName: String
    let chorePictureURL: String
    let scheduleURL: String
    /// `Every day`; `nil` without a schedule.
    let daysText: String?
    /// `Mia, Ben`; `nil` without a schedule.
    let childrenText: String?

    init(
        _ chore: Chore, _ schedule: ChoreSchedule?, names: [PersonID: String], _ t: Translator,
        _ formatter: ScheduleFormatter
    ) {
        choreID = chore.id.description
        choreName = chore.name
        chorePictureURL = FamilyPath.picture(chore.pictureID, size: .small)
        scheduleURL = FamilyPath.schedule(of: chore.id) + "?from=\(ScheduleFormState.fromChores)"
        daysText = schedule.map(formatter.summary)
        childrenText = schedule.map { $0.children.compactMap { names[$0] }.isolated(separator: ", ") }
    }
}

import Accounts
import Kernel
import Recurrence
import Storage

/// Reads what is to do today, in the transaction of the caller.
struct TodayReader: Sendable {
    let accounts: AccountReader
    let occurrences: OccurrenceReader
    let streaks = StreakReader()

    /// Returns the occurrences of all children for a parent, and its own for a child.
    /// - Parameters:
    ///   - known: the household's calendar, if the caller has read it.
    ///   - requests: the household's open requests, if the caller has read them.
    func today(
        for householdActor: HouseholdActor, _ known: HouseholdCalendar? = nil, requests: [ChoreRequest]? = nil,
        now: Instant, in tx: Transaction
    ) throws -> FamilyToday {
        try today(
            of: try visibleChildren(for: householdActor, in: tx), household: householdActor.household, known,
            requests: requests, now: now, in: tx)
    }

    /// Returns the occurrences of children of one household. The caller has checked who sees them.
    func today(
        of children: [PersonID], household: ID<Household>, _ known: HouseholdCalendar? = nil,
        requests: [ChoreRequest]? = nil, now: Instant, in tx: Transaction
    ) throws -> FamilyToday {
        let calendar = try known ?? occurrences.calendar(of: household, now: now, in: tx)
        let visible = Set(children)
        let requests =
            try requests
            ?? RequestStore.page(
                of: children.count == 1 ? children[0] : nil, household: household, after: nil,
                limit: Limits.pageSizeMaximum, in: tx)
        let assignments = try AssignmentStore.occurrences(of: children, since: calendar.first, in: tx)
        var taken = OccurrenceKey.all(of: assignments)
        for request in requests {
            guard let date = request.occurrence else { continue }
            taken.insert(OccurrenceKey(child: request.childID, chore: request.choreID, date: date))
        }
        let coming = try calendar.comingTurns()
        let streaks = try self.streaks.streaks(
            of: children, in: household, zone: calendar.timeZone, now: now, in: tx)
        var entries: [TodayEntry] = []
        var changesAt = calendar.timeZone.instant(of: calendar.today.adding(days: 1), at: .midnight)
        for schedule in calendar.schedules {
            guard
                visible.contains(where: { calendar.children[schedule.id]?.contains($0) ?? false })
                    || schedule.distribution == .each
            else { continue }
            for occurrence in try calendar.occurrences(of: schedule) {
                let overdue = schedule.reminders.overdue(occurrence)
                let state: TodayEntry.State = overdue <= now ? .overdue : .due
                if overdue > now { changesAt = min(changesAt, overdue) }
                let doing = calendar.children(of: schedule, on: occurrence.date)
                if calendar.isClaimable(schedule, on: occurrence.date) {
                    guard doing.contains(where: visible.contains) else { continue }
                    entries.append(TodayEntry(state, schedule, candidates: doing, on: occurrence.date))
                    continue
                }
                for child in doing where visible.contains(child) {
                    let key = OccurrenceKey(child: child, chore: schedule.chore.id, date: occurrence.date)
                    if taken.contains(key) { continue }
                    entries.append(TodayEntry(state, schedule, child: child, on: occurrence.date))
                }
            }
            for (date, doing) in try calendar.next(of: schedule, coming, taken: taken)
            where doing.contains(where: visible.contains) {
                if schedule.distribution == .first {
                    entries.append(TodayEntry(.next, schedule, candidates: doing, on: date))
                } else {
                    entries += doing.filter(visible.contains).map { TodayEntry(.next, schedule, child: $0, on: date) }
                }
            }
        }
        let offers = Dictionary(
            calendar.schedules.filter(\.isPresent).compactMap { schedule in
                schedule.offeredPoints.map { (schedule.chore.id, $0) }
            }
        ) { one, _ in one }
        entries += requests.map { TodayEntry($0, offered: $0.occurrence == nil ? nil : offers[$0.choreID]) }
        entries += assignments.filter { _, done in
            done.occurrence == calendar.today || calendar.timeZone.date(at: done.at) == calendar.today
        }.map(TodayEntry.init)
        return FamilyToday(
            date: calendar.today, children: try members(children, in: tx), entries: entries.sorted(),
            pauses: calendar.pauses.filter { pause in
                children.contains { pause.applies(to: $0, on: calendar.today) }
            },
            streaks: streaks.until, activeChildren: streaks.active, changesAt: changesAt,
            hasSchedules: !calendar.schedules.isEmpty,
            needingProof: try ChoreStore.needingProof(of: household, in: tx),
            declined: try DeclinedRequestStore.all(
                of: children, since: now.adding(seconds: -Limits.declinedRequestSeconds), in: tx))
    }

    private func visibleChildren(for householdActor: HouseholdActor, in tx: Transaction) throws -> [PersonID] {
        if householdActor.role == .child {
            try householdActor.require(.seeRequests, with: householdActor.person, in: tx)
            return [householdActor.person]
        }
        try householdActor.require(.seeRequests)
        try householdActor.require(.seeAssignments)
        return try HouseholdStore.page(
            of: householdActor.household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
    }

    func members(_ children: [PersonID], in tx: Transaction) throws -> [Member] {
        let profiles = try accounts.accounts(children, in: tx)
        return children.compactMap { profiles[$0].map { Member($0, role: .child) } }
    }
}

extension TodayEntry: Comparable {
    fileprivate init(
        _ state: State, _ schedule: StoredSchedule, child: PersonID? = nil, candidates: [PersonID] = [],
        on date: LocalDate
    ) {
        self.init(
            state: state, childID: child, candidates: candidates,
            isClaimed: schedule.distribution == .first && child != nil,
            isSwappable: schedule.distribution != .each && child != nil && schedule.isPresent,
            choreID: schedule.chore.id, name: schedule.chore.name,
            pictureID: schedule.chore.pictureID, date: date, dueTime: schedule.dueTime, request: nil,
            offeredPoints: schedule.offeredPoints, points: nil)
    }

    fileprivate init(_ request: ChoreRequest, offered: Int64?) {
        self.init(
            state: .waiting, childID: request.childID, candidates: [], isClaimed: false, isSwappable: false,
            choreID: request.choreID, name: request.name,
            pictureID: request.pictureID, date: request.occurrence, dueTime: nil, request: request,
            offeredPoints: offered,
            points: nil)
    }

    fileprivate init(child: PersonID, _ done: Assignment) {
        self.init(
            state: .done, childID: child, candidates: [], isClaimed: false, isSwappable: false, choreID: done.choreID,
            name: done.name, pictureID: done.pictureID,
            date: done.occurrence, dueTime: nil, request: nil, offeredPoints: nil, points: done.points)
    }

    private var rank: Int { State.allCases.firstIndex(of: state) ?? 0 }

    /// Orders by state, date, due time and chore. Any time of the day comes after the times of its date.
    package static func < (left: Self, right: Self) -> Bool {
        let endOfDay = 24 * 60
        func time(_ entry: Self) -> (Int, Int, Int) {
            (entry.rank, entry.date?.dayNumber ?? 0, entry.dueTime?.minuteOfDay ?? endOfDay)
        }
        if time(left) != time(right) { return time(left) < time(right) }
        if let one = left.choreID, let other = right.choreID, one != other { return one < other }
        guard let one = left.childID, let other = right.childID else {
            return left.childID == nil && right.childID != nil
        }
        return one < other
    }
}

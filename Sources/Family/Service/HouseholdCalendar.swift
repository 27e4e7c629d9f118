import Kernel
import Recurrence

/// The schedules of a household from ``Limits/overdueDays`` ago, with pauses, and with whose turn it is.
struct HouseholdCalendar: Sendable {
    let timeZone: LocalTimeZone
    let today: LocalDate
    /// The first date whose occurrences can be open.
    let first: LocalDate
    /// The present schedules, and those that were replaced since `first`.
    let schedules: [StoredSchedule]
    /// The children of these schedules, and of all chores with a rotation.
    let children: [ID<StoredSchedule>: [PersonID]]
    /// Those that end on `first` or later; with a rotation, those of ``Limits/rotationDays``.
    let pauses: [Pause]
    /// The dates on which a chore isn't due although its schedules have them.
    let skips: [ID<Chore>: Set<LocalDate>]
    /// The schedules by turns of all chores of the household.
    private let byTurns: [StoredSchedule]
    private let plan: TurnPlan
    /// The turns that aren't stored.
    let newTurns: [Turn]

    /// - Parameters:
    ///   - rotating: the schedules with a rotation of all chores of the household.
    ///   - plan: the turns from `first` up to today, and coming ones that are stored.
    ///   - newTurns: those of them that aren't stored.
    init(
        timeZone: LocalTimeZone, today: LocalDate, schedules: [StoredSchedule], rotating: [StoredSchedule],
        children: [ID<StoredSchedule>: [PersonID]], pauses: [Pause], skips: [ID<Chore>: Set<LocalDate>],
        plan: TurnPlan, newTurns: [Turn]
    ) {
        self.timeZone = timeZone
        self.today = today
        first = today.adding(days: -Limits.overdueDays)
        self.schedules = schedules
        self.children = children
        self.pauses = pauses
        self.skips = skips
        self.plan = plan
        self.newTurns = newTurns
        byTurns = rotating.filter { $0.isPresent && $0.distribution == .turns }
    }

    /// The turns from `first` up to today, stored or not, and coming ones that are stored.
    var turns: [ChoreDate: Turn] { plan.turns }

    func isPaused(_ child: PersonID, on date: LocalDate) -> Bool {
        pauses.contains { $0.applies(to: child, on: date) }
    }

    /// Returns the occurrences of one schedule up to today.
    func occurrences(of schedule: StoredSchedule) throws -> [Occurrence] {
        try occurrences(of: schedule, since: first)
    }

    /// Returns the occurrences of one schedule from a date up to today.
    /// - Parameter hasSkips: whether the skipped dates are missing.
    func occurrences(
        of schedule: StoredSchedule, since date: LocalDate, hasSkips: Bool = true
    ) throws -> [Occurrence] {
        let start = max(date, schedule.appliesFrom)
        let end = min(today.adding(days: 1), schedule.appliesUntil)
        return start < end ? try expanded(schedule, hasSkips: hasSkips).occurrences(in: start..<end) : []
    }

    /// Returns the children who can do an occurrence: one if it is one child's turn, several if each of them has it or
    /// if the first one can claim it. A child that is paused isn't among them.
    func children(of schedule: StoredSchedule, on date: LocalDate) -> [PersonID] {
        let present = children[schedule.id] ?? []
        let doing: [PersonID]
        if schedule.distribution == .each {
            doing = present
        } else if let turn = turns[ChoreDate(chore: schedule.chore.id, date: date)] {
            doing = present.contains(turn.childID) ? [turn.childID] : []
        } else {
            doing = schedule.distribution.isRotation ? [] : present
        }
        return doing.filter { !isPaused($0, on: date) && !isPaused($0, on: max(date, today)) }
    }

    /// Returns whether the child of a turn can do it: it is in the present schedule and has no pause.
    func canDo(_ turn: Turn) -> Bool {
        let schedule = schedules.first { $0.chore.id == turn.choreID && $0.isPresent && $0.distribution != .each }
        guard let schedule, children[schedule.id]?.contains(turn.childID) == true else { return false }
        return !isPaused(turn.childID, on: turn.date)
    }

    /// Returns the children who can do the occurrence of a turn that isn't stored any more.
    func candidates(for turn: Turn) -> [PersonID] {
        let schedule = schedules.first { $0.chore.id == turn.choreID && $0.isPresent }
        return schedule.map { children(of: $0, on: turn.date) } ?? []
    }

    /// Returns whether another child can do the occurrence of a turn that isn't stored any more.
    func isOpen(_ turn: Turn) -> Bool {
        turns[turn.key] != nil || !candidates(for: turn).isEmpty
    }

    /// Returns whether the first child can claim an occurrence.
    func isClaimable(_ schedule: StoredSchedule, on date: LocalDate) -> Bool {
        schedule.distribution == .first && turns[ChoreDate(chore: schedule.chore.id, date: date)] == nil
    }

    /// Returns the turns after today of the chores that children do by turns, in the order of their dates. Dates on
    /// which all children of a chore are paused are missing. The turns of skipped dates are among them, because a turn
    /// goes on by date.
    func comingTurns() throws -> [ID<Chore>: [Turn]] {
        var coming = plan
        let occurrences = try byTurns.flatMap { schedule in
            try comingDates(of: schedule).map { occurrence(of: schedule, on: $0) }
        }
        _ = coming.decide(occurrences)
        return Dictionary(
            grouping: occurrences.compactMap { coming.turns[ChoreDate(chore: $0.chore, date: $0.date)] }, by: \.choreID
        ).mapValues { $0.sorted { $0.date < $1.date } }
    }

    /// Returns the dates after today for which the turns of a schedule are decided in advance: ``Limits/comingDays``,
    /// or ``Limits/nextOccurrences`` if these are later.
    private func comingDates(of schedule: StoredSchedule) throws -> [LocalDate] {
        let last = max(today, schedule.appliesFrom.adding(days: -1))
        let all = try expanded(schedule, hasSkips: false)
        let near = all.occurrences(
            in: last.adding(days: 1)..<max(last.adding(days: 1), today.adding(days: Limits.comingDays)))
        guard near.count < Limits.nextOccurrences else { return near.map(\.date) }
        let skipped = skips[schedule.chore.id]?.count { $0 > last } ?? 0
        return all.occurrences(after: last, limit: Limits.nextOccurrences + skipped).map(\.date)
    }

    /// Returns an occurrence of a schedule with a rotation.
    func occurrence(of schedule: StoredSchedule, on date: LocalDate) -> TurnPlan.Occurrence {
        TurnPlan.Occurrence(schedule, children: children[schedule.id] ?? [], on: date)
    }

    /// Returns the next occurrence after today of each child of a present schedule; of all of them for one that the
    /// first child can claim. Nothing is known of a rotation by points. What is done in advance is left out.
    /// - Parameters:
    ///   - coming: the result of ``comingTurns()``.
    ///   - taken: the occurrences that aren't open.
    func next(
        of schedule: StoredSchedule, _ coming: [ID<Chore>: [Turn]], taken: Set<OccurrenceKey> = []
    ) throws -> [(date: LocalDate, children: [PersonID])] {
        guard schedule.isPresent, schedule.distribution != .points else { return [] }
        let chore = schedule.chore.id
        let all = children[schedule.id] ?? []
        let isTaken = taken.contains { $0.chore == chore && $0.date > today }
        let isRegular = pauses.isEmpty && schedule.distribution != .turns && !isTaken
        var missing = Set(all)
        var found: [(date: LocalDate, children: [PersonID])] = []
        let dates = try self.coming(schedule, coming, limit: isRegular ? 1 : Limits.nextOccurrences)
        for (date, turn) in dates where !missing.isEmpty {
            let doing = turn.map { [$0.childID] } ?? all.filter { !isPaused($0, on: date) }
            let new = doing.filter {
                missing.contains($0) && !taken.contains(OccurrenceKey(child: $0, chore: chore, date: date))
            }
            if !new.isEmpty { found.append((date, new)) }
            missing.subtract(schedule.distribution == .first && !new.isEmpty ? all : new)
        }
        return found
    }

    /// Returns the occurrences after today that aren't skipped, with whose turn they are where that is known.
    /// - Parameter turns: the result of ``comingTurns()``.
    func coming(
        _ schedule: StoredSchedule, _ coming: [ID<Chore>: [Turn]], limit: Int
    ) throws -> [(date: LocalDate, turn: Turn?)] {
        let chore = schedule.chore.id
        if schedule.distribution == .turns {
            let skipped = skips[chore] ?? []
            return (coming[chore] ?? []).filter { !skipped.contains($0.date) }.prefix(limit).map { ($0.date, $0) }
        }
        let last = max(today, schedule.appliesFrom.adding(days: -1))
        return try expanded(schedule).occurrences(after: last, limit: limit).map { occurrence in
            (occurrence.date, turns[ChoreDate(chore: chore, date: occurrence.date)])
        }
    }

    /// Returns the next date of a chore that is done in advance, and the first day on which it can be: from the day
    /// after the date before it, at most ``Limits/earlyDays`` before it.
    func early(_ schedule: StoredSchedule) throws -> (date: LocalDate, from: LocalDate)? {
        guard schedule.isPresent else { return nil }
        let all = try expanded(schedule)
        let last = max(today, schedule.appliesFrom.adding(days: -1))
        guard let date = all.occurrences(after: last, limit: 1).first?.date else { return nil }
        let earliest = date.adding(days: -Limits.earlyDays)
        let previous = all.occurrences(in: earliest..<date).last?.date
        return (date, previous?.adding(days: 1) ?? earliest)
    }

    /// Returns the next date of a chore that a child can do today in advance; `nil` for none.
    func earlyDate(of chore: ID<Chore>, for child: PersonID) throws -> LocalDate? {
        guard let schedule = schedules.first(where: { $0.chore.id == chore && $0.isPresent }),
            let (date, from) = try early(schedule), from <= today, !isPaused(child, on: date),
            children[schedule.id]?.contains(child) == true
        else { return nil }
        let turn =
            schedule.distribution == .turns
            ? try comingTurns()[chore]?.first { $0.date == date } : turns[ChoreDate(chore: chore, date: date)]
        return turn.map { $0.childID == child } ?? true ? date : nil
    }

    /// Returns the dates of a chore's occurrences for a child up to today, in ascending order.
    func dates(of chore: ID<Chore>, for child: PersonID) -> [LocalDate] {
        schedules.filter { $0.chore.id == chore }
            .flatMap { schedule in
                ((try? occurrences(of: schedule)) ?? []).map(\.date).filter {
                    children(of: schedule, on: $0).contains(child)
                }
            }.sorted()
    }

    /// Returns the rule, the time and the zone of a schedule, without the dates that are skipped.
    /// - Parameter hasSkips: whether the skipped dates are missing.
    func expanded(_ schedule: StoredSchedule, hasSkips: Bool = true) throws -> Schedule {
        Schedule(
            start: schedule.startsOn, dueTime: schedule.dueTime, rule: schedule.rule,
            exceptions: try ScheduleExceptions(excluded: hasSkips ? skips[schedule.chore.id] ?? [] : []),
            timeZone: timeZone)
    }
}

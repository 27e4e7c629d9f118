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
    let children: [ID<StoredSchedule>: [PersonID]]
    /// Those that end on `first` or later; with a rotation, those of ``Limits/rotationDays``.
    let pauses: [Pause]
    /// The dates on which a chore isn't due although its schedules have them.
    let skips: [ID<Chore>: Set<LocalDate>]
    /// The turns from `first` up to today, stored or not, and coming ones that children swapped.
    private(set) var turns: [ChoreDate: Turn]
    /// The turns that aren't stored.
    private(set) var newTurns: [Turn] = []

    init(
        timeZone: LocalTimeZone, today: LocalDate, first: LocalDate, schedules: [StoredSchedule],
        children: [ID<StoredSchedule>: [PersonID]], pauses: [Pause],
        skips: [ID<Chore>: Set<LocalDate>], turns: [Turn]
    ) {
        self.timeZone = timeZone
        self.today = today
        self.first = first
        self.schedules = schedules
        self.children = children
        self.pauses = pauses
        self.skips = skips
        self.turns = Dictionary(turns.map { ($0.key, $0) }) { kept, _ in kept }
    }

    mutating func add(_ turn: Turn) {
        newTurns.append(turn)
        turns[turn.key] = turn
    }

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

    /// Returns whether the first child can claim an occurrence.
    func isClaimable(_ schedule: StoredSchedule, on date: LocalDate) -> Bool {
        schedule.distribution == .first && turns[ChoreDate(chore: schedule.chore.id, date: date)] == nil
    }

    /// Returns the next occurrence after today of each child of a present schedule; of all of them for one that the
    /// first child can claim. Nothing is known of a rotation by points.
    func next(of schedule: StoredSchedule) throws -> [(date: LocalDate, children: [PersonID])] {
        guard schedule.isPresent, schedule.distribution != .points else { return [] }
        let isRegular = pauses.isEmpty && schedule.distribution != .turns
        let all = children[schedule.id] ?? []
        var missing = Set(all)
        var found: [(date: LocalDate, children: [PersonID])] = []
        for (date, turn) in try coming(schedule, limit: isRegular ? 1 : Limits.nextOccurrences) where !missing.isEmpty {
            let doing = turn.map { [$0.childID] } ?? all.filter { !isPaused($0, on: date) }
            let new = doing.filter(missing.contains)
            if !new.isEmpty { found.append((date, new)) }
            missing.subtract(schedule.distribution == .first && !new.isEmpty ? all : new)
        }
        return found
    }

    /// Returns the occurrences after today, with whose turn they are in a rotation by turns. Those on which all
    /// children of it are paused are missing, and so are the skipped ones: a turn goes on by date.
    func coming(_ schedule: StoredSchedule, limit: Int) throws -> [(date: LocalDate, turn: Turn?)] {
        let chore = schedule.chore.id
        let last = max(today, schedule.appliesFrom.adding(days: -1))
        guard schedule.distribution == .turns else {
            return try expanded(schedule).occurrences(after: last, limit: limit).map { ($0.date, nil) }
        }
        let skipped = skips[chore] ?? []
        let dates = try expanded(schedule, hasSkips: false)
            .occurrences(after: last, limit: limit + skipped.count { $0 > last }).map(\.date)
        let all = children[schedule.id] ?? []
        var previous = turns.values.filter {
            $0.choreID == chore && $0.rotationChildID != nil && $0.date <= today
        }.max { $0.date < $1.date }?.rotationChildID
        return dates.compactMap { date in
            let stored = turns[ChoreDate(chore: chore, date: date)]
            let child =
                stored?.rotationChildID
                ?? Rotation.next(after: previous, of: all) { isPaused($0, on: date) }
            guard let child else { return nil }
            previous = child
            if skipped.contains(date) { return nil }
            return (date, stored ?? Turn(choreID: chore, date: date, childID: child, rotationChildID: child))
        }
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
        try Schedule(
            start: schedule.startsOn, dueTime: schedule.dueTime, rule: schedule.rule,
            exceptions: try ScheduleExceptions(excluded: hasSkips ? skips[schedule.chore.id] ?? [] : []),
            timeZone: timeZone)
    }
}

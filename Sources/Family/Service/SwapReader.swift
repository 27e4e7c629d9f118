import Kernel
import Recurrence
import Storage

/// Reads which turns can be swapped, and which swaps wait, in the transaction of the caller.
struct SwapReader: Sendable {
    let occurrences: OccurrenceReader
    let today: TodayReader

    /// Returns the turns of all children from today on that aren't done or reported. Of each child and chore these are
    /// the turn of today, the next one as far as it is known, and those that are stored.
    func turns(
        of household: ID<Household>, _ calendar: HouseholdCalendar, in tx: Transaction
    ) throws -> [SwappableTurn] {
        let schedules = calendar.schedules.filter { $0.isPresent && $0.distribution != .each }
        let children = try HouseholdStore.page(
            of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
        let members = Dictionary(try today.members(children, in: tx).map { ($0.id, $0) }) { one, _ in one }
        var taken = try occurrences.done(calendar, of: children, in: tx)
        taken.formUnion(try RequestStore.occurrences(of: schedules.map(\.chore.id), in: tx))
        let coming = try calendar.comingTurns()
        return try schedules.flatMap { schedule in
            try Self.turns(of: schedule, calendar, coming, taken).compactMap { child, date in
                let key = OccurrenceKey(child: child, chore: schedule.chore.id, date: date)
                guard let member = members[child], !taken.contains(key) else { return nil }
                return SwappableTurn(
                    child: member, choreID: schedule.chore.id, name: schedule.chore.name,
                    pictureID: schedule.chore.pictureID, date: date)
            }
        }
    }

    private static func turns(
        of schedule: StoredSchedule, _ calendar: HouseholdCalendar, _ coming: [ID<Chore>: [Turn]],
        _ taken: Set<OccurrenceKey>
    ) throws -> [(child: PersonID, date: LocalDate)] {
        let today = calendar.today
        let isDueToday = try calendar.occurrences(of: schedule, since: today).contains { $0.date == today }
        let isOpen = isDueToday && !calendar.isClaimable(schedule, on: today)
        var found: [(child: PersonID, date: LocalDate)] = []
        if isOpen { found += calendar.children(of: schedule, on: today).map { ($0, today) } }
        guard schedule.distribution == .turns else { return found }
        for (date, children) in try calendar.next(of: schedule, coming, taken: taken) {
            found += children.map { ($0, date) }
        }
        let skipped = calendar.skips[schedule.chore.id] ?? []
        let stored = calendar.turns.values.filter { $0.choreID == schedule.chore.id && $0.date > today }
        for turn in stored.sorted(by: { $0.date < $1.date }) where !skipped.contains(turn.date) {
            let isKnown = found.contains { $0.child == turn.childID && $0.date == turn.date }
            if !isKnown { found.append((turn.childID, turn.date)) }
        }
        return found
    }

    /// Returns the open swaps: all for a parent, its own for a child. Those whose turns have changed are missing.
    /// - Parameter known: the household's calendar, if the caller has read it.
    func swaps(of householdActor: HouseholdActor, _ known: HouseholdCalendar? = nil, now: Instant, in tx: Transaction)
        throws -> [TurnSwap]
    {
        let household = householdActor.household
        let today = try known?.today ?? occurrences.timeZone(of: household, in: tx).date(at: now)
        let stored = try SwapStore.all(
            of: household, child: householdActor.role == .child ? householdActor.person : nil, since: today, in: tx)
        guard !stored.isEmpty else { return [] }
        let calendar = try known ?? occurrences.calendar(of: household, now: now, in: tx)
        let turns = try turns(of: household, calendar, in: tx)
        return stored.compactMap { Self.swap($0, turns, calendar) }
    }

    /// Returns the stored swaps of a household that can still be done.
    func stored(
        of household: ID<Household>, _ calendar: HouseholdCalendar, in tx: Transaction
    ) throws -> [StoredSwap] {
        let stored = try SwapStore.all(of: household, child: nil, since: calendar.today, in: tx)
        guard !stored.isEmpty else { return [] }
        let turns = try turns(of: household, calendar, in: tx)
        return stored.filter { Self.swap($0, turns, calendar) != nil }
    }

    /// Returns whether each of two children can do the turn of the other: it is in the schedule of that chore.
    static func canSwap(_ one: SwappableTurn, _ other: SwappableTurn, _ calendar: HouseholdCalendar) -> Bool {
        one.child.id != other.child.id && isScheduled(one.child.id, other, calendar)
            && isScheduled(other.child.id, one, calendar)
    }

    private static func isScheduled(_ child: PersonID, _ turn: SwappableTurn, _ calendar: HouseholdCalendar) -> Bool {
        calendar.schedules.contains {
            $0.chore.id == turn.choreID && $0.isPresent && calendar.children[$0.id]?.contains(child) == true
        } && !calendar.isPaused(child, on: turn.date)
    }

    /// Returns a swap with its turns; `nil` if one of them has changed.
    static func swap(
        _ stored: StoredSwap, _ turns: [SwappableTurn], _ calendar: HouseholdCalendar
    ) -> TurnSwap? {
        func turn(_ key: ChoreDate, of child: PersonID) -> SwappableTurn? {
            turns.first { $0.choreID == key.chore && $0.date == key.date && $0.child.id == child }
        }
        guard let offered = turn(stored.offered, of: stored.child), let wanted = turn(stored.wanted, of: stored.other),
            canSwap(offered, wanted, calendar)
        else { return nil }
        return TurnSwap(id: stored.id, offered: offered, wanted: wanted, isAccepted: stored.isAccepted)
    }
}

import Kernel
import Storage

/// Stores whose turn occurrences are, in the transaction of the caller. The household must be locked.
struct TurnRecorder: Sendable {
    let occurrences: OccurrenceReader

    /// Returns the calendar of a household after its turns are stored.
    /// - Parameter chores: `nil` for all chores of the household.
    func calendar(
        of household: ID<Household>, chores: [ID<Chore>]? = nil, now: Instant, in tx: Transaction
    ) throws -> HouseholdCalendar {
        let calendar = try occurrences.calendar(of: household, chores: chores, now: now, in: tx)
        try store(calendar, now: now, in: tx)
        return calendar
    }

    /// Stores the turns that depend on points. Call it before points change, so that the turns of today stay.
    func settleByPoints(of household: ID<Household>, now: Instant, in tx: Transaction) throws {
        let chores = try ScheduleStore.chores(of: household, sharedBy: .points, in: tx)
        if !chores.isEmpty { _ = try calendar(of: household, chores: chores, now: now, in: tx) }
    }

    /// Makes an occurrence that the first child can claim that child's, on all pages of the household.
    /// - Returns: whether it could be claimed.
    @discardableResult
    func hold(
        _ key: ChoreDate, by child: PersonID, in calendar: HouseholdCalendar, of household: ID<Household>,
        now: Instant, in tx: Transaction
    ) throws -> Bool {
        let isClaimable = calendar.schedules.contains {
            $0.chore.id == key.chore && $0.appliesFrom <= key.date && key.date < $0.appliesUntil
                && calendar.isClaimable($0, on: key.date)
        }
        guard isClaimable else { return false }
        try TurnStore.deleteAll(of: key.chore, before: calendar.today.adding(days: -Limits.rotationDays), in: tx)
        try TurnStore.insert(
            [Turn(choreID: key.chore, date: key.date, childID: child, rotationChildID: nil)], now: now, in: tx)
        try FamilyEvents.publish("chore", FamilyEvents.chore(key.chore), of: household, now: now, in: tx)
        return true
    }

    /// Gives a turn to another child. The turns of its rotation up to it are stored first, so that the rotation goes on
    /// as before.
    func give(
        _ key: ChoreDate, to child: PersonID, _ calendar: HouseholdCalendar, now: Instant, in tx: Transaction
    ) throws {
        var rotationChild = calendar.turns[key]?.rotationChildID
        for schedule in calendar.schedules where schedule.chore.id == key.chore && schedule.isPresent {
            let coming = try calendar.coming(schedule, limit: Limits.nextOccurrences).filter { $0.date <= key.date }
            try TurnStore.insert(coming.compactMap(\.turn), now: now, in: tx)
            rotationChild = rotationChild ?? coming.last?.turn?.rotationChildID
        }
        try TurnStore.replace(
            Turn(choreID: key.chore, date: key.date, childID: child, rotationChildID: rotationChild), now: now, in: tx)
    }

    /// Decides again about the occurrences of chores that aren't done, after a schedule or a pause changed. What was
    /// done or reported before stays that child's, and so does a turn of today and a swapped one that the child can
    /// still do.
    /// - Parameter date: the first date of the change.
    func renew(
        _ chores: [ID<Chore>], of household: ID<Household>, since date: LocalDate, now: Instant, in tx: Transaction
    ) throws {
        guard !chores.isEmpty else { return }
        let children = try HouseholdStore.page(
            of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
        var taken = OccurrenceKey.all(of: try AssignmentStore.occurrences(of: children, since: date, in: tx))
        taken.formUnion(try RequestStore.occurrences(of: chores, in: tx))
        taken = taken.filter { chores.contains($0.chore) && $0.date >= date }
        let changed = try occurrences.calendar(of: household, chores: chores, now: now, in: tx)
        for turn in try TurnStore.turns(of: chores, since: date, in: tx) {
            let key = OccurrenceKey(child: turn.childID, chore: turn.choreID, date: turn.date)
            let isSwapped = turn.rotationChildID.map { $0 != turn.childID } ?? false
            let stays = changed.canDo(turn) && (isSwapped || turn.date <= changed.today)
            if !taken.contains(key), !stays { try TurnStore.delete(turn.key, in: tx) }
        }
        let shared = Set(
            changed.schedules.filter { $0.isPresent && $0.distribution != .each }.map(\.chore.id))
        let held = taken.filter { shared.contains($0.chore) }.sorted { $0.child < $1.child }.map {
            Turn(choreID: $0.chore, date: $0.date, childID: $0.child, rotationChildID: nil)
        }
        try TurnStore.insert(held, now: now, in: tx)
        _ = try calendar(of: household, chores: chores, now: now, in: tx)
    }

    /// Stores the new turns, and removes those that no rotation looks back at.
    private func store(_ calendar: HouseholdCalendar, now: Instant, in tx: Transaction) throws {
        try TurnStore.insert(calendar.newTurns, now: now, in: tx)
        for chore in Set(calendar.newTurns.map(\.choreID)) {
            try TurnStore.deleteAll(of: chore, before: calendar.today.adding(days: -Limits.rotationDays), in: tx)
        }
    }
}

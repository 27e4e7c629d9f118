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

    /// Stores the turns up to today of all chores of a household. Call it before a change on which they depend: of
    /// points, chores or children.
    func settle(_ household: ID<Household>, now: Instant, in tx: Transaction) throws {
        _ = try calendar(of: household, now: now, in: tx)
    }

    /// Stores the turns that depend on points. Call it before points change, so that the turns of today stay.
    func settleByPoints(of household: ID<Household>, now: Instant, in tx: Transaction) throws {
        let chores = try ScheduleStore.chores(of: household, sharedBy: .points, in: tx)
        if !chores.isEmpty { _ = try calendar(of: household, chores: chores, now: now, in: tx) }
    }

    /// Stores that a child does an occurrence that it was allowed to do: one that the first child can claim, or one
    /// that it does in advance.
    func reserve(
        _ key: ChoreDate, for child: PersonID, in calendar: HouseholdCalendar, of household: ID<Household>,
        now: Instant, in tx: Transaction
    ) throws {
        let schedule = calendar.schedules.first { $0.chore.id == key.chore && $0.isPresent }
        guard let schedule, schedule.distribution.isRotation, key.date > calendar.today else {
            try hold(key, by: child, in: calendar, of: household, now: now, in: tx)
            return
        }
        guard calendar.turns[key] == nil else { return }
        guard schedule.distribution == .turns else {
            let turn = Turn(choreID: key.chore, date: key.date, childID: child, rotationChildID: child)
            return try TurnStore.insert([turn], now: now, in: tx)
        }
        try give(key, to: child, calendar, now: now, in: tx)
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
        var turn = calendar.turns[key]
        if turn == nil {
            let coming = try calendar.comingTurns()[key.chore, default: []].filter { $0.date <= key.date }
            try TurnStore.insert(coming, now: now, in: tx)
            turn = coming.last
        }
        try TurnStore.replace(
            Turn(
                choreID: key.chore, date: key.date, childID: child, rotationChildID: turn?.rotationChildID,
                startsRound: turn?.startsRound ?? false), now: now, in: tx)
    }

    /// Stores the new turns, and removes those that no rotation looks back at.
    private func store(_ calendar: HouseholdCalendar, now: Instant, in tx: Transaction) throws {
        try TurnStore.insert(calendar.newTurns, now: now, in: tx)
        for chore in Set(calendar.newTurns.map(\.choreID)) {
            try TurnStore.deleteAll(of: chore, before: calendar.today.adding(days: -Limits.rotationDays), in: tx)
        }
    }
}

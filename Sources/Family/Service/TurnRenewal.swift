import Kernel
import Storage

/// Decides again about turns when schedules, pauses or children change, in the transaction of the caller, and notifies
/// the children whose turns, claims or swaps change. The household must be locked.
struct TurnRenewal: Sendable {
    let turns: TurnRecorder
    let swaps: SwapReader
    let notifier: ChildNotifier

    /// The state before a change.
    struct Before: Sendable {
        let calendar: HouseholdCalendar
        /// The swaps that wait.
        fileprivate let swaps: [StoredSwap]
    }

    /// Stores the turns up to today, so that the change moves none of them. Call it before the change.
    func begin(_ household: ID<Household>, now: Instant, in tx: Transaction) throws -> Before {
        let calendar = try turns.calendar(of: household, now: now, in: tx)
        return Before(calendar: calendar, swaps: try swaps.stored(of: household, calendar, in: tx))
    }

    /// Decides again about the occurrences that aren't done. What was done or reported before stays that child's, and
    /// so do a turn of today, a claim, and a swapped turn that the child can still do. If no other child can do a turn
    /// of today, it waits for its child. Call it after the change.
    /// - Parameter chores: `nil` for all chores of the household.
    func finish(
        _ before: Before, _ chores: [ID<Chore>]? = nil, by householdActor: HouseholdActor, now: Instant,
        in tx: Transaction
    ) throws {
        let household = householdActor.household
        let changed = try turns.occurrences.calendar(of: household, now: now, in: tx)
        let today = changed.today
        let shared = Set(changed.schedules.filter { $0.isPresent && $0.distribution != .each }.map(\.chore.id))
        let renewed = chores ?? Set((before.calendar.schedules + changed.schedules).map(\.chore.id)).sorted()
        let children = try HouseholdStore.allChildren(of: household, in: tx)
        var taken = OccurrenceKey.all(of: try AssignmentStore.occurrences(of: children, since: today, in: tx))
        taken.formUnion(try RequestStore.occurrences(of: renewed, in: tx))
        taken = taken.filter { renewed.contains($0.chore) && $0.date >= today }
        let asked = Set(before.swaps.flatMap { [$0.offered, $0.wanted] })
        let dropped = try TurnStore.turns(of: renewed, since: today, in: tx).filter { turn in
            let isKept = turn.isSwapped || turn.date <= today || asked.contains(turn.key)
            let key = OccurrenceKey(child: turn.childID, chore: turn.choreID, date: turn.date)
            return !taken.contains(key) && !(isKept && changed.canDo(turn))
        }
        for turn in dropped { try TurnStore.delete(turn.key, in: tx) }
        let held = taken.filter { shared.contains($0.chore) }.sorted { $0.child < $1.child }.map {
            Turn(choreID: $0.chore, date: $0.date, childID: $0.child, rotationChildID: nil)
        }
        try TurnStore.insert(held, now: now, in: tx)
        var after = try turns.calendar(of: household, now: now, in: tx)
        let waiting = dropped.filter { $0.date == today && shared.contains($0.choreID) && !after.isOpen($0) }
        if !waiting.isEmpty {
            try TurnStore.insert(waiting, now: now, in: tx)
            after = try turns.calendar(of: household, now: now, in: tx)
        }
        let moved = dropped.filter { !waiting.contains($0) }
        try notifyOfDropped(moved, after, by: householdActor, now: now, in: tx)
        try endSwaps(before, after, by: householdActor, now: now, in: tx)
    }

    /// Ends the swaps that can't be done any more after a chore was removed.
    func endSwaps(
        _ before: Before, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        guard !before.swaps.isEmpty else { return }
        let after = try turns.calendar(of: householdActor.household, now: now, in: tx)
        try endSwaps(before, after, by: householdActor, now: now, in: tx)
    }

    private func endSwaps(
        _ before: Before, _ after: HouseholdCalendar, by householdActor: HouseholdActor, now: Instant,
        in tx: Transaction
    ) throws {
        let household = householdActor.household
        let open = try swaps.stored(of: household, after, in: tx)
        for swap in before.swaps where !open.contains(swap) {
            try SwapStore.delete(swap.id, in: tx)
            try notifier.withdrawNotifications(ofSwap: swap, household, now: now, in: tx)
            let name = try ChoreStore.find(swap.wanted.chore, in: tx)?.chore.name ?? ""
            for child in try present([swap.child, swap.other], in: tx) {
                try notifier.notifyOfSwap(
                    .swapEnded, swap, of: child, about: name, by: householdActor, now: now, in: tx)
            }
            try FamilyEvents.publish("chore", FamilyEvents.swaps, of: household, now: now, in: tx)
        }
    }

    /// Notifies the children of turns of today, swapped turns and claims that are another child's now.
    private func notifyOfDropped(
        _ dropped: [Turn], _ after: HouseholdCalendar, by householdActor: HouseholdActor, now: Instant,
        in tx: Transaction
    ) throws {
        let coming = try after.comingTurns()
        for turn in dropped where turn.date == after.today || turn.isSwapped || turn.rotationChildID == nil {
            guard let chore = try ChoreStore.find(turn.choreID, in: tx)?.chore else { continue }
            func notify(_ event: HouseholdEvent, _ children: [PersonID]) throws {
                for child in try present(children, in: tx) {
                    try notifier.notifyOfTurn(
                        event, chore, on: turn.date, of: child, by: householdActor, now: now, in: tx)
                }
            }
            let next = after.turns[turn.key] ?? coming[turn.choreID]?.first { $0.date == turn.date }
            guard next?.childID != turn.childID else { continue }
            if turn.isSwapped || turn.rotationChildID == nil { try notify(.turnDropped, [turn.childID]) }
            if let next {
                try notify(.turnPassed, [next.childID])
            } else if turn.rotationChildID == nil {
                try notify(.claimEnded, after.candidates(for: turn).filter { $0 != turn.childID })
            }
        }
    }

    /// Returns the children who aren't deleted.
    private func present(_ children: [PersonID], in tx: Transaction) throws -> [PersonID] {
        try children.filter { child in
            guard let member = try HouseholdStore.member(child, in: tx) else { return false }
            return member.deletedAt == nil
        }
    }
}

package import Accounts
package import Kernel
import Recurrence
import Storage

/// The swaps of turns: a child asks for one, the other child agrees, and then a parent.
package struct SwapService: Sendable {
    let transactions: HouseholdTransactions
    let reader: SwapReader
    let turns: TurnRecorder
    let notifier: ChildNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the open swaps, all for a parent and its own for a child, and the present date of the household.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func list(for actor: Actor) async throws -> (swaps: [TurnSwap], today: LocalDate) {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeSwaps)
            let zone = try turns.occurrences.timeZone(of: householdActor.household, in: tx)
            return (try reader.swaps(of: householdActor, now: now, in: tx), zone.date(at: now))
        }
    }

    /// Returns the turns among which a child chooses.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child.
    package func choices(for child: PersonID, by actor: Actor) async throws -> SwapChoices {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.swap, with: child, in: tx)
            let calendar = try turns.occurrences.calendar(of: householdActor.household, now: now, in: tx)
            let all = try reader.turns(of: householdActor.household, calendar, in: tx)
            let own = all.filter { $0.child.id == child }
            let others = all.filter { other in own.contains { SwapReader.canSwap($0, other, calendar) } }
            return SwapChoices(own: own, others: others, today: calendar.today)
        }
    }

    /// Asks another child to swap turns. It is notified.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child; `invalid` at `choreId`,
    ///   `occurrence`, `otherChoreId` and `otherOccurrence`; `conflict` at `occurrence` and `otherOccurrence` if it
    ///   isn't the child's turn, or not that of another one; `conflict` if the child asks for the turn already.
    package func create(_ input: TurnSwapInput, for child: PersonID, by change: Change) async throws -> TurnSwap {
        let draft = try SwapDraft(input)
        let now = clock.now
        let id = ID<TurnSwap>(at: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let household = householdActor.household
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.swap, with: child, in: tx)
                let calendar = try turns.calendar(of: household, now: now, in: tx)
                try SwapStore.deleteAll(of: household, before: calendar.today, in: tx)
                let all = try reader.turns(of: household, calendar, in: tx)
                let open = try SwapStore.all(of: household, child: nil, since: calendar.today, in: tx)
                for old in open where SwapReader.swap(old, all, calendar) == nil {
                    try SwapStore.delete(old.id, in: tx)
                }
                let offered = all.first { $0.key == draft.offered && $0.child.id == child }
                guard let offered else { throw AppError(.conflict, .turnNotOwn, field: "occurrence") }
                let wanted = all.first { $0.key == draft.wanted && SwapReader.canSwap(offered, $0, calendar) }
                guard let wanted else { throw AppError(.conflict, .turnGone, field: "otherOccurrence") }
                let swap = StoredSwap(
                    id: id, child: child, offered: draft.offered, other: wanted.child.id, wanted: draft.wanted,
                    isAccepted: false)
                guard try SwapStore.insert(swap, of: household, now: now, in: tx) else {
                    throw AppError(.conflict, .swapAsked)
                }
                // A change for another child doesn't move the turns that two children agree about.
                try turns.give(swap.offered, to: swap.child, calendar, now: now, in: tx)
                try turns.give(swap.wanted, to: swap.other, calendar, now: now, in: tx)
                try notify(.swapAsked, swap, [swap.other], about: wanted.name, by: householdActor, now: now, in: tx)
            }
            guard let id = ID<TurnSwap>(once.resource) else { throw AppError.notFound }
            return try swap(id, for: householdActor, now: now, in: tx)
        }
    }

    /// The other child agrees. The parents are notified.
    /// - Throws: `AppError`: `notFound`, also if one of the turns has changed; `forbidden` unless the actor is the
    ///   other child.
    package func accept(_ id: ID<TurnSwap>, by change: Change) async throws -> TurnSwap {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let (stored, swap) = try find(id, for: householdActor, now: now, in: tx)
                try householdActor.require(.acceptSwap, with: stored.other, in: tx)
                guard !stored.isAccepted else { return }
                try SwapStore.setAccepted(id, now: now, in: tx)
                try notify(.swapAccepted, stored, [], about: swap.offered.name, by: householdActor, now: now, in: tx)
            }
            return try swap(id, for: householdActor, now: now, in: tx)
        }
    }

    /// A parent agrees, and the turns are swapped. The children are notified.
    /// - Throws: `AppError`: `notFound`, also if one of the turns has changed; `forbidden` for a child; `conflict`
    ///   before the other child agreed.
    package func approve(_ id: ID<TurnSwap>, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let (stored, swap) = try find(id, for: householdActor, now: now, in: tx)
                try householdActor.require(.approveSwap)
                guard stored.isAccepted else { throw AppError(.conflict, .swapNotAccepted) }
                let calendar = try turns.calendar(of: householdActor.household, now: now, in: tx)
                try turns.give(stored.offered, to: stored.other, calendar, now: now, in: tx)
                try turns.give(stored.wanted, to: stored.child, calendar, now: now, in: tx)
                try SwapStore.delete(id, in: tx)
                try notifier.withdrawNotifications(
                    ofSwap: stored, householdActor.household, now: now, in: tx)
                try notify(
                    .swapDone, stored, [stored.child], about: swap.wanted.name, by: householdActor, now: now, in: tx)
                try notify(
                    .swapDone, stored, [stored.other], about: swap.offered.name, by: householdActor, now: now, in: tx)
            }
        }
    }

    /// Ends a swap: the child that asks withdraws it, or the other child or a parent declines. The children are
    /// notified.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a third child.
    package func remove(_ id: ID<TurnSwap>, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.seeSwaps)
                guard let stored = try SwapStore.find(id, of: householdActor.household, in: tx) else {
                    throw AppError.notFound
                }
                let children = [stored.child, stored.other]
                let isOwn = children.contains(householdActor.person)
                try householdActor.require(
                    .declineSwap, with: isOwn ? householdActor.person : stored.child, in: tx)
                try SwapStore.delete(id, in: tx)
                try notifier.withdrawNotifications(
                    ofSwap: stored, householdActor.household, now: now, in: tx)
                let name = try ChoreStore.find(stored.wanted.chore, in: tx)?.chore.name ?? ""
                try notify(.swapDeclined, stored, children, about: name, by: householdActor, now: now, in: tx)
            }
        }
    }

    private func find(
        _ id: ID<TurnSwap>, for householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> (StoredSwap, TurnSwap) {
        try householdActor.require(.seeSwaps)
        guard let stored = try SwapStore.find(id, of: householdActor.household, in: tx) else {
            throw AppError.notFound
        }
        let calendar = try turns.calendar(of: householdActor.household, now: now, in: tx)
        guard
            let swap = SwapReader.swap(
                stored, try reader.turns(of: householdActor.household, calendar, in: tx), calendar)
        else {
            throw AppError(.notFound, .turnGone)
        }
        return (stored, swap)
    }

    private func swap(
        _ id: ID<TurnSwap>, for householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> TurnSwap {
        guard let swap = try reader.swaps(of: householdActor, now: now, in: tx).first(where: { $0.id == id }) else {
            throw AppError.notFound
        }
        return swap
    }

    /// Notifies the children, or the parents without any, and updates their pages.
    private func notify(
        _ event: HouseholdEvent, _ swap: StoredSwap, _ children: [PersonID], about name: String,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        let people: [PersonID?] = children.isEmpty ? [nil] : children
        for child in people where child != householdActor.person {
            try notifier.notifyOfSwap(event, swap, of: child, about: name, by: householdActor, now: now, in: tx)
        }
        try FamilyEvents.publish(
            "chore", FamilyEvents.swaps, of: householdActor.household, now: now, in: tx)
    }
}

package import Accounts
package import Kernel
import Storage

/// The turns of children: a child claims a chore that the first one does, and gives it back.
package struct TurnService: Sendable {
    let transactions: HouseholdTransactions
    let occurrences: OccurrenceReader
    let turns: TurnRecorder
    let notifier: ChildNotifier
    let clock: any WallClock

    /// Claims an occurrence for a child: itself, or a parent for it. The child is notified of what a parent gave it.
    /// Claiming what the child has claimed before changes nothing.
    /// - Parameter date: the date of the occurrence, `2026-03-01`.
    /// - Throws: `AppError`: `notFound`; `forbidden` for another child; `invalid` at `occurrence`; `conflict` at
    ///   `occurrence` if it isn't due, isn't one to claim, or another child has claimed it.
    package func claim(
        _ chore: ID<Chore>, on date: String, for child: PersonID, by change: Change
    ) async throws {
        let now = clock.now
        let date = try Self.checked(date)
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: chore.description) {
                try householdActor.require(.claim, with: child, in: tx)
                let chore = try householdActor.chore(chore, for: .seeChores, in: tx).chore
                let household = householdActor.household
                let calendar = try turns.calendar(of: household, chores: [chore.id], now: now, in: tx)
                let key = ChoreDate(chore: chore.id, date: date)
                if let turn = calendar.turns[key] {
                    if turn.childID == child, turn.rotationChildID == nil { return }
                    throw AppError(.conflict, .occurrenceTaken, field: "occurrence")
                }
                guard calendar.dates(of: chore.id, for: child).contains(date) else {
                    throw try calendar.refusal(of: chore.id, on: date, for: child, field: "occurrence")
                }
                guard try turns.hold(key, by: child, in: calendar, of: household, now: now, in: tx) else {
                    throw AppError(.conflict, .occurrenceNotClaimable, field: "occurrence")
                }
                if householdActor.role == .parent {
                    try notifier.notifyOfTurn(
                        .choreHandedOut, chore, on: date, of: child, by: householdActor, now: now, in: tx)
                }
            }
        }
    }

    /// Gives back an occurrence that a child claimed, so that another one can claim it.
    /// - Throws: `AppError`: `notFound`, also if the child hasn't claimed it; `forbidden` for another child; `invalid`
    ///   at `occurrence`; `conflict` if it is done, or waits for a parent.
    package func release(
        _ chore: ID<Chore>, on date: String, of child: PersonID, by change: Change
    ) async throws {
        let now = clock.now
        let date = try Self.checked(date)
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: chore.description) {
                try householdActor.require(.claim, with: child, in: tx)
                let chore = try householdActor.chore(chore, for: .seeChores, in: tx).chore.id
                let key = ChoreDate(chore: chore, date: date)
                let found = try TurnStore.turns(of: [chore], since: date, in: tx).first { $0.key == key }
                guard let found, found.childID == child, found.rotationChildID == nil else { throw AppError.notFound }
                let isRequested = try RequestStore.all(of: child, for: chore, in: tx).contains { $0.occurrence == date }
                if try isRequested || AssignmentStore.isDone(chore, on: date, by: child, in: tx) {
                    throw AppError(.conflict, .occurrenceDone, field: "occurrence")
                }
                try TurnStore.delete(key, in: tx)
                try FamilyEvents.publish(
                    "chore", FamilyEvents.chore(chore), of: householdActor.household, now: now, in: tx)
            }
        }
    }

    private static func checked(_ date: String) throws -> LocalDate {
        guard let date = try AssignmentDraft.occurrence(date) else { throw AppError.notFound }
        return date
    }
}

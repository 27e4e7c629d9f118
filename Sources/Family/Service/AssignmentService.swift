package import Accounts
package import Kernel
import Ledger
import Storage

/// The chores that children did, and the points for them.
package struct AssignmentService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildReader
    let recorder: AssignmentRecorder
    let closer: ChoreRequestCloser
    let occurrences: OccurrenceReader
    let turns: TurnRecorder
    let notifier: ChildNotifier
    let ledger: Ledger
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of a child's assignments, newest first, including undone ones.
    /// - Throws: `AppError`: `notFound`; `invalid` at `after`.
    package func list(
        of child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<Assignment> {
        let request = try PageRequest<ID<Assignment>>(after: after, limit: limit)
        return try await transactions.read(for: actor) { tx, householdActor in
            try page(of: child, for: householdActor, request, in: tx)
        }
    }

    /// Returns a page of assignments with the child.
    package func listWithChild(
        _ child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> ChildEntries<Assignment> {
        let request = try PageRequest<ID<Assignment>>(after: after, limit: limit)
        return try await transactions.read(for: actor) { tx, householdActor in
            let page = try page(of: child, for: householdActor, request, in: tx)
            return ChildEntries(child: try children.child(child, for: householdActor, in: tx), page: page)
        }
    }

    private func page(
        of child: PersonID, for householdActor: HouseholdActor, _ request: PageRequest<ID<Assignment>>,
        in tx: Transaction
    ) throws -> ListPage<Assignment> {
        try householdActor.require(.seeAssignments, with: child, in: tx)
        let assignments = try AssignmentStore.page(of: child, before: request.after, limit: request.rows, in: tx)
        return request.page(assignments, \.id)
    }

    /// Returns a child with all chores of the household. ``Limits/choresPerHousehold`` is at most one page.
    /// - Throws: `AppError.notFound` if the child isn't in the actor's household.
    package func assignableChores(for child: PersonID, by actor: Actor) async throws -> AssignableChores {
        try await transactions.read(for: actor) { tx, householdActor in
            let child = try children.child(child, for: householdActor, in: tx)
            try householdActor.require(.seeChores)
            let chores = try ChoreStore.page(
                of: householdActor.household, after: nil, limit: Limits.pageSizeMaximum, in: tx)
            return AssignableChores(child: child, chores: chores)
        }
    }

    /// Gives a child points for chores: for all of them, or for none. The points of a chore that is due count for its
    /// occurrence, and close the child's request for it.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at `chores`, `chores.0.choreId`,
    ///   `chores.0.points` and `chores.0.occurrence`; `conflict` at `chores.0.choreId` for a chore that is deleted or
    ///   doesn't exist, and at `chores.0.occurrence` for a date that isn't due or already counts.
    package func assign(
        _ inputs: [AssignmentInput], to child: PersonID, by change: Change
    ) async throws -> [Assignment] {
        let now = clock.now
        let draft = try AssignmentDraft(inputs)
        let booking = AssignmentBatchIDs(count: draft.entries.count, now: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: booking.id.description) {
                try householdActor.require(.assign, with: child, in: tx)
                let chores = try requireChores(draft.entries.map(\.choreID), of: householdActor.household, in: tx)
                let dates = try dates(of: draft, for: child, householdActor, now: now, in: tx)
                let entries = try zip(chores, zip(draft.entries, dates)).map { chore, dated in
                    let (entry, date) = dated
                    let request = try close(chore.id, on: date, of: child, by: householdActor, now: now, in: tx)
                    return DoneChore(
                        chore: chore, points: entry.points, occurrence: date, reportedAt: request?.at)
                }
                try recorder.record(entries, for: child, as: booking, by: householdActor, now: now, in: tx)
            }
            try householdActor.require(.seeAssignments, with: child, in: tx)
            return try recorder.assignments(of: once, in: tx)
        }
    }

    /// Closes the child's request for an occurrence.
    /// - Returns: the request; `nil` if there is none.
    private func close(
        _ chore: ID<Chore>, on date: LocalDate?, of child: PersonID, by householdActor: HouseholdActor, now: Instant,
        in tx: Transaction
    ) throws -> ChoreRequest? {
        guard let date else { return nil }
        let requests = try RequestStore.all(of: child, for: chore, in: tx)
        guard let request = requests.first(where: { $0.occurrence == date }) else { return nil }
        try closer.close(request, by: householdActor, now: now, in: tx)
        return request
    }

    /// Returns the occurrence of each entry; `nil` for a chore that isn't due.
    private func dates(
        of draft: AssignmentDraft, for child: PersonID, _ householdActor: HouseholdActor, now: Instant,
        in tx: Transaction
    ) throws -> [LocalDate?] {
        let calendar = try turns.calendar(
            of: householdActor.household, chores: draft.entries.map(\.choreID), now: now, in: tx)
        let done = try occurrences.done(calendar, of: [child], in: tx)
        return try draft.entries.enumerated().map { index, entry in
            let date = try occurrences.date(
                requested: entry.occurrence, of: entry.choreID, for: child, in: calendar, taken: done,
                field: "chores.\(index).occurrence")
            if let date {
                let key = ChoreDate(chore: entry.choreID, date: date)
                try turns.reserve(
                    key, for: child, in: calendar, of: householdActor.household, now: now, in: tx)
            }
            return date
        }
    }

    private func requireChores(
        _ ids: [ID<Chore>], of household: ID<Household>, in tx: Transaction
    ) throws -> [Chore] {
        let present = try ChoreStore.present(ids, of: household, in: tx)
        var problems = FieldErrors<FamilyMessage>()
        let chores = ids.enumerated().compactMap { index, id -> Chore? in
            if present[id] == nil { problems.refuse("chores.\(index).choreId", .choreGone) }
            return present[id]
        }
        try problems.finish(.conflict)
        return chores
    }

    /// Undoes an assignment. Its points are also removed from the contract under which they were given.
    /// - Throws: `AppError`: `notFound`, also if it was undone before; `forbidden` for a child; `conflict` if the child
    ///   spent the points.
    package func undo(_ id: ID<Assignment>, of child: PersonID, by change: Change) async throws {
        let now = clock.now
        let reversal = ID<Transfer>(at: now, random: random)
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.undo, with: child, in: tx)
                guard let assignment = try AssignmentStore.find(id, of: child, in: tx) else { throw AppError.notFound }
                guard assignment.reversedAt == nil else { throw AppError(.notFound, .alreadyUndone) }
                let spendable = try ledger.balance(of: FamilyLedgerAccounts.achievement(child), in: tx)
                guard spendable >= Int64(assignment.points) else { throw AppError(.conflict, .pointsSpent) }
                try turns.settleByPoints(of: householdActor.household, now: now, in: tx)
                try ledger.reverse(
                    id.cast(to: Transfer.self), as: reversal, kind: "chore-undone", at: now, in: tx)
                try AssignmentStore.setReversed(id, now: now, in: tx)
                try notifier.notify(
                    child, of: .pointsUndone, about: id.description, subject: assignment.name,
                    details: ["points": String(assignment.points)], by: householdActor, now: now, in: tx)
                try FamilyEvents.publish(
                    "assignment", FamilyEvents.child(child), of: householdActor.household, now: now, in: tx)
            }
        }
    }
}

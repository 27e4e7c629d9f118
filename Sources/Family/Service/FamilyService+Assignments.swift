package import Accounts
package import Kernel
import Ledger
import Storage

extension FamilyService {
    /// Returns a page of a child's assignments, newest first, including undone ones.
    /// - Throws: `AppError`: `notFound`; `invalid` at `after`.
    package func assignments(
        of child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> FamilyPage<Assignment> {
        let start: ID<Assignment>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let assignments = try await reading(for: actor) { tx, householdActor in
            try householdActor.require(.seeAssignments, with: child, in: tx)
            return try AssignmentStore.page(of: child, before: start, limit: limit + 1, in: tx)
        }
        return FamilyPage(assignments, limit: limit) { $0.id.description }
    }

    /// Gives a child points for chores: for all of them, or for none.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at `chores`, `chores.0.choreId` and
    ///   `chores.0.points`; `conflict` at `chores.0.choreId` for a chore that is deleted or doesn't exist.
    package func assign(
        _ inputs: [AssignmentInput], to child: PersonID, by change: Change
    ) async throws -> [Assignment] {
        let now = clock.now
        let draft = try AssignmentDraft(inputs)
        let booking = AssignmentBatchIDs(count: draft.entries.count, now: now, random: random)
        return try await writing(by: change.actor) { [self] tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: booking.id.description) {
                try householdActor.require(.assign, with: child, in: tx)
                let chores = try requireChores(draft.entries.map(\.choreID), of: householdActor.household, in: tx)
                let entries = zip(chores, draft.entries.map(\.points)).map { ($0, $1) }
                try book(entries, for: child, as: booking, by: householdActor, now: now, in: tx)
            }
            try householdActor.require(.seeAssignments, with: child, in: tx)
            return try booked(once, in: tx)
        }
    }

    func booked(_ once: Once, in tx: Transaction) throws -> [Assignment] {
        guard let id = ID<AssignmentBatch>(once.resource) else { throw AppError.notFound }
        let made = try AssignmentStore.booking(id, in: tx)
        guard !made.isEmpty else { throw AppError.notFound }
        return made
    }

    private func requireChores(
        _ ids: [ID<Chore>], of household: ID<Household>, in tx: Transaction
    ) throws -> [Chore] {
        let present = try ChoreStore.present(ids, of: household, in: tx)
        var problems = FamilyFieldErrors()
        let chores = ids.enumerated().compactMap { index, id -> Chore? in
            if present[id] == nil { problems.refuse("chores.\(index).choreId", .choreGone) }
            return present[id]
        }
        try problems.finish(.conflict)
        return chores
    }

    /// Posts the points and inserts the assignments. The household must be locked.
    func book(
        _ entries: [(chore: Chore, points: Int64)], for child: PersonID, as booking: AssignmentBatchIDs,
        by householdActor: HouseholdActor,
        now: Instant, in tx: Transaction
    ) throws {
        let contract = try ContractStore.present(of: [child], in: tx)[child]
        let before = try contract.map { try ledger.balance(of: FamilyLedgerAccounts.contract($0.id), in: tx) } ?? 0
        var after = before
        var assignments: [NewAssignment] = []
        for ((chore, points), id) in zip(entries, booking.assignments) {
            let assignment = NewAssignment(
                id: id, booking: booking.id, child: child, chore: chore, points: points, contract: contract?.id
            )
            try AssignmentStore.insert(assignment, by: householdActor.person, now: now, in: tx)
            try ledger.post(transfer(of: assignment, household: householdActor.household, now: now), in: tx)
            after += points
            assignments.append(assignment)
        }
        var levels: [(contract: ID<Contract>, level: StoredContract.Level)] = []
        if let contract {
            let reached = Points.newlyReached(contract.levels.map(\.threshold), from: before, to: after)
            try ContractStore.setReached(reached, of: contract.id, now: now, in: tx)
            levels = reached.map { (contract.id, contract.levels[$0 - 1]) }
        }
        try notify(of: assignments, levels: levels, child: child, by: householdActor, now: now, in: tx)
        try FamilyEvents.tell("assignment", FamilyEvents.child(child), of: householdActor.household, now: now, in: tx)
    }

    /// Returns the transfer of an assignment. Under a contract the points are posted twice: to the contract and to the
    /// achievement points.
    private func transfer(of assignment: NewAssignment, household: ID<Household>, now: Instant) -> Transfer {
        let points = assignment.points
        var legs = [Leg(account: FamilyLedgerAccounts.achievement(assignment.child), amount: points)]
        if let contract = assignment.contract {
            legs.append(Leg(account: FamilyLedgerAccounts.contract(contract), amount: points))
        }
        legs.append(Leg(account: FamilyLedgerAccounts.given(household), amount: -points * Int64(legs.count)))
        return Transfer(
            id: assignment.transfer, kind: "chore", subject: assignment.child.description, at: now, legs: legs
        )
    }

    /// Undoes an assignment. Its points are also removed from the contract under which they were given.
    /// - Throws: `AppError`: `notFound`, also if it was undone before; `forbidden` for a child.
    package func undo(_ id: ID<Assignment>, of child: PersonID, by change: Change) async throws {
        let now = clock.now
        let reversal = ID<Transfer>(at: now, random: random)
        try await writing(by: change.actor) { [self] tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.undo, with: child, in: tx)
                guard let assignment = try AssignmentStore.find(id, of: child, in: tx) else { throw AppError.notFound }
                guard assignment.reversedAt == nil else { throw AppError(.notFound, .alreadyUndone) }
                try ledger.reverse(
                    id.cast(to: Transfer.self), as: reversal, kind: "chore-undone", at: now, in: tx)
                try AssignmentStore.setReversed(id, now: now, in: tx)
                try notify(
                    child, of: .pointsUndone, about: id.description, subject: assignment.name,
                    details: ["points": String(assignment.points)], by: householdActor, now: now, in: tx)
                try FamilyEvents.tell(
                    "assignment", FamilyEvents.child(child), of: householdActor.household, now: now, in: tx)
            }
        }
    }
}

/// The ids of a booking and its assignments, made before the transaction.
struct AssignmentBatchIDs: Sendable {
    let id: ID<AssignmentBatch>
    /// In ascending order, so that the assignments keep the order of the request.
    let assignments: [ID<Assignment>]

    init(count: Int, now: Instant, random: any RandomSource) {
        id = ID(at: now, random: random)
        assignments = (0..<count).map { _ in ID<Assignment>(at: now, random: random) }.sorted()
    }
}

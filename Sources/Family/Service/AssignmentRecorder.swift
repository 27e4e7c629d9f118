import Kernel
import Ledger
import Recurrence
import Storage

/// A chore that a child did, and the points for it.
struct DoneChore: Sendable {
    let chore: Chore
    let points: Int64
    /// The date of the occurrence that it counts for; `nil` for none.
    let occurrence: LocalDate?
    /// When the child reported it; `nil` if a parent gives the points without a report.
    let reportedAt: Instant?

    /// Returns the day on which the child did it, no matter who records it and when: that of its report, or the date of
    /// the occurrence for which a parent gives the points, unless it is done in advance.
    func day(in zone: LocalTimeZone, now: Instant) -> LocalDate {
        let today = zone.date(at: now)
        return reportedAt.map(zone.date(at:)) ?? min(occurrence ?? today, today)
    }
}

/// Records assignments: rows, points, levels, notifications and events together, in the transaction of the caller.
struct AssignmentRecorder: Sendable {
    let ledger: Ledger
    let notifier: ChildNotifier
    let turns: TurnRecorder
    let goals: SavingGoalNotifier

    /// Posts the points and inserts the assignments. The household must be locked.
    /// - Parameter isAutomatic: whether the points are given because no parent decided in time. Then the parent of
    ///   `householdActor` is notified too.
    func record(
        _ entries: [DoneChore], for child: PersonID,
        as booking: AssignmentBatchIDs, isAutomatic: Bool = false,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        try turns.settleByPoints(of: householdActor.household, now: now, in: tx)
        let contract = try ContractStore.present(of: [child], in: tx)[child]
        let before = try contract.map { try ledger.balance(of: FamilyLedgerAccounts.contract($0.id), in: tx) } ?? 0
        var after = before
        let zone = try turns.occurrences.timeZone(of: householdActor.household, in: tx)
        var assignments: [NewAssignment] = []
        for (done, id) in zip(entries, booking.assignments) {
            let assignment = NewAssignment(
                id: id, booking: booking.id, child: child, chore: done.chore, points: done.points,
                contract: contract?.id, occurrence: done.occurrence, doneOn: done.day(in: zone, now: now),
                isAutomatic: isAutomatic
            )
            try AssignmentStore.insert(assignment, by: householdActor.person, now: now, in: tx)
            try ledger.post(transfer(of: assignment, household: householdActor.household, now: now), in: tx)
            after += done.points
            assignments.append(assignment)
        }
        try DeclinedRequestStore.delete(of: child, for: entries.map(\.chore.id), in: tx)
        var levels: [(contract: ID<Contract>, level: StoredContract.Level)] = []
        if let contract {
            let reached = Points.newlyReached(contract.levels.map(\.threshold), from: before, to: after)
            try ContractStore.setReached(reached, of: contract.id, now: now, in: tx)
            levels = reached.map { (contract.id, contract.levels[$0 - 1]) }
        }
        try notifier.notify(of: assignments, levels: levels, child: child, by: householdActor, now: now, in: tx)
        try goals.update(child, by: householdActor, now: now, in: tx)
        try FamilyEvents.publish(
            "assignment", FamilyEvents.child(child), of: householdActor.household, now: now, in: tx)
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

    /// Returns the assignments that the request created, or the same request before.
    func assignments(of once: Once, in tx: Transaction) throws -> [Assignment] {
        guard let id = ID<AssignmentBatch>(once.resource) else { throw AppError.notFound }
        let created = try AssignmentStore.booking(id, in: tx)
        guard !created.isEmpty else { throw AppError.notFound }
        return created
    }
}

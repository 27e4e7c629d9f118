package import Accounts
package import Kernel
import Recurrence
import Storage

/// The schedules of chores.
package struct ScheduleService: Sendable {
    let transactions: HouseholdTransactions
    let today: TodayReader
    let occurrences: OccurrenceReader
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a chore with its present schedule, and the children to choose from.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func details(of chore: ID<Chore>, for actor: Actor) async throws -> ChoreScheduleDetails {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            let chore = try householdActor.chore(chore, for: .editChore, in: tx).chore
            let household = householdActor.household
            let children = try HouseholdStore.page(
                of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
            return ChoreScheduleDetails(
                chore: chore, schedule: try schedule(of: chore.id, in: tx),
                children: try today.members(children, in: tx),
                timeZone: try ScheduleStore.timeZone(of: household, in: tx),
                today: try occurrences.timeZone(of: household, in: tx).date(at: now))
        }
    }

    /// Sets the schedule of a chore. A present one ends; what was done stays, and so does what is overdue.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at `childIds`, `startsOn`, `dueTime`,
    ///   `rule` and `timeZone`; `conflict` if the schedule changed since `change.ifVersion`.
    package func set(
        _ input: ChoreScheduleInput, of chore: ID<Chore>, by change: Change
    ) async throws -> ChoreSchedule {
        let now = clock.now
        let draft = try ChoreScheduleDraft(input)
        let id = ID<StoredSchedule>(at: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: chore.description) {
                _ = try householdActor.chore(chore, for: .editChore, in: tx)
                let household = householdActor.household
                let before = try schedule(of: chore, in: tx)
                if change.isStale(at: before?.version ?? 0) { throw AppError(.conflict, .movedOn) }
                let present = try HouseholdStore.page(
                    of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
                guard Set(present).isSuperset(of: draft.children) else {
                    throw AppError(.invalid, .scheduleChildUnknown, field: "childIds")
                }
                if let zone = draft.timeZone {
                    try ScheduleStore.setTimeZone(zone.identifier, of: household, in: tx)
                }
                let date = try occurrences.timeZone(of: household, in: tx).date(at: now)
                try ScheduleStore.end(of: chore, on: date, in: tx)
                let version = try ScheduleStore.version(of: chore, in: tx) + 1
                try ScheduleStore.insert(
                    NewSchedule(
                        id: id, choreID: chore, draft: draft, appliesFrom: max(draft.startsOn, date), version: version),
                    now: now, in: tx)
                try publish(chore, of: household, now: now, in: tx)
            }
            _ = try householdActor.chore(chore, for: .seeChores, in: tx)
            guard let saved = try schedule(of: chore, in: tx) else { throw AppError.notFound }
            return saved
        }
    }

    /// Ends the schedule of a chore. What was done stays; what is overdue doesn't.
    /// - Throws: `AppError`: `notFound`, also without a schedule; `forbidden` for a child; `conflict` if the schedule
    ///   changed since `change.ifVersion`.
    package func remove(of chore: ID<Chore>, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: chore.description) {
                _ = try householdActor.chore(chore, for: .editChore, in: tx)
                guard let before = try schedule(of: chore, in: tx) else { throw AppError.notFound }
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                let household = householdActor.household
                let date = try occurrences.timeZone(of: household, in: tx).date(at: now)
                try ScheduleStore.end(of: chore, on: date, in: tx)
                try publish(chore, of: household, now: now, in: tx)
            }
        }
    }

    private func schedule(of chore: ID<Chore>, in tx: Transaction) throws -> ChoreSchedule? {
        guard let stored = try ScheduleStore.present(of: chore, in: tx) else { return nil }
        let children = try ScheduleStore.children(of: [stored.id], in: tx)[stored.id] ?? []
        return ChoreSchedule(stored, children: children)
    }

    private func publish(
        _ chore: ID<Chore>, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try FamilyEvents.publish("chore", FamilyEvents.chore(chore), of: household, now: now, in: tx)
    }
}

extension ChoreSchedule {
    init(_ stored: StoredSchedule, children: [PersonID]) {
        self.init(
            choreID: stored.chore.id, children: children, startsOn: stored.startsOn, dueTime: stored.dueTime,
            rule: stored.rule, version: stored.version)
    }
}

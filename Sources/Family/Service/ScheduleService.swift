package import Accounts
package import Kernel
import Recurrence
import Storage

/// The schedules of chores.
package struct ScheduleService: Sendable {
    let transactions: HouseholdTransactions
    let today: TodayReader
    let occurrences: OccurrenceReader
    let recorder: ScheduleRecorder
    let notifier: ChildNotifier
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
                today: try occurrences.timeZone(of: household, in: tx).date(at: now),
                dates: try dates(of: chore.id, household, now: now, in: tx))
        }
    }

    /// Returns the next dates of a chore from today on, also the skipped ones.
    private func dates(
        of chore: ID<Chore>, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws -> [ScheduleDate] {
        let calendar = try occurrences.calendar(of: household, chores: [chore], now: now, in: tx)
        guard let schedule = calendar.schedules.first(where: \.isPresent) else { return [] }
        let last = max(calendar.today, schedule.appliesFrom).adding(days: -1)
        let turns =
            schedule.distribution == .turns
            ? try calendar.coming(schedule, calendar.comingTurns(), limit: Limits.shownDates).compactMap(\.turn) : []
        let children = Dictionary(
            (turns + calendar.turns.values).map { ($0.date, $0.childID) }
        ) { coming, _ in coming }
        return try calendar.expanded(schedule, hasSkips: false).occurrences(after: last, limit: Limits.shownDates).map {
            ScheduleDate(
                date: $0.date, childID: children[$0.date], isSkipped: calendar.skips[chore]?.contains($0.date) ?? false)
        }
    }

    /// Returns the chores with their schedules.
    /// - Throws: `AppError.forbidden` for a child.
    package func plan(for actor: Actor) async throws -> ChorePlan {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.addChore)
            let household = householdActor.household
            let today = try occurrences.timeZone(of: household, in: tx).date(at: now)
            let stored = try ScheduleStore.applying(since: today, of: household, in: tx).filter(\.isPresent)
            let children = try ScheduleStore.children(of: stored.map(\.id), in: tx)
            let schedules = stored.map { ($0.chore.id, ChoreSchedule($0, children: children[$0.id] ?? [])) }
            let members = try HouseholdStore.page(
                of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
            return ChorePlan(
                chores: try ChoreStore.page(of: household, after: nil, limit: Limits.choresPerHousehold, in: tx),
                schedules: Dictionary(schedules) { one, _ in one }, children: try self.today.members(members, in: tx))
        }
    }

    /// Sets the schedule of a chore. A present one ends; what was done stays, and so does what is overdue.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at `childIds`, `startsOn`, `dueTime`,
    ///   `rule`, `distribution`, `offeredPoints`, `graceMinutes`, `remindMinutesBefore` and `timeZone`;
    ///   `conflict` if the schedule changed since `change.ifVersion`.
    package func set(
        _ input: ChoreScheduleInput, of chore: ID<Chore>, by change: Change
    ) async throws -> ChoreSchedule {
        let now = clock.now
        let draft = try ChoreScheduleDraft(input)
        let id = ID<StoredSchedule>(at: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: chore.description) {
                _ = try householdActor.chore(chore, for: .editChore, in: tx)
                let present = try schedule(of: chore, in: tx)
                if change.isStale(at: present?.version ?? 0) { throw AppError(.conflict, .movedOn) }
                try replace(present, with: draft, id: id, of: chore, by: householdActor, now: now, in: tx)
            }
            _ = try householdActor.chore(chore, for: .seeChores, in: tx)
            guard let saved = try schedule(of: chore, in: tx) else { throw AppError.notFound }
            return saved
        }
    }

    /// Replaces the present schedule of a chore in the transaction of the caller.
    /// - Throws: `AppError.invalid` at `childIds`.
    func replace(
        _ present: ChoreSchedule?, with draft: ChoreScheduleDraft, id: ID<StoredSchedule>, of chore: ID<Chore>,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        let household = householdActor.household
        let children = try HouseholdStore.page(
            of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
        guard Set(children).isSuperset(of: draft.children) else {
            throw AppError(.invalid, .scheduleChildUnknown, field: "childIds")
        }
        let date = try recorder.set(draft, of: chore, as: id, by: householdActor, now: now, in: tx)
        try announceBounty(draft, of: chore, after: present, by: householdActor, date: date, now: now, in: tx)
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
                let turnsBefore = try recorder.renewal.begin(household, now: now, in: tx)
                try ScheduleStore.end(of: chore, on: turnsBefore.calendar.today, in: tx)
                try SkipStore.deleteAll(of: chore, in: tx)
                try recorder.renewal.endSwaps(turnsBefore, by: householdActor, now: now, in: tx)
                try FamilyEvents.publish("chore", FamilyEvents.chore(chore), of: household, now: now, in: tx)
            }
        }
    }

    /// Notifies the children of points for the first one who does a chore, unless they know it from the schedule
    /// before.
    private func announceBounty(
        _ draft: ChoreScheduleDraft, of chore: ID<Chore>, after before: ChoreSchedule?,
        by householdActor: HouseholdActor, date: LocalDate,
        now: Instant, in tx: Transaction
    ) throws {
        guard draft.distribution == .first, let points = draft.offeredPoints else { return }
        let chore = try householdActor.chore(chore, for: .seeChores, in: tx).chore
        let isKnown = before?.distribution == .first && before?.offeredPoints == points
        for child in draft.children where !isKnown || before?.children.contains(child) != true {
            try notifier.notifyOfTurn(
                .bountyOffered, chore, on: date, of: child, points: points, by: householdActor, now: now, in: tx)
        }
    }

    /// Returns the present date of a household: `2026-03-01`.
    func today(of household: ID<Household>, now: Instant, in tx: Transaction) throws -> String {
        try occurrences.timeZone(of: household, in: tx).date(at: now).text
    }

    /// Returns the present schedule of a chore; `nil` without one.
    func schedule(of chore: ID<Chore>, in tx: Transaction) throws -> ChoreSchedule? {
        guard let stored = try ScheduleStore.present(of: chore, in: tx) else { return nil }
        let children = try ScheduleStore.children(of: [stored.id], in: tx)[stored.id] ?? []
        return ChoreSchedule(stored, children: children)
    }
}

extension ChoreSchedule {
    init(_ stored: StoredSchedule, children: [PersonID]) {
        self.init(
            choreID: stored.chore.id, children: children, startsOn: stored.startsOn, dueTime: stored.dueTime,
            rule: stored.rule, distribution: stored.distribution,
            offeredPoints: stored.offeredPoints,
            graceMinutes: stored.reminders.graceMinutes, remindMinutesBefore: stored.reminders.minutesBefore,
            remindsWhenOverdue: stored.reminders.remindsWhenOverdue, version: stored.version)
    }
}

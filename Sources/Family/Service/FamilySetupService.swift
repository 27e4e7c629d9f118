package import Accounts
import Kernel
import Recurrence
import Storage

/// The set-up of Family for a child: the child, its chores with schedules, and its first contract, in one transaction.
package struct FamilySetupService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildService
    let childReader: ChildReader
    let starterChores: StarterChoreService
    let schedules: ScheduleService
    let planner: ReminderPlanner
    let contracts: ContractService
    let clock: any WallClock
    let random: any RandomSource

    /// Checks the rules that need no stored data.
    /// - Throws: `AppError.invalid` as when the child is created.
    package func validate(_ setup: FamilySetup) throws { try setup.check(now: clock.now) }

    /// Adds a child with its chores and its first contract. A chore that the household has already isn't added again:
    /// the child is added to its schedule if each child does it, and a chore without a schedule gets one.
    /// - Throws: `AppError`: `invalid` at `name`, `dateOfBirth`, `chores`, `reward`, `points` and `timeZone`;
    ///   `forbidden` for a child; `conflict` without room for the child or the chores. Then nothing is stored.
    package func create(_ setup: FamilySetup, by change: Change) async throws -> Child {
        let now = clock.now
        let draft = try FamilySetupDraft(setup, now: now)
        let id = PersonID(at: now, random: random)
        let contract = ID<Contract>(at: now, random: random)
        let wanted = starterChores.wanted(setup.chores)
        let ids = starterChores.ids(wanted.count, now: now)
        let scheduleIDs = wanted.map { _ in ID<StoredSchedule>(at: now, random: random) }
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try children.insert(draft.child, id: id, by: householdActor, now: now, in: tx)
                try setTimeZone(draft, of: householdActor.household, now: now, in: tx)
                try plan(wanted, ids: ids, scheduleIDs: scheduleIDs, for: id, by: householdActor, now: now, in: tx)
                if let draft = draft.contract {
                    try contracts.insert(draft, id: contract, for: id, by: householdActor, now: now, in: tx)
                }
            }
            guard let created = PersonID(once.resource) else { throw AppError.notFound }
            return try childReader.child(created, for: householdActor, in: tx)
        }
    }

    /// The browser's time zone is a guess. It doesn't replace one that a parent chose.
    private func setTimeZone(
        _ draft: FamilySetupDraft, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        guard let zone = draft.timeZone, try ScheduleStore.timeZone(of: household, in: tx) == nil else { return }
        try ScheduleStore.setTimeZone(zone.identifier, of: household, in: tx)
        try planner.plan(nil, of: household, now: now, in: tx)
    }

    /// Adds the missing chores, and plans all of them for the child.
    private func plan(
        _ wanted: [WantedChore], ids: [ID<Chore>], scheduleIDs: [ID<StoredSchedule>], for child: PersonID,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        try householdActor.require(.addChore)
        let household = householdActor.household
        try starterChores.insert(
            wanted, ids: ids, present: try starterChores.chores(of: household, in: tx), by: householdActor, now: now,
            in: tx)
        let chores = try starterChores.chores(of: household, in: tx)
        let today = try schedules.today(of: household, now: now, in: tx)
        for (wanted, id) in zip(wanted, scheduleIDs) {
            guard let chore = chores.first(where: { $0.pictureID == wanted.picture }) else { continue }
            let present = try schedules.schedule(of: chore.id, in: tx)
            guard let input = Self.schedule(of: wanted.starter, for: child, after: present, today: today) else {
                continue
            }
            try schedules.replace(
                present, with: try ChoreScheduleDraft(input), id: id, of: chore.id, by: householdActor, now: now, in: tx
            )
        }
    }

    /// Returns the schedule of a chore with the child; `nil` if the present one shares the chore between children.
    private static func schedule(
        of starter: StarterChore, for child: PersonID, after present: ChoreSchedule?, today: String
    ) -> ChoreScheduleInput? {
        // A date that is over comes no more.
        guard let present, present.rule != nil || present.startsOn.text >= today else {
            return ChoreScheduleInput(children: [child.description], startsOn: today, rule: starter.suggestedRule)
        }
        guard present.distribution == .each else { return nil }
        return ChoreScheduleInput(
            children: (present.children + [child]).map(\.description), startsOn: present.startsOn.text,
            dueTime: present.dueTime?.text, rule: present.rule?.rfc5545, offeredPoints: present.offeredPoints,
            graceMinutes: Int64(present.graceMinutes), remindMinutesBefore: present.remindMinutesBefore.map(Int64.init),
            remindsWhenOverdue: present.remindsWhenOverdue)
    }
}

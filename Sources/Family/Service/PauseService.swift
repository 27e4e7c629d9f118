package import Accounts
package import Kernel
import Recurrence
import Storage

/// The pauses of children and of the whole household: nothing is due, and rotations skip paused children.
package struct PauseService: Sendable {
    let transactions: HouseholdTransactions
    let today: TodayReader
    let occurrences: OccurrenceReader
    let renewal: TurnRenewal
    let notifier: ChildNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the present and coming pauses with the children to choose from.
    /// - Throws: `AppError.forbidden` for a child.
    package func details(for actor: Actor) async throws -> PauseDetails {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.pause)
            let household = householdActor.household
            let date = try occurrences.timeZone(of: household, in: tx).date(at: now)
            let children = try HouseholdStore.page(
                of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
            return PauseDetails(
                pauses: try PauseStore.pauses(of: household, since: date, in: tx),
                children: try today.members(children, in: tx), today: date)
        }
    }

    /// Pauses a child, or all children. The children and the other parents are notified.
    /// - Throws: `AppError`: `forbidden` for a child; `invalid` at `childId`, `startsOn` and `endsOn`; `conflict` if
    ///   the household has ``Limits/pausesPerHousehold`` pauses.
    package func create(_ input: PauseInput, by change: Change) async throws -> Pause {
        let now = clock.now
        let id = ID<Pause>(at: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let household = householdActor.household
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.pause)
                // The turns before the pause stay.
                let before = try renewal.begin(household, now: now, in: tx)
                let calendar = before.calendar
                let draft = try PauseDraft(input, today: calendar.today)
                try require(draft.childID, of: household, in: tx)
                let present = try PauseStore.pauses(of: household, since: calendar.today, in: tx)
                guard present.count < Limits.pausesPerHousehold else { throw AppError(.conflict, .tooManyPauses) }
                try PauseStore.insert(id, draft, of: household, now: now, in: tx)
                try PauseStore.deleteAll(
                    of: household, endedBefore: calendar.today.adding(days: -Limits.pauseKeptDays), in: tx)
                try renewal.finish(before, by: householdActor, now: now, in: tx)
                let pause = Pause(id: id, childID: draft.childID, startsOn: draft.startsOn, endsOn: draft.endsOn)
                try notify(
                    draft.startsOn > calendar.today ? .pausePlanned : .pauseBegun, pause, calendar, by: householdActor,
                    now: now, in: tx)
            }
            guard let id = ID<Pause>(once.resource), let pause = try PauseStore.find(id, of: household, in: tx) else {
                throw AppError.notFound
            }
            return pause
        }
    }

    /// Ends a pause: from today on chores are due again. A pause that hasn't begun before today is removed.
    /// - Returns: whether it had begun; `true` also for a repeated request.
    /// - Throws: `AppError`: `notFound`, also if it has ended; `forbidden` for a child.
    @discardableResult
    package func end(_ id: ID<Pause>, by change: Change) async throws -> Bool {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            var hadBegun = true
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.pause)
                let household = householdActor.household
                let before = try renewal.begin(household, now: now, in: tx)
                let calendar = before.calendar
                guard let pause = try PauseStore.find(id, of: household, in: tx),
                    pause.endsOn ?? .last >= calendar.today
                else { throw AppError.notFound }
                if pause.startsOn >= calendar.today {
                    try PauseStore.delete(id, in: tx)
                } else {
                    try PauseStore.end(id, on: calendar.today.adding(days: -1), in: tx)
                }
                try renewal.finish(before, by: householdActor, now: now, in: tx)
                hadBegun = pause.startsOn <= calendar.today
                try notify(
                    hadBegun ? .pauseEnded : .pauseRemoved, pause, calendar, by: householdActor, now: now, in: tx)
            }
            return hadBegun
        }
    }

    private func require(_ child: PersonID?, of household: ID<Household>, in tx: Transaction) throws {
        guard let child else { return }
        let member = try HouseholdStore.member(child, in: tx)
        guard let member, member.household == household, member.role == .child, member.deletedAt == nil else {
            throw AppError(.invalid, .scheduleChildUnknown, field: "childId")
        }
    }

    private func notify(
        _ event: HouseholdEvent, _ pause: Pause, _ calendar: HouseholdCalendar, by householdActor: HouseholdActor,
        now: Instant, in tx: Transaction
    ) throws {
        let zone = calendar.timeZone
        // The last minute of the last day, or the beginning of a pause that is planned.
        let moment: Instant? =
            switch event {
            case .pausePlanned: zone.instant(of: pause.startsOn, at: .midnight)
            case .pauseBegun:
                pause.endsOn.map { zone.instant(of: $0.adding(days: 1), at: .midnight).adding(seconds: -60) }
            default: nil
            }
        try notifier.notifyOfPause(
            event, pause.id, of: pause.childID, moment: moment, by: householdActor, now: now, in: tx)
        try FamilyEvents.publish("chore", FamilyEvents.pauses, of: householdActor.household, now: now, in: tx)
    }
}

package import Accounts
package import Kernel
import Ledger
import Recurrence
import Storage

/// The children of households.
package struct ChildService: Sendable {
    /// The assignments on the page of a child.
    private static let assignmentsShown = 10

    let transactions: HouseholdTransactions
    let children: ChildReader
    let childAccounts: ChildAccountService
    let profiles: ProfileService
    let occurrences: OccurrenceReader
    let ledger: Ledger
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of the household's children, in the order in which they were added. A child sees itself and its
    /// siblings.
    /// - Throws: `AppError`: `invalid` at `after`; `forbidden` for a child without a household.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<Child> {
        let request = try PageRequest<PersonID>(after: after, limit: limit)
        return try await transactions.read(for: actor) { tx, householdActor in
            try children.page(for: householdActor, request, in: tx)
        }
    }

    /// Returns one child.
    /// - Throws: `AppError.notFound` if it isn't in the actor's household.
    package func child(_ id: PersonID, for actor: Actor) async throws -> Child {
        try await transactions.read(for: actor) { tx, householdActor in
            try children.child(id, for: householdActor, in: tx)
        }
    }

    /// Returns the data of a child's page.
    /// - Throws: `AppError.notFound` if it isn't in the actor's household.
    package func details(of id: PersonID, for actor: Actor) async throws -> ChildDetails {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            let child = try children.child(id, for: householdActor, in: tx)
            try householdActor.require(.seeAssignments, with: id, in: tx)
            let assignments = try AssignmentStore.page(
                of: id, before: nil, limit: Self.assignmentsShown + 1, in: tx)
            let zone = try occurrences.timeZone(of: householdActor.household, in: tx)
            let today = zone.date(at: now)
            let isOpen = try householdActor.may(.seeRequests, with: id, in: tx)
            return ChildDetails(
                child: child,
                assignments: ListPage(assignments, limit: Self.assignmentsShown) { $0.id.description },
                requests: isOpen
                    ? try RequestStore.page(
                        of: id, household: householdActor.household, after: nil, limit: Limits.pageSizeMaximum, in: tx)
                    : [],
                chores: isOpen
                    ? try ChoreStore.page(
                        of: householdActor.household, after: nil, limit: Limits.pageSizeMaximum, in: tx) : [],
                declined: isOpen
                    ? try DeclinedRequestStore.all(
                        of: [id], since: now.adding(seconds: -Limits.declinedRequestSeconds), in: tx) : [],
                doneToday: Set(
                    assignments.filter { $0.reversedAt == nil && zone.date(at: $0.at) == today }.compactMap(\.choreID)))
        }
    }

    /// Adds a child to the actor's household.
    /// - Throws: `AppError`: `invalid` at `name`, `dateOfBirth`, `theme` and `avatarPictureId`; `forbidden` for a
    ///   child; `conflict` if the household has ``Limits/childrenPerHousehold``.
    package func create(_ profile: ChildProfile, by change: Change) async throws -> Child {
        let now = clock.now
        let checked = try AppError.ofChild { try ValidatedChildProfile(profile, now: now) }
        let id = PersonID(at: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try insert(checked, id: id, by: householdActor, now: now, in: tx)
            }
            guard let created = PersonID(once.resource) else { throw AppError.notFound }
            return try children.child(created, for: householdActor, in: tx)
        }
    }

    /// Adds a child in the transaction of the caller.
    /// - Throws: `AppError` as ``create(_:by:)``.
    func insert(
        _ profile: ValidatedChildProfile, id: PersonID, by householdActor: HouseholdActor, now: Instant,
        in tx: Transaction
    ) throws {
        try householdActor.require(.addChild)
        try requireRoom(in: householdActor.household, in: tx)
        try childAccounts.requireBirth(of: profile, after: householdActor.person, in: tx)
        _ = try childAccounts.create(profile, id: id, by: householdActor.person, now: now, in: tx)
        let member = StoredMember(person: id, household: householdActor.household, role: .child, deletedAt: nil)
        _ = try HouseholdStore.insert(member, now: now, in: tx)
        try ledger.open(
            FamilyLedgerAccounts.given(householdActor.household), unit: FamilyLedgerAccounts.unit,
            mayOverdraw: true, now: now, in: tx)
        try ledger.open(FamilyLedgerAccounts.achievement(id), unit: FamilyLedgerAccounts.unit, now: now, in: tx)
        try FamilyEvents.publish(
            "child", FamilyEvents.child(id), version: 1, of: householdActor.household, now: now, in: tx)
    }

    private func requireRoom(in household: ID<Household>, in tx: Transaction) throws {
        guard try HouseholdStore.count(of: household, .child, in: tx) < Limits.childrenPerHousehold else {
            throw AppError(.conflict, .tooManyChildren)
        }
    }

    /// Checks the rules for a new child's profile that need no stored data.
    /// - Throws: `AppError.invalid` as when the child is created.
    package func validate(_ profile: ChildProfile) throws {
        _ = try AppError.ofChild { try ValidatedChildProfile(profile, now: clock.now) }
    }

    /// Checks the rules for changes of a child's profile that need no stored data.
    /// - Parameter isOwn: whether the child changes its own profile.
    /// - Throws: `AppError.invalid` as when they are made.
    package func validate(_ changes: ProfileChanges, isOwn: Bool) throws {
        let work = { try profiles.check(changes, isChild: true, hasEmail: false) }
        try isOwn ? work() : AppError.ofChild(work)
    }

    /// Changes a child's name, date of birth, theme or avatar, as a parent or as the child itself.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling; `invalid` at the fields; `conflict` if the profile
    ///   changed since `change.ifVersion`.
    package func update(_ id: PersonID, _ changes: ProfileChanges, by change: Change) async throws -> Child {
        let now = clock.now
        let changes = ProfileChanges(
            name: changes.name, dateOfBirth: changes.dateOfBirth, theme: changes.theme,
            avatarPictureID: changes.avatarPictureID
        )
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                try householdActor.require(.editChild, with: id, in: tx)
                let update = {
                    try childAccounts.update(
                        id, changes, by: householdActor.person, ifVersion: change.ifVersion, now: now, in: tx)
                }
                let (before, after) = try householdActor.role == .parent ? AppError.ofChild(update) : update()
                guard after != before else { return }
                try FamilyEvents.publish(
                    "child", FamilyEvents.child(id), version: after.version, of: householdActor.household, now: now,
                    in: tx)
            }
            return try children.child(id, for: householdActor, in: tx)
        }
    }

    /// Requires that the actor may change a child's profile. Call it before costly work such as storing a picture.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling.
    package func requireEditing(_ id: PersonID, by actor: Actor) async throws {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.editChild, with: id, in: tx)
        }
    }
}

package import Accounts
package import Kernel
import Ledger
import Storage

extension FamilyService {
    /// Returns a page of the household's children, in the order in which they were added. A child sees itself and its
    /// siblings.
    /// - Throws: `AppError`: `invalid` at `after`; `forbidden` for a child without a household.
    package func children(for actor: Actor, after: String?, limit: Int) async throws -> FamilyPage<Child> {
        let start: PersonID? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let children = try await reading(for: actor) { [self] tx, householdActor in
            try householdActor.require(.seeChild)
            let ids = try HouseholdStore.page(
                of: householdActor.household, .child, after: start, limit: limit + 1, in: tx)
            return try assembled(ids, for: householdActor, in: tx)
        }
        return FamilyPage(children, limit: limit) { $0.id.description }
    }

    /// Returns one child.
    /// - Throws: `AppError.notFound` if it isn't in the actor's household.
    package func child(_ id: PersonID, for actor: Actor) async throws -> Child {
        try await reading(for: actor) { [self] tx, householdActor in try child(id, for: householdActor, in: tx) }
    }

    func child(_ id: PersonID, for householdActor: HouseholdActor, in tx: Transaction) throws -> Child {
        try householdActor.require(.seeChild, with: id, in: tx)
        guard let child = try assembled([id], for: householdActor, in: tx).first else { throw AppError.notFound }
        return child
    }

    /// Adds a child to the actor's household.
    /// - Throws: `AppError`: `invalid` at `name`, `dateOfBirth`, `theme` and `avatarPictureId`; `forbidden` for a
    ///   child; `conflict` if the household has ``Limits/childrenPerHousehold``.
    package func addChild(_ profile: ChildProfile, by change: Change) async throws -> Child {
        let now = clock.now
        let checked = try AppError.ofChild { try ValidatedChildProfile(profile, now: now) }
        let id = PersonID(at: now, random: random)
        return try await writing(by: change.actor) { [self] tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.addChild)
                try requireRoomForChild(in: householdActor.household, in: tx)
                _ = try accounts.addChild(checked, id: id, by: householdActor.person, now: now, in: tx)
                let member = StoredMember(person: id, household: householdActor.household, role: .child, deletedAt: nil)
                _ = try HouseholdStore.insert(member, now: now, in: tx)
                try ledger.open(
                    FamilyLedgerAccounts.given(householdActor.household), unit: FamilyLedgerAccounts.unit,
                    mayOverdraw: true, now: now, in: tx)
                try ledger.open(FamilyLedgerAccounts.achievement(id), unit: FamilyLedgerAccounts.unit, now: now, in: tx)
                try FamilyEvents.tell(
                    "child", FamilyEvents.child(id), version: 1, of: householdActor.household, now: now, in: tx)
            }
            guard let made = PersonID(once.resource) else { throw AppError.notFound }
            return try child(made, for: householdActor, in: tx)
        }
    }

    private func requireRoomForChild(in household: ID<Household>, in tx: Transaction) throws {
        guard try HouseholdStore.count(of: household, .child, in: tx) < Limits.childrenPerHousehold else {
            throw AppError(.conflict, .tooManyChildren)
        }
    }

    /// Checks the rules for a new child's profile that need no stored data.
    /// - Throws: `AppError.invalid` as when the child is added.
    package func check(_ profile: ChildProfile) throws {
        _ = try AppError.ofChild { try ValidatedChildProfile(profile, now: clock.now) }
    }

    /// Checks the rules for changes of a child's profile that need no stored data.
    /// - Parameter isOwn: whether the child changes its own profile.
    /// - Throws: `AppError.invalid` as when they are made.
    package func check(_ changes: ProfileChanges, isOwn: Bool) throws {
        let work = { [accounts] in try accounts.check(changes, isChild: true, hasEmail: false) }
        try isOwn ? work() : AppError.ofChild(work)
    }

    /// Changes a child's name, date of birth, theme or avatar, as a parent or as the child itself.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling; `invalid` at the fields; `conflict` if the profile
    ///   changed since `change.ifVersion`.
    package func updateChild(_ id: PersonID, _ changes: ProfileChanges, by change: Change) async throws -> Child {
        let now = clock.now
        let changes = ProfileChanges(
            name: changes.name, dateOfBirth: changes.dateOfBirth, theme: changes.theme,
            avatarPictureID: changes.avatarPictureID
        )
        return try await writing(by: change.actor) { [self] tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                try householdActor.require(.editChild, with: id, in: tx)
                let update = { [accounts] in
                    try accounts.updateChild(
                        id, changes, by: householdActor.person, ifVersion: change.ifVersion, now: now, in: tx)
                }
                let (before, after) = try householdActor.role == .parent ? AppError.ofChild(update) : update()
                guard after != before else { return }
                try FamilyEvents.tell(
                    "child", FamilyEvents.child(id), version: after.version, of: householdActor.household, now: now,
                    in: tx)
            }
            return try child(id, for: householdActor, in: tx)
        }
    }

    /// Requires that the actor may change a child's profile. Call it before costly work such as storing a picture.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling.
    package func requireEditing(_ id: PersonID, by actor: Actor) async throws {
        try await reading(for: actor) { tx, householdActor in try householdActor.require(.editChild, with: id, in: tx) }
    }

    /// Returns children as the actor sees them, in the order of `ids`.
    func assembled(_ ids: [PersonID], for householdActor: HouseholdActor, in tx: Transaction) throws -> [Child] {
        let profiles = try accounts.accounts(ids, in: tx)
        let contracts = try ContractStore.present(of: ids, in: tx)
        let purses =
            ids.map(FamilyLedgerAccounts.achievement) + contracts.values.map { FamilyLedgerAccounts.contract($0.id) }
        let balances = try ledger.balances(of: purses, in: tx)
        return try ids.compactMap { id in
            guard let account = profiles[id] else { return nil }
            let contract = contracts[id].map {
                $0.contract(balance: balances[FamilyLedgerAccounts.contract($0.id)] ?? 0)
            }
            return Child(
                id: id, name: account.name, dateOfBirth: account.dateOfBirth ?? "", theme: account.theme,
                avatarPictureID: account.avatarPictureID, gainedPoints: contract?.gainedPoints ?? 0,
                achievementPoints: balances[FamilyLedgerAccounts.achievement(id)] ?? 0,
                prizeLevel: contract?.prizeLevel ?? 0,
                contract: contract,
                deviceCount: householdActor.role == .parent ? try accounts.sessionCount(of: id, in: tx) : nil,
                version: account.version, createdAt: account.createdAt
            )
        }
    }
}

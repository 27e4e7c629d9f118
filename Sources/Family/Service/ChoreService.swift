package import Accounts
package import Kernel
import Pictures
import Storage

/// The chores of households.
package struct ChoreService: Sendable {
    let transactions: HouseholdTransactions
    let renewal: TurnRenewal
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of the household's chores, in the order in which they were added.
    /// - Throws: `AppError`: `invalid` at `after`; `forbidden` for a child without a household.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<Chore> {
        let request = try PageRequest<ID<Chore>>(after: after, limit: limit)
        let chores = try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeChores)
            return try ChoreStore.page(of: householdActor.household, after: request.after, limit: request.rows, in: tx)
        }
        return request.page(chores, \.id)
    }

    /// Returns one chore of the actor's household.
    /// - Throws: `AppError.notFound` if it isn't there or is deleted; `forbidden` for a child without a household.
    package func chore(_ id: ID<Chore>, for actor: Actor) async throws -> Chore {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.chore(id, for: .seeChores, in: tx).chore
        }
    }

    /// Adds a chore. It may have the same name and picture as another one.
    /// - Throws: `AppError`: `invalid` at the fields; `forbidden` for a child; `conflict` if the household
    ///   has ``Limits/choresPerHousehold``.
    package func create(_ input: ChoreInput, by change: Change) async throws -> SavedChore {
        let now = clock.now
        let draft = try ChoreDraft(input)
        guard let name = draft.name, let picture = draft.pictureID else {
            throw AppError(.invalid, .choreNameMissing, field: "name")
        }
        let chore = Chore(
            id: ID(at: now, random: random), name: name, pictureID: picture, version: 1, createdAt: now,
            steps: draft.steps ?? [], needsPhoto: draft.needsPhoto ?? false)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: chore.id.description) {
                try householdActor.require(.addChore)
                try requireRoom(in: householdActor.household, in: tx)
                try PictureLibrary.requireOwned(picture, by: householdActor.person, in: tx)
                try ChoreStore.insert(chore, household: householdActor.household, in: tx)
                if case .set(let automatic) = draft.automatic {
                    try ChoreStore.setAutomatic(automatic, by: householdActor.person, of: chore.id, in: tx)
                }
                try publish(chore.id, version: 1, of: householdActor.household, now: now, in: tx)
            }
            guard let created = ID<Chore>(once.resource) else { throw AppError.notFound }
            return try saved(created, for: householdActor, in: tx)
        }
    }

    /// Changes a chore. Earlier assignments keep its name and picture. If the time after which its points are
    /// given automatically changes, it begins again for open requests.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at the fields; `conflict` if
    ///   the chore changed since `change.ifVersion`.
    package func update(
        _ id: ID<Chore>, _ changes: ChoreChanges, by change: Change
    ) async throws -> SavedChore {
        let now = clock.now
        let draft = try ChoreDraft(changes)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let before = try householdActor.chore(id, for: .editChore, in: tx).chore
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                let picture = draft.pictureID ?? before.pictureID
                let after = Chore(
                    id: id, name: draft.name ?? before.name, pictureID: picture, version: before.version + 1,
                    createdAt: before.createdAt, automatic: draft.automatic.applied(to: before.automatic),
                    steps: draft.steps ?? before.steps, needsPhoto: draft.needsPhoto ?? before.needsPhoto)
                var same = after
                same.version = before.version
                guard same != before else { return }
                if picture != before.pictureID {
                    try PictureLibrary.requireOwned(picture, by: householdActor.person, in: tx)
                }
                try ChoreStore.update(after, in: tx)
                if after.automatic != before.automatic {
                    try ChoreStore.setAutomatic(after.automatic, by: householdActor.person, of: id, in: tx)
                }
                if after.automatic?.hours != before.automatic?.hours {
                    // A shorter time must not give the points of what waits at once: it begins with the change.
                    try RequestStore.setAutomatic(at: after.automatic?.moment(after: now), of: id, in: tx)
                }
                try publish(id, version: after.version, of: householdActor.household, now: now, in: tx)
            }
            return try saved(id, for: householdActor, in: tx)
        }
    }

    /// Deletes a chore. Its assignments stay. It can be restored for ``Limits/familyUndoSeconds``.
    /// - Returns: its name, also for a repeated request; `nil` if the chore is no longer stored.
    /// - Throws: `AppError`: `notFound`, also if it was deleted before; `forbidden` for a child; `conflict` if the
    ///   chore changed since `change.ifVersion`.
    @discardableResult
    package func delete(_ id: ID<Chore>, by change: Change) async throws -> String? {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let chore = try householdActor.chore(id, for: .deleteChore, in: tx).chore
                if change.isStale(at: chore.version) { throw AppError(.conflict, .movedOn) }
                let before = try renewal.begin(householdActor.household, now: now, in: tx)
                try ChoreStore.setDeleted(now, id, in: tx)
                try renewal.endSwaps(before, by: householdActor, now: now, in: tx)
                try publish(id, version: chore.version + 1, of: householdActor.household, now: now, in: tx)
            }
            guard let stored = try ChoreStore.find(id, in: tx), stored.household == householdActor.household else {
                return nil
            }
            return stored.chore.name
        }
    }

    /// Restores a deleted chore. A chore that isn't deleted doesn't change.
    /// - Throws: `AppError`: `notFound` if ``Limits/familyUndoSeconds`` are over; `forbidden` for a child; `conflict`
    ///   if the household has ``Limits/choresPerHousehold`` other chores.
    package func restore(_ id: ID<Chore>, by change: Change) async throws -> Chore {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                let stored = try householdActor.chore(id, for: .restoreChore, deleted: true, in: tx)
                guard let deletedAt = stored.deletedAt else { return }
                guard now < deletedAt.adding(seconds: Limits.familyUndoSeconds) else { throw AppError.notFound }
                try requireRoom(in: householdActor.household, in: tx)
                // Its turns are those of before, also of today.
                try renewal.turns.settle(householdActor.household, now: now, in: tx)
                try ChoreStore.setDeleted(nil, id, in: tx)
                try publish(id, version: stored.chore.version + 1, of: householdActor.household, now: now, in: tx)
            }
            return try householdActor.chore(id, for: .seeChores, in: tx).chore
        }
    }

    private func requireRoom(in household: ID<Household>, in tx: Transaction) throws {
        guard try ChoreStore.count(of: household, in: tx) < Limits.choresPerHousehold else {
            throw AppError(.conflict, .tooManyChoresKept)
        }
    }

    private func saved(_ id: ID<Chore>, for householdActor: HouseholdActor, in tx: Transaction) throws -> SavedChore {
        let chore = try householdActor.chore(id, for: .seeChores, in: tx).chore
        return SavedChore(
            chore: chore, hasTwin: try ChoreStore.hasTwin(chore, household: householdActor.household, in: tx)
        )
    }

    private func publish(
        _ id: ID<Chore>, version: Int64, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try FamilyEvents.publish("chore", FamilyEvents.chore(id), version: version, of: household, now: now, in: tx)
    }
}

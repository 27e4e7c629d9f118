package import Accounts
import Kernel
import Pictures
import Storage

/// The catalogue of chores with built-in pictures, from which a household adds several at once.
package struct StarterChoreService: Sendable {
    let transactions: HouseholdTransactions
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the catalogue, with the chores marked that the household already has.
    /// - Throws: `AppError.forbidden` for a child.
    package func list(for actor: Actor) async throws -> [OfferedChore] {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.addChore)
            let added = Set(try chores(of: householdActor.household, in: tx).map(\.pictureID))
            return StarterChore.allCases.map { chore in
                OfferedChore(chore: chore, isAdded: chore.pictureID.map { added.contains($0) } ?? false)
            }
        }
    }

    /// Adds the chosen chores, except those whose picture a chore of the household already has.
    /// - Parameter names: the name of each chosen chore in the reader's language.
    /// - Returns: the added chores, also for a repeated request.
    /// - Throws: `AppError`: `invalid` at `chores` if none is chosen; `forbidden` for a child; `conflict` if the
    ///   household has no room for all of them, in which case none is added.
    package func add(_ names: [StarterChore: String], by change: Change) async throws -> [Chore] {
        guard !names.isEmpty else { throw AppError(.invalid, .starterChoresMissing, field: "chores") }
        let now = clock.now
        let wanted = wanted(names)
        let ids = ids(wanted.count, now: now)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let household = householdActor.household
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: "\(now)") {
                try householdActor.require(.addChore)
                let present = try chores(of: household, in: tx)
                try insert(wanted, ids: ids, present: present, by: householdActor, now: now, in: tx)
            }
            let pictures = Set(wanted.map(\.picture))
            return try chores(of: household, in: tx).filter {
                pictures.contains($0.pictureID) && "\($0.createdAt)" == once.resource
            }
        }
    }

    /// The names and pictures of the chosen chores, in the order of the catalogue.
    func wanted(_ names: [StarterChore: String]) -> [WantedChore] {
        StarterChore.allCases.compactMap { starter in
            names[starter].flatMap { name in
                starter.pictureID.map { WantedChore(starter: starter, name: name, picture: $0) }
            }
        }
    }

    /// Returns ids for chores of one request. Chores are listed by id, so they keep the order of the catalogue.
    func ids(_ count: Int, now: Instant) -> [ID<Chore>] {
        (0..<count).map { index in
            ID<Chore>(
                at: Instant(millisecondsSince1970: now.millisecondsSince1970 + Int64(index)), random: random)
        }
    }

    /// Adds the chosen chores in the transaction of the caller, except those whose picture a present chore has.
    /// - Throws: `AppError.conflict` without room for all of them.
    func insert(
        _ wanted: [WantedChore], ids: [ID<Chore>], present: [Chore], by householdActor: HouseholdActor, now: Instant,
        in tx: Transaction
    ) throws {
        let household = householdActor.household
        let used = Set(present.map(\.pictureID))
        let new = zip(ids, wanted).filter { !used.contains($1.picture) }
        guard present.count + new.count <= Limits.choresPerHousehold else {
            throw AppError(.conflict, .tooManyChoresKept)
        }
        for (id, chore) in new {
            try PictureLibrary.requireOwned(chore.picture, by: householdActor.person, in: tx)
            try ChoreStore.insert(
                Chore(id: id, name: chore.name, pictureID: chore.picture, version: 1, createdAt: now),
                household: household, in: tx)
            try FamilyEvents.publish("chore", FamilyEvents.chore(id), version: 1, of: household, now: now, in: tx)
        }
    }

    func chores(of household: ID<Household>, in tx: Transaction) throws -> [Chore] {
        try ChoreStore.page(of: household, after: nil, limit: Limits.choresPerHousehold, in: tx)
    }
}

/// A chosen chore of the catalogue.
struct WantedChore {
    let starter: StarterChore
    let name: String
    let picture: ID<Picture>
}

package import Accounts
package import Kernel
import Storage

/// A person whom another person blocked.
package struct BlockedPerson: Sendable, Hashable {
    package let id: PersonID
    package let name: String
    package let blockedAt: Instant
}

/// `/carrepsa/blocks`: the people whom the actor blocked. Two people of whom one blocked the other can't write to each
/// other, and can't accept each other's packages. A delivery that is under way continues.
package struct BlockService: Sendable {
    let database: Database
    let memberships: MembershipService
    let clock: any WallClock

    /// Returns the people whom the actor blocked, by name.
    package func list(for actor: Actor) async throws -> [BlockedPerson] {
        try await memberships.ensureWallet(of: actor)
        return try await database.read { tx in try BlockStore.all(of: actor.person, in: tx) }
    }

    /// Blocks a person. Does nothing if the person is blocked.
    /// - Throws: `AppError`: `notFound` for an unknown person, a child and the actor; `conflict` above
    ///   ``Limits/blockedPeople``.
    package func block(_ id: PersonID, by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        try await memberships.ensureWallet(of: change.actor)
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try PeopleStore.lock(id, person, in: tx)
                guard id != person, let other = try PeopleStore.contact(id, in: tx), !other.isChild else {
                    throw AppError.notFound
                }
                try Self.block(id, by: person, now: now, in: tx)
            }
        }
    }

    /// Blocks a person. Lock both accounts first.
    /// - Throws: `AppError(.conflict)` above ``Limits/blockedPeople``.
    static func block(_ id: PersonID, by person: PersonID, now: Instant, in tx: Transaction) throws {
        guard try !BlockStore.contains(id, of: person, in: tx) else { return }
        guard try BlockStore.count(of: person, in: tx) < Limits.blockedPeople else {
            throw AppError(.conflict, .tooManyBlocked)
        }
        try BlockStore.insert(id, of: person, now: now, in: tx)
    }

    /// Ends a block.
    /// - Throws: `AppError.notFound` if the person isn't blocked.
    package func unblock(_ id: PersonID, by change: Change) async throws {
        let now = clock.now
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                guard try BlockStore.delete(id, of: change.actor.person, in: tx) else { throw AppError.notFound }
            }
        }
    }
}

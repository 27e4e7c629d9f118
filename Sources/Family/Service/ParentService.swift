package import Accounts
package import Kernel
import Storage

/// The parents of households, and how they leave.
package struct ParentService: Sendable {
    let transactions: HouseholdTransactions
    let parents: ParentReader
    let departure: ParentDeparture
    let proofs: ProofService
    let clock: any WallClock

    /// Returns a page of the household's parents.
    /// - Throws: `AppError`: `invalid` at `after`; `forbidden` for a child without a household.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<Member> {
        let request = try PageRequest<PersonID>(after: after, limit: limit)
        let members = try await transactions.read(for: actor) { tx, householdActor in
            try parents.members(for: householdActor, after: request.after, limit: request.rows, in: tx)
        }
        return request.page(members, \.id)
    }

    /// Returns the parents of the household with their role, in ascending order of their ids.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func all(for actor: Actor) async throws -> [Parent] {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try parents.parents(for: householdActor, now: now, in: tx)
        }
    }

    /// Returns one parent of the household.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child without a household.
    package func parent(_ id: PersonID, for actor: Actor) async throws -> Parent {
        let parents = try await all(for: actor)
        guard let parent = parents.first(where: { $0.member.id == id }) else { throw AppError.notFound }
        return parent
    }

    /// Returns the data of a parent's page.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child without a household.
    package func details(of id: PersonID, for actor: Actor) async throws -> ParentDetails {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            let all = try parents.parents(for: householdActor, now: now, in: tx)
            guard let parent = all.first(where: { $0.member.id == id }) else { throw AppError.notFound }
            let act: SensitiveAct = id == householdActor.person ? .leaveFamily : .removeParent
            let proof = try proofs.state(of: actor, for: act, now: now, in: tx)
            return ParentDetails(parent: parent, parents: all, proof: proof)
        }
    }

    /// Removes a parent from the household: the actor, or another one if the actor created the household. Children,
    /// chores and points stay. All parents and the removed one are notified, the removed one also by mail. It requires
    /// a proof (``SensitiveAct/leaveFamily``, ``SensitiveAct/removeParent``).
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child, and for another parent if the actor didn't create the
    ///   household; `conflict` for the only parent; `invalid` at `password`; `throttled` after too many wrong
    ///   passwords.
    package func remove(_ parent: PersonID, password: String? = nil, by change: Change) async throws {
        let now = clock.now
        try await transactions.writeWithProof(by: change.actor, password: password) { tx, householdActor, evidence in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: parent.description) {
                let isLeaving = parent == householdActor.person
                try householdActor.require(
                    isLeaving ? .leave : .removeParent, withParent: parent, orElse: .makerOnly, in: tx)
                guard try HouseholdStore.count(of: householdActor.household, .parent, in: tx) > 1 else {
                    throw AppError(.conflict, .onlyParent)
                }
                try proofs.require(
                    isLeaving ? .leaveFamily : .removeParent, of: change.actor, with: evidence, now: now, in: tx)
                try departure.release(parent, from: householdActor.household, now: now, in: tx)
                try HouseholdStore.remove(parent, in: tx)
                if isLeaving {
                    try departure.notifyOfLeaving(parent, householdActor.household, isNotified: true, now: now, in: tx)
                } else {
                    try departure.notifyOfRemoval(
                        parent, householdActor.household, by: householdActor.person, now: now, in: tx)
                }
            }
        }
    }
}

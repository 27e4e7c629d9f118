import Accounts
import Kernel
import Storage

/// Reads the parents of a household, in the transaction of the caller.
struct ParentReader: Sendable {
    let accounts: AccountReader

    /// Returns a page of the parents' profiles, in ascending order of their ids.
    func members(
        for householdActor: HouseholdActor, after: PersonID?, limit: Int, in tx: Transaction
    ) throws -> [Member] {
        try householdActor.require(.seeParents)
        let ids = try HouseholdStore.page(of: householdActor.household, .parent, after: after, limit: limit, in: tx)
        let profiles = try accounts.accounts(ids, in: tx)
        return ids.compactMap { profiles[$0] }.map { Member($0, role: .parent) }
    }

    /// Returns the parents with their role, in ascending order of their ids.
    func parents(for householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws -> [Parent] {
        try householdActor.require(.seeParents)
        let household = householdActor.household
        let ids = try HouseholdStore.page(
            of: household, .parent, after: nil, limit: Limits.parentsPerHousehold, in: tx)
        let profiles = try accounts.accounts(ids, in: tx)
        let maker = try HouseholdStore.maker(of: household, in: tx)
        let removals = try RemovalStore.all(of: household, in: tx).reduce(into: [:]) { $0[$1.parent] = $1 }
        let announceable = try earliestAnnouncements(by: householdActor, now: now, in: tx)
        return ids.compactMap { id in
            guard let account = profiles[id] else { return nil }
            let removal = removals[id].map { stored in
                Removal(
                    by: profiles[stored.announcedBy]?.name ?? "", announcedAt: stored.announcedAt,
                    effectiveAt: stored.effectiveAt, refusedAt: stored.refusedAt,
                    canWithdraw: id != householdActor.person
                        && RemovalRule.canWithdraw(stored, householdActor.person, maker: maker))
            }
            let announceableAt = id == householdActor.person || removal != nil ? nil : announceable(id)
            return Parent(
                member: Member(account, role: .parent), isMaker: id == maker, removal: removal,
                announceableAt: announceableAt)
        }
    }

    /// Returns a function that gives the time from which the actor can announce the removal of a parent.
    func earliestAnnouncements(
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> (PersonID) -> Instant {
        guard let joinedAt = try HouseholdStore.joinedAt(householdActor.person, in: tx) else { throw AppError.notFound }
        let withdrawn = try RemovalStore.withdrawn(of: householdActor.household, now: now, in: tx)
            .filter { $0.announcedBy == householdActor.person }
            .reduce(into: [:]) { $0[$1.parent] = $1.withdrawnAt }
        return { RemovalRule.earliestAnnouncement(joinedAt: joinedAt, withdrawnAt: withdrawn[$0]) }
    }
}

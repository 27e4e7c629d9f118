package import Accounts
package import Kernel
import Storage

/// Accepting invitations to another household.
package struct InvitationAcceptanceService: Sendable {
    let transactions: HouseholdTransactions
    let verifier: FamilyCodeVerifier
    let parents: ParentReader
    let departure: ParentDeparture
    let dissolution: HouseholdDissolution
    let notifier: ParentNotifier
    let accounts: AccountReader
    let clock: any WallClock

    /// Returns the parent who invites. Doesn't use the invitation up, and requires no session.
    /// - Parameter clientAddress: the address after trusted proxies; wrong codes are counted for it.
    /// - Throws: `AppError`: `invalid` at `code` without one; `notFound` for an invalid one; `throttled`.
    package func inviter(ofCode code: String?, clientAddress: String) async throws -> Inviter {
        let now = clock.now
        return try await verifier.verify(code, from: clientAddress, .invitationUnknown) { hash, tx in
            guard let invitation = try InvitationStore.find(hash: hash, now: now, in: tx) else { return nil }
            return try accounts.accounts([invitation.invitedBy], in: tx)[invitation.invitedBy].map {
                Inviter(name: $0.name)
            }
        }
    }

    /// Moves the actor into the household of an invitation. Their own household, which must be empty, is deleted.
    /// - Returns: the parents of the household.
    /// - Throws: `AppError`: `invalid` at `code`; `notFound` for an invalid invitation; `throttled`; `forbidden` for a
    ///   child; `conflict` if the actor is in that household already, if it has ``Limits/parentsPerHousehold``, or if
    ///   the actor's own household has another parent, children, chores or deleted children that can be restored.
    package func accept(_ code: String?, clientAddress: String, by change: Change) async throws -> ListPage<Member> {
        let parents = try await transactions.creatingHousehold(for: change.actor) {
            try await join(code, from: clientAddress, by: change)
        }
        return ListPage(items: parents, next: nil)
    }

    private func join(_ code: String?, from clientAddress: String, by change: Change) async throws -> [Member] {
        let actor = change.actor
        let now = clock.now
        return try await verifier.verify(code, from: clientAddress, .invitationUnknown) { hash, tx in
            if let scope = change.idempotency, try tx.earlier(scope) != nil {
                return try parents.members(
                    for: try transactions.resolve(actor, in: tx), after: nil, limit: Limits.pageSizeMaximum, in: tx)
            }
            guard let invitation = try InvitationStore.find(hash: hash, now: now, in: tx) else { return nil }
            guard let mine = try lockHouseholds(actor, invitation, hash: hash, now: now, in: tx) else {
                return nil
            }
            let target = invitation.household
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: target.description) {
                try mine.require(.join)
                try move(mine, to: invitation, now: now, in: tx)
            }
            let householdActor = HouseholdActor(person: mine.person, household: target, role: .parent)
            return try parents.members(for: householdActor, after: nil, limit: Limits.pageSizeMaximum, in: tx)
        }
    }

    /// Locks both households, the one with the lowest id first. Returns `nil` if the invitation has been used since.
    private func lockHouseholds(
        _ actor: Actor, _ invitation: StoredInvitation, hash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> HouseholdActor? {
        let before = try transactions.resolve(actor, in: tx)
        for household in Set([before.household, invitation.household]).sorted() {
            _ = try HouseholdStore.lock(household, in: tx)
        }
        guard try InvitationStore.find(hash: hash, now: now, in: tx) == invitation else { return nil }
        let present = try transactions.resolve(actor, in: tx)
        guard present == before else { throw AppError(.conflict, .movedOn) }
        return present
    }

    private func move(_ mine: HouseholdActor, to invitation: StoredInvitation, now: Instant, in tx: Transaction) throws
    {
        let target = invitation.household
        guard target != mine.household else { throw AppError(.conflict, .alreadyMember) }
        guard try HouseholdStore.count(of: target, .parent, in: tx) < Limits.parentsPerHousehold else {
            throw AppError(.conflict, .tooManyParents)
        }
        guard try HouseholdStore.count(of: mine.household, .child, in: tx) == 0,
            try ChoreStore.count(of: mine.household, in: tx) == 0
        else { throw AppError(.conflict, .ownHouseholdInUse) }
        // Without these two checks, a session alone could leave a household or erase children. Both require a proof.
        guard try HouseholdStore.count(of: mine.household, .parent, in: tx) == 1 else {
            throw AppError(.conflict, .leaveFirst)
        }
        guard try HouseholdStore.allChildren(of: mine.household, in: tx).isEmpty else {
            throw AppError(.conflict, .restorableFirst)
        }
        try InvitationStore.delete(invitation.id, in: tx)
        try departure.release(mine.person, from: mine.household, now: now, in: tx)
        try HouseholdStore.move(mine.person, to: target, now: now, in: tx)
        try dissolution.dissolve(mine.household, now: now, in: tx)
        try notifier.notify(
            .parentJoined, of: mine.person, target, by: mine.person, who: invitation.invitedBy, now: now, in: tx)
        try FamilyEvents.publish("parent", FamilyEvents.parents, of: target, now: now, in: tx)
    }
}

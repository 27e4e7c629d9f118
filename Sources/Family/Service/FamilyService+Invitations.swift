package import Accounts
package import Kernel
import Storage

/// Invitations with which other parents join a household.
extension FamilyService {
    /// Creates an invitation for another parent. It can be used once, within ``Limits/invitationSeconds``. Creating it
    /// requires a proof (``SensitiveAct/inviteParent``).
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: `AppError`: `invalid` at `password`; `throttled` after too many wrong passwords; `forbidden` for a
    ///   child.
    package func invite(password: String? = nil, by change: Change) async throws -> Invitation {
        let now = clock.now
        let code = Secret.code(random: random)
        let id = ID<Invitation>(at: now, random: random)
        let invitation = Invitation(
            id: id, code: code, url: "\(siteURL)/family/invitations/\(code)",
            expiresAt: now.adding(seconds: Limits.invitationSeconds)
        )
        // The response is a secret that isn't stored, so it can't be replayed.
        return try await writeWithProof(by: change.actor, password: password) {
            [accounts] tx, householdActor, evidence in
            try householdActor.require(.invite)
            try accounts.require(.inviteParent, of: change.actor, with: evidence, now: now, in: tx)
            let stored = StoredInvitation(id: id, household: householdActor.household, invitedBy: householdActor.person)
            try InvitationStore.insert(stored, hash: Secret.hash(code), expiresAt: invitation.expiresAt, in: tx)
            try InvitationStore.deleteBeyond(Limits.openInvitations, of: householdActor.household, in: tx)
            try Self.publishInvitationChange(householdActor.household, now: now, in: tx)
            return invitation
        }
    }

    /// Returns the household's unused invitations, newest first: at most ``Limits/openInvitations``.
    /// - Throws: `AppError.forbidden` for a child.
    package func invitations(for actor: Actor) async throws -> [OpenInvitation] {
        let now = clock.now
        return try await reading(for: actor) { [self] tx, householdActor in
            try householdActor.require(.seeInvitations)
            let open = try InvitationStore.open(of: householdActor.household, now: now, in: tx)
            let names = try accounts.accounts(open.map(\.by), in: tx)
            return open.map { invitation in
                OpenInvitation(
                    id: invitation.id, by: invitation.by, byName: names[invitation.by]?.name ?? "",
                    expiresAt: invitation.expiresAt)
            }
        }
    }

    /// Revokes an invitation.
    /// - Throws: `AppError`: `notFound`, also if it was used, revoked or is expired; `forbidden` for a child.
    package func revokeInvitation(_ id: ID<Invitation>, by change: Change) async throws {
        let now = clock.now
        try await writing(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.revokeInvitation)
                let open = try InvitationStore.open(of: householdActor.household, now: now, in: tx)
                guard open.contains(where: { $0.id == id }) else { throw AppError.notFound }
                try InvitationStore.delete(id, in: tx)
                try Self.publishInvitationChange(householdActor.household, now: now, in: tx)
            }
        }
    }

    /// Returns the parent who invites. Doesn't use the invitation up, and requires no session.
    /// - Parameter clientAddress: the address after trusted proxies; wrong codes are counted for it.
    /// - Throws: `AppError`: `invalid` at `code` without one; `notFound` for an invalid one; `throttled`.
    package func inviter(ofCode code: String?, clientAddress: String) async throws -> Inviter {
        let now = clock.now
        return try await trying(code, from: clientAddress, .invitationUnknown) { [self] hash, tx in
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
    package func join(_ code: String?, clientAddress: String, by change: Change) async throws -> FamilyPage<Member> {
        let parents = try await entering(change.actor) { try await joinOnce(code, from: clientAddress, by: change) }
        return FamilyPage(items: parents, next: nil)
    }

    private func joinOnce(_ code: String?, from clientAddress: String, by change: Change) async throws -> [Member] {
        let actor = change.actor
        let now = clock.now
        return try await trying(code, from: clientAddress, .invitationUnknown) { [self] hash, tx in
            if let scope = change.idempotency, try tx.earlier(scope) != nil {
                return try page(
                    ofParents: try householdActor(actor, in: tx), after: nil, limit: Limits.pageSizeMaximum, in: tx)
            }
            guard let invitation = try InvitationStore.find(hash: hash, now: now, in: tx) else { return nil }
            guard let mine = try lockHouseholdsForJoining(actor, invitation, hash: hash, now: now, in: tx) else {
                return nil
            }
            let target = invitation.household
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: target.description) {
                try mine.require(.join)
                try move(mine, to: invitation, now: now, in: tx)
            }
            let householdActor = HouseholdActor(person: mine.person, household: target, role: .parent)
            return try page(ofParents: householdActor, after: nil, limit: Limits.pageSizeMaximum, in: tx)
        }
    }

    /// Locks both households, the one with the lowest id first. Returns `nil` if the invitation has been used since.
    private func lockHouseholdsForJoining(
        _ actor: Actor, _ invitation: StoredInvitation, hash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> HouseholdActor? {
        let before = try householdActor(actor, in: tx)
        for household in Set([before.household, invitation.household]).sorted() {
            _ = try HouseholdStore.lock(household, in: tx)
        }
        guard try InvitationStore.find(hash: hash, now: now, in: tx) == invitation else { return nil }
        let present = try householdActor(actor, in: tx)
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
        try release(mine.person, from: mine.household, now: now, in: tx)
        try HouseholdStore.move(mine.person, to: target, now: now, in: tx)
        try dissolve(mine.household, now: now, in: tx)
        try notify(
            .parentJoined, of: mine.person, target, by: mine.person, who: invitation.invitedBy, now: now, in: tx)
        try FamilyEvents.tell("parent", FamilyEvents.parents, of: target, now: now, in: tx)
    }

    /// Revokes all invitations that a parent created: a person who knew their old password may hold one.
    static func voidInvitations(by person: PersonID, now: Instant, in tx: Transaction) throws {
        guard let member = try HouseholdStore.member(person, in: tx), member.role == .parent else { return }
        try InvitationStore.deleteAll(by: person, in: tx)
        // A code created with the old password would still sign in as a child.
        for child in try HouseholdStore.allChildren(of: member.household, in: tx) {
            _ = try CodeStore.close(of: child, as: .revoked, now: now, in: tx)
        }
        try publishInvitationChange(member.household, now: now, in: tx)
    }

    private static func publishInvitationChange(_ household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try FamilyEvents.tell("parent", FamilyEvents.parents, of: household, to: .parents, now: now, in: tx)
    }
}

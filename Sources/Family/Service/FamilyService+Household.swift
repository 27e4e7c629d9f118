package import Accounts
import Kernel
import Storage

extension FamilyService {
    /// A page of the household's parents.
    /// - Throws: `AppError`: `invalid` at `after`; `forbidden` for a child without a household.
    package func parents(for actor: Actor, after: String?, limit: Int) async throws -> FamilyPage<Member> {
        let start: PersonID? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let parents = try await reading(for: actor) { [self] tx, asker in
            try page(ofParents: asker, after: start, limit: limit + 1, in: tx)
        }
        return FamilyPage(parents, limit: limit) { $0.id.description }
    }

    private func page(
        ofParents asker: Asker, after: PersonID?, limit: Int, in tx: Transaction
    ) throws -> [Member] {
        try asker.require(.seeParents)
        let ids = try HouseholdStore.page(of: asker.household, .parent, after: after, limit: limit, in: tx)
        let profiles = try accounts.accounts(ids, in: tx)
        return ids.compactMap { profiles[$0] }.map { Member($0, role: .parent) }
    }

    /// The asker, as the household sees them.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func me(for actor: Actor) async throws -> Member {
        try await reading(for: actor) { [self] tx, asker in
            guard let account = try accounts.accounts([asker.person], in: tx)[asker.person] else {
                throw AppError.notFound
            }
            return Member(account, role: asker.role)
        }
    }

    /// Makes an invitation for another parent: good once, within ``Limits/invitationSeconds``.
    /// - Throws: `AppError.forbidden` for a child.
    package func invite(by change: Change) async throws -> Invitation {
        let now = clock.now
        let code = Secret.code(random: random)
        let id = ID<Invitation>(at: now, random: random)
        let invitation = Invitation(
            code: code, url: "\(siteURL)/family/invitations/\(code)",
            expiresAt: now.adding(seconds: Limits.invitationSeconds)
        )
        // The answer is a secret that can't be told again, so there is no replaying it.
        return try await writing(by: change.actor) { tx, asker in
            try asker.require(.invite)
            let stored = StoredInvitation(id: id, household: asker.household, invitedBy: asker.person)
            try InvitationStore.insert(stored, hash: Secret.hash(code), expiresAt: invitation.expiresAt, in: tx)
            try InvitationStore.deleteBeyond(Limits.openInvitations, of: asker.household, in: tx)
            return invitation
        }
    }

    /// Who invites. Doesn't use the invitation up, and needs nobody to be signed in.
    /// - Parameter clientAddress: after trusted proxies; counts wrong codes.
    /// - Throws: `AppError`: `invalid` at `code` without one; `notFound` for one that is no good; `throttled`.
    package func inviter(ofCode code: String?, clientAddress: String) async throws -> Inviter {
        let now = clock.now
        return try await trying(code, from: clientAddress, .invitationUnknown) { [self] hash, tx in
            guard let invitation = try InvitationStore.find(hash: hash, now: now, in: tx) else { return nil }
            return try accounts.accounts([invitation.invitedBy], in: tx)[invitation.invitedBy].map {
                Inviter(name: $0.name)
            }
        }
    }

    /// Moves into the household of an invitation. The asker's own one, which must be empty, goes when nobody else is
    /// in it.
    /// - Returns: the parents of the asker's household.
    /// - Throws: `AppError`: `invalid` at `code`; `notFound` for an invitation that is no good; `throttled`; `forbidden`
    ///   for a child; `conflict` when the asker's own household has children or chores, when they are in that household
    ///   already, and when there are ``Limits/parentsPerHousehold`` in it.
    package func join(_ code: String?, clientAddress: String, by change: Change) async throws -> FamilyPage<Member> {
        let parents = try await entering(change.actor) { try await joinOnce(code, from: clientAddress, by: change) }
        return FamilyPage(items: parents, next: nil)
    }

    private func joinOnce(_ code: String?, from clientAddress: String, by change: Change) async throws -> [Member] {
        let actor = change.actor
        let now = clock.now
        return try await trying(code, from: clientAddress, .invitationUnknown) { [self] hash, tx in
            if let scope = change.idempotency, try tx.earlier(scope) != nil {
                return try page(ofParents: try asker(actor, in: tx), after: nil, limit: Limits.pageSizeMaximum, in: tx)
            }
            guard let invitation = try InvitationStore.find(hash: hash, now: now, in: tx) else { return nil }
            guard let mine = try lockedForJoining(actor, invitation, hash: hash, now: now, in: tx) else { return nil }
            let target = invitation.household
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: target.description) {
                try mine.require(.join)
                try move(mine, to: invitation, now: now, in: tx)
            }
            let asker = Asker(person: mine.person, household: target, role: .parent)
            return try page(ofParents: asker, after: nil, limit: Limits.pageSizeMaximum, in: tx)
        }
    }

    /// Locks both households, the lower id first; `nil` when the invitation was used up meanwhile.
    private func lockedForJoining(
        _ actor: Actor, _ invitation: StoredInvitation, hash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> Asker? {
        let before = try asker(actor, in: tx)
        for household in Set([before.household, invitation.household]).sorted() {
            _ = try HouseholdStore.lock(household, in: tx)
        }
        guard try InvitationStore.find(hash: hash, now: now, in: tx) == invitation else { return nil }
        let present = try asker(actor, in: tx)
        guard present == before else { throw AppError(.conflict, .movedOn) }
        return present
    }

    private func move(_ mine: Asker, to invitation: StoredInvitation, now: Instant, in tx: Transaction) throws {
        let target = invitation.household
        guard target != mine.household else { throw AppError(.conflict, .alreadyMember) }
        guard try HouseholdStore.count(of: target, .parent, in: tx) < Limits.parentsPerHousehold else {
            throw AppError(.conflict, .tooManyParents)
        }
        guard try HouseholdStore.count(of: mine.household, .child, in: tx) == 0,
            try ChoreStore.count(of: mine.household, in: tx) == 0
        else { throw AppError(.conflict, .ownHouseholdInUse) }
        try InvitationStore.delete(invitation.id, in: tx)
        try InvitationStore.deleteAll(by: mine.person, in: tx)
        try HouseholdStore.move(mine.person, to: target, now: now, in: tx)
        let others = try HouseholdStore.members(of: mine.household, in: tx)
        if let heir = others.first(where: { $0.role == .parent }) {
            // What was deleted a moment ago can still be brought back, and shows the photos of whoever moves away.
            try FamilyPictures.handOver(from: mine.person, to: heir.person, household: mine.household, in: tx)
            try Announcement.tell("parent", Announcement.parents, of: mine.household, now: now, in: tx)
        } else {
            try dissolve(mine.household, now: now, in: tx)
        }
        try Announcement.tell("parent", Announcement.parents, of: target, now: now, in: tx)
    }

    /// Removes a household without parents, with everything in it.
    func dissolve(_ household: ID<Household>, now: Instant, in tx: Transaction) throws {
        let children = try HouseholdStore.allChildren(of: household, in: tx)
        for child in children { try forget(child, in: tx) }
        try ChoreStore.deleteAll(of: household, in: tx)
        for child in children { try accounts.eraseChild(child, now: now, in: tx) }
        try HouseholdStore.delete(household, in: tx)
    }

    /// Removes what this module has of a child. What the ledger has stays.
    func forget(_ child: PersonID, in tx: Transaction) throws {
        try AssignmentStore.deleteAll(of: child, in: tx)
        try ContractStore.deleteAll(of: child, in: tx)
        try RequestStore.deleteAll(of: child, in: tx)
        try CodeStore.deleteAll(of: child, in: tx)
        try HouseholdStore.remove(child, in: tx)
    }
}

extension Member {
    init(_ account: Account, role: Role) {
        self.init(
            id: account.id, name: account.name, dateOfBirth: account.dateOfBirth, theme: account.theme,
            avatarPictureID: account.avatarPictureID, role: role, version: account.version
        )
    }
}

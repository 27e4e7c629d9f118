package import Accounts
package import Kernel
import Logging
import Storage

/// How parents leave a household, and how one parent removes another.
extension FamilyService {
    /// Returns the parents of the household with their role, in ascending order of their ids.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func parentsWithRole(for actor: Actor) async throws -> [Parent] {
        let now = clock.now
        return try await reading(for: actor) { [self] tx, householdActor in
            try householdActor.require(.seeParents)
            return try standing(for: householdActor, now: now, in: tx)
        }
    }

    /// Returns one parent of the household.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child without a household.
    package func parent(_ id: PersonID, for actor: Actor) async throws -> Parent {
        let parents = try await parentsWithRole(for: actor)
        guard let parent = parents.first(where: { $0.member.id == id }) else { throw AppError.notFound }
        return parent
    }

    private func standing(for householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws -> [Parent] {
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
    private func earliestAnnouncements(
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> (PersonID) -> Instant {
        guard let joinedAt = try HouseholdStore.joinedAt(householdActor.person, in: tx) else { throw AppError.notFound }
        let withdrawn = try RemovalStore.withdrawn(of: householdActor.household, now: now, in: tx)
            .filter { $0.announcedBy == householdActor.person }
            .reduce(into: [:]) { $0[$1.parent] = $1.withdrawnAt }
        return { RemovalRule.earliestAnnouncement(joinedAt: joinedAt, withdrawnAt: withdrawn[$0]) }
    }

    /// Removes a parent from the household: the actor, or another one if the actor created the household. Children,
    /// chores and points stay. All parents and the removed one are notified, the removed one also by mail. It requires
    /// a proof (``SensitiveAct/leaveFamily``, ``SensitiveAct/removeParent``).
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child, and for another parent if the actor didn't create the
    ///   household; `conflict` for the only parent; `invalid` at `password`; `throttled` after too many wrong
    ///   passwords.
    package func removeParent(_ parent: PersonID, password: String? = nil, by change: Change) async throws {
        let now = clock.now
        try await writeWithProof(by: change.actor, password: password) { [self] tx, householdActor, evidence in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: parent.description) {
                let isLeaving = parent == householdActor.person
                try householdActor.require(
                    isLeaving ? .leave : .removeParent, withParent: parent, orElse: .makerOnly, in: tx)
                guard try HouseholdStore.count(of: householdActor.household, .parent, in: tx) > 1 else {
                    throw AppError(.conflict, .onlyParent)
                }
                try accounts.require(
                    isLeaving ? .leaveFamily : .removeParent, of: change.actor, with: evidence, now: now, in: tx)
                try release(parent, from: householdActor.household, now: now, in: tx)
                try HouseholdStore.remove(parent, in: tx)
                if isLeaving {
                    try notifyOfLeaving(parent, householdActor.household, isTold: true, now: now, in: tx)
                } else {
                    try notifyOfRemoval(parent, householdActor.household, by: householdActor.person, now: now, in: tx)
                }
            }
        }
    }

    /// Announces that another parent is removed in ``Limits/removalNoticeSeconds``. All parents are notified. It
    /// requires a proof (``SensitiveAct/removeParent``).
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child, for the actor themselves, and if the actor joined
    ///   within ``Limits/removalMembershipSeconds``; `conflict` if a removal is announced, was refused and its time
    ///   isn't over, or was withdrawn within ``Limits/removalRepeatSeconds``; `invalid` at `password`; `throttled`
    ///   after too many wrong passwords.
    package func announceRemoval(
        of parent: PersonID, password: String? = nil, by change: Change
    ) async throws -> Parent {
        let now = clock.now
        return try await writeWithProof(by: change.actor, password: password) { [self] tx, householdActor, evidence in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: parent.description) {
                try householdActor.require(.announceRemoval, withParent: parent, orElse: .notWithThisParent, in: tx)
                if let before = try RemovalStore.find(parent, in: tx) {
                    throw AppError(.conflict, before.refusedAt == nil ? .removalAnnounced : .removalRefused)
                }
                try requireAnnounceable(parent, by: householdActor, now: now, in: tx)
                try accounts.require(.removeParent, of: change.actor, with: evidence, now: now, in: tx)
                let removal = StoredRemoval(
                    parent: parent, household: householdActor.household, announcedBy: householdActor.person,
                    announcedAt: now,
                    effectiveAt: now.adding(seconds: Limits.removalNoticeSeconds), refusedAt: nil)
                try RemovalStore.insert(removal, in: tx)
                try notify(
                    .removalAnnounced, of: parent, householdActor.household, by: householdActor.person,
                    who: householdActor.person,
                    until: removal.effectiveAt, resource: FamilyEvents.parent(parent), now: now, in: tx)
                try FamilyEvents.tell("parent", FamilyEvents.parents, of: householdActor.household, now: now, in: tx)
            }
            let parents = try standing(for: householdActor, now: now, in: tx)
            guard let found = parents.first(where: { $0.member.id == parent }) else { throw AppError.notFound }
            return found
        }
    }

    /// - Throws: `AppError`: `forbidden` within ``Limits/removalMembershipSeconds`` after the actor joined; `conflict`
    ///   within ``Limits/removalRepeatSeconds`` after their last announcement about the parent was withdrawn.
    private func requireAnnounceable(
        _ parent: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        guard let joinedAt = try HouseholdStore.joinedAt(householdActor.person, in: tx) else { throw AppError.notFound }
        guard RemovalRule.earliestAnnouncement(joinedAt: joinedAt, withdrawnAt: nil) <= now else {
            throw AppError(.forbidden, .tooNewToAnnounce)
        }
        guard try earliestAnnouncements(by: householdActor, now: now, in: tx)(parent) <= now else {
            throw AppError(.conflict, .announcedBefore)
        }
    }

    /// Ends the announced removal of a parent. The parent concerned refuses it; the parent who announced it or created
    /// the household withdraws it. A refused removal stays stored until it would have taken effect, and no other can be
    /// announced before that. All parents are notified.
    /// - Throws: `AppError`: `notFound`, also if no removal is announced; `forbidden` for a child, and for a parent who
    ///   may not withdraw it.
    package func endRemoval(of parent: PersonID, by change: Change) async throws {
        let now = clock.now
        try await writing(by: change.actor) { [self] tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: parent.description) {
                let isOwn = parent == householdActor.person
                try householdActor.require(
                    isOwn ? .refuseRemoval : .withdrawRemoval, withParent: parent, orElse: .notWithThisParent, in: tx)
                guard let removal = try RemovalStore.find(parent, in: tx), removal.refusedAt == nil else {
                    throw AppError.notFound
                }
                if isOwn {
                    try RemovalStore.setRefused(parent, now: now, in: tx)
                } else {
                    let maker = try HouseholdStore.maker(of: householdActor.household, in: tx)
                    guard RemovalRule.canWithdraw(removal, householdActor.person, maker: maker) else {
                        throw AppError(.forbidden, .announcerOnly)
                    }
                    try RemovalStore.withdraw(removal, now: now, in: tx)
                }
                try notify(
                    isOwn ? .removalRefused : .removalWithdrawn, of: parent, householdActor.household,
                    by: householdActor.person,
                    who: householdActor.person, resource: FamilyEvents.parent(parent), now: now, in: tx)
                try FamilyEvents.tell("parent", FamilyEvents.parents, of: householdActor.household, now: now, in: tx)
            }
        }
    }

    /// Executes the removals whose period of notice is over, each once and in its own transaction.
    func removeDueParents() async throws {
        let now = clock.now
        let due = try await database.read { tx in
            try RemovalStore.due(now: now, limit: Limits.housekeepingBatch, in: tx)
        }
        for parent in due {
            do {
                try await database.write { [self] tx in try removeDue(parent, now: now, in: tx) }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                logger.error("A parent could not be removed", metadata: ["parent": "\(parent)", "error": "\(error)"])
            }
        }
    }

    private func removeDue(_ parent: PersonID, now: Instant, in tx: Transaction) throws {
        guard let found = try RemovalStore.find(parent, in: tx) else { return }
        _ = try HouseholdStore.lock(found.household, in: tx)
        // The removal may have been withdrawn, refused or executed before the household was locked.
        guard let removal = try RemovalStore.find(parent, in: tx), removal == found, removal.effectiveAt <= now else {
            return
        }
        let isAlone = try HouseholdStore.count(of: removal.household, .parent, in: tx) < 2
        guard removal.refusedAt == nil, !isAlone else { return try RemovalStore.delete(parent, in: tx) }
        try release(parent, from: removal.household, now: now, in: tx)
        try HouseholdStore.remove(parent, in: tx)
        try notifyOfRemoval(parent, removal.household, by: nil, now: now, in: tx)
    }

    // MARK: Leaving and removal

    /// Deletes the invitations of a parent who is about to leave a household, and revokes the children's open codes,
    /// because the parent may hold one.
    func release(_ parent: PersonID, from household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try InvitationStore.deleteAll(by: parent, in: tx)
        try RemovalStore.deleteAll(of: parent, in: tx)
        for child in try HouseholdStore.allChildren(of: household, in: tx) {
            _ = try CodeStore.close(of: child, as: .revoked, now: now, in: tx)
        }
        if let heir = try HouseholdStore.parents(of: household, in: tx).first(where: { $0 != parent }) {
            try FamilyPictures.handOver(from: parent, to: heir, household: household, in: tx)
        }
    }

    /// Notifies the remaining parents that a parent left. Call it after the parent has left.
    /// - Parameter isTold: whether the parent who left is notified too, also by mail; false if the account is deleted.
    func notifyOfLeaving(
        _ parent: PersonID, _ household: ID<Household>, isTold: Bool, now: Instant, in tx: Transaction
    ) throws {
        // Another person may have used the parent's session to leave.
        try notify(.parentLeft, of: parent, household, by: isTold ? nil : parent, now: now, in: tx)
        if isTold { try accounts.postFamilyMail(.left, to: parent, now: now, in: tx) }
        try publishDeparture(parent, household, now: now, in: tx)
    }

    private func notifyOfRemoval(
        _ parent: PersonID, _ household: ID<Household>, by actor: PersonID?, now: Instant, in tx: Transaction
    ) throws {
        try notify(.parentRemoved, of: parent, household, by: actor, who: actor, now: now, in: tx)
        try accounts.postFamilyMail(.removed, to: parent, now: now, in: tx)
        try publishDeparture(parent, household, now: now, in: tx)
    }

    /// Publishes events for the household's open pages, and for those of the parent who left.
    private func publishDeparture(
        _ parent: PersonID, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try FamilyEvents.tell("parent", FamilyEvents.parents, of: household, now: now, in: tx)
        try tx.publish(
            ChangeEvent(audience: parent, kind: "parent", resource: FamilyEvents.parents, version: 0, at: now))
    }
}

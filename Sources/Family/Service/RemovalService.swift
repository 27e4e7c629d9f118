package import Accounts
package import Kernel
import Storage

/// The announced removals of parents.
package struct RemovalService: Sendable {
    let transactions: HouseholdTransactions
    let parents: ParentReader
    let notifier: ParentNotifier
    let proofs: ProofService
    let clock: any WallClock

    /// Announces that another parent is removed in ``Limits/removalNoticeSeconds``. All parents are notified. It
    /// requires a proof (``SensitiveAct/removeParent``).
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child, for the actor themselves, and if the actor joined
    ///   within ``Limits/removalMembershipSeconds``; `conflict` if a removal is announced, was refused and its time
    ///   isn't over, or was withdrawn within ``Limits/removalRepeatSeconds``; `invalid` at `password`; `throttled`
    ///   after too many wrong passwords.
    package func announce(
        of parent: PersonID, password: String? = nil, by change: Change
    ) async throws -> Parent {
        let now = clock.now
        return try await transactions.writeWithProof(by: change.actor, password: password) {
            tx, householdActor, evidence in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: parent.description) {
                try householdActor.require(.announceRemoval, withParent: parent, orElse: .notWithThisParent, in: tx)
                if let before = try RemovalStore.find(parent, in: tx) {
                    throw AppError(.conflict, before.refusedAt == nil ? .removalAnnounced : .removalRefused)
                }
                try requireAnnounceable(parent, by: householdActor, now: now, in: tx)
                try proofs.require(.removeParent, of: change.actor, with: evidence, now: now, in: tx)
                let removal = StoredRemoval(
                    parent: parent, household: householdActor.household, announcedBy: householdActor.person,
                    announcedAt: now, effectiveAt: now.adding(seconds: Limits.removalNoticeSeconds), refusedAt: nil)
                try RemovalStore.insert(removal, in: tx)
                try notifier.notify(
                    .removalAnnounced, of: parent, householdActor.household, by: householdActor.person,
                    who: householdActor.person, until: removal.effectiveAt, resource: FamilyEvents.parent(parent),
                    now: now, in: tx)
                try FamilyEvents.publish("parent", FamilyEvents.parents, of: householdActor.household, now: now, in: tx)
            }
            let parents = try parents.parents(for: householdActor, now: now, in: tx)
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
        guard try parents.earliestAnnouncements(by: householdActor, now: now, in: tx)(parent) <= now else {
            throw AppError(.conflict, .announcedBefore)
        }
    }

    /// Ends the announced removal of a parent. The parent concerned refuses it; the parent who announced it or created
    /// the household withdraws it. A refused removal stays stored until it would have taken effect, and no other can be
    /// announced before that. All parents are notified.
    /// - Throws: `AppError`: `notFound`, also if no removal is announced; `forbidden` for a child, and for a parent who
    ///   may not withdraw it.
    package func end(of parent: PersonID, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
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
                try notifier.notify(
                    isOwn ? .removalRefused : .removalWithdrawn, of: parent, householdActor.household,
                    by: householdActor.person, who: householdActor.person, resource: FamilyEvents.parent(parent),
                    now: now, in: tx)
                try FamilyEvents.publish("parent", FamilyEvents.parents, of: householdActor.household, now: now, in: tx)
            }
        }
    }
}

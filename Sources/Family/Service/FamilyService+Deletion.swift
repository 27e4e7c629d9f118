package import Accounts
package import Kernel
import Ledger
import Logging
import Notifications
import Storage

/// The deletion of children. A deleted child can be restored for ``Limits/childRestorationSeconds``; then housekeeping
/// erases it. All parents are notified when one of them deletes, restores or erases a child. The acting parent is also
/// notified of a deletion and an erasure, because another person may have used their session.
extension FamilyService {
    /// Deletes a child. No member sees it any more, its devices are signed out and its codes are revoked.
    /// - Returns: its name, also for a repeated request; `nil` if it has been erased since.
    /// - Throws: `AppError`: `notFound`, also if it was deleted before; `forbidden` for a child; `conflict` if the
    ///   profile changed since `change.ifVersion`, and if ``Limits/deletedChildrenPerHousehold`` children can be
    ///   restored.
    @discardableResult
    package func deleteChild(_ id: PersonID, by change: Change) async throws -> String? {
        let now = clock.now
        return try await writing(by: change.actor) { [self] tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.deleteChild, with: id, in: tx)
                guard let account = try accounts.accounts([id], in: tx)[id] else { throw AppError.notFound }
                if change.isStale(at: account.version) { throw AppError(.conflict, .movedOn) }
                let deleted = try HouseholdStore.deletedChildren(of: householdActor.household, in: tx)
                guard deleted.count < Limits.deletedChildrenPerHousehold else {
                    throw AppError(.conflict, .tooManyDeleted)
                }
                try FamilyEvents.tell(
                    "child", FamilyEvents.child(id), version: account.version, of: householdActor.household, now: now,
                    in: tx)
                try HouseholdStore.setDeleted(now, child: id, in: tx)
                _ = try CodeStore.close(of: id, as: .revoked, now: now, in: tx)
                try accounts.closeSessions(of: id, now: now, in: tx)
                try notifyOfDeletion(
                    .childDeleted, of: id, by: householdActor,
                    until: now.adding(seconds: Limits.childRestorationSeconds),
                    now: now, in: tx)
                for parent in try HouseholdStore.parents(of: householdActor.household, in: tx) {
                    try accounts.postFamilyMail(.childDeleted, to: parent, now: now, in: tx)
                }
            }
            guard try HouseholdStore.member(id, in: tx)?.household == householdActor.household else { return nil }
            return try accounts.accounts([id], in: tx)[id]?.name
        }
    }

    /// Returns the deleted children that can be restored, the last deleted first: at most
    /// ``Limits/deletedChildrenPerHousehold``.
    /// - Throws: `AppError.forbidden` for a child.
    package func deletedChildren(for actor: Actor) async throws -> [DeletedChild] {
        let now = clock.now
        return try await reading(for: actor) { [self] tx, householdActor in
            try householdActor.require(.seeDeletedChildren)
            return try deletedChildren(of: householdActor.household, now: now, in: tx)
        }
    }

    /// Returns a deleted child that can be restored.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func deletedChild(_ id: PersonID, for actor: Actor) async throws -> DeletedChild {
        let children = try await deletedChildren(for: actor)
        guard let child = children.first(where: { $0.member.id == id }) else { throw AppError.notFound }
        return child
    }

    private func deletedChildren(
        of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws -> [DeletedChild] {
        let deleted = try HouseholdStore.deletedChildren(of: household, in: tx)
        let profiles = try accounts.accounts(deleted.map(\.child), in: tx)
        return deleted.compactMap { child, deletedAt in
            guard Self.isRestorable(deletedAt, now: now), let account = profiles[child] else { return nil }
            return DeletedChild(
                member: Member(account, role: .child), deletedAt: deletedAt,
                restorableUntil: deletedAt.adding(seconds: Limits.childRestorationSeconds))
        }
    }

    /// Restores a deleted child. A child that isn't deleted doesn't change. Its devices must sign in again. The
    /// household may have more than ``Limits/childrenPerHousehold`` then: otherwise another person could add children
    /// until the deleted ones can't be restored.
    /// - Throws: `AppError`: `notFound` if ``Limits/childRestorationSeconds`` are over; `forbidden` for a child.
    package func restoreChild(_ id: PersonID, by change: Change) async throws -> Child {
        let now = clock.now
        return try await writing(by: change.actor) { [self] tx, householdActor in
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.restoreChild, with: id, deleted: true, in: tx)
                guard let deletedAt = try HouseholdStore.member(id, in: tx)?.deletedAt else { return }
                guard Self.isRestorable(deletedAt, now: now) else { throw AppError.notFound }
                try HouseholdStore.setDeleted(nil, child: id, in: tx)
                // Notifications about its devices stay: another person may have deleted and restored the child to hide
                // them.
                try withdrawNotices(
                    about: [FamilyEvents.deletedChild(id), FamilyEvents.child(id)], from: householdActor.household,
                    now: now,
                    in: tx)
                try notifyOfDeletion(.childRestored, of: id, by: householdActor, now: now, in: tx)
                try FamilyEvents.tell("child", FamilyEvents.child(id), of: householdActor.household, now: now, in: tx)
            }
            return try child(id, for: householdActor, in: tx)
        }
    }

    /// Erases a deleted child with its points and rewards before ``Limits/childRestorationSeconds`` are over. It
    /// requires a proof (``SensitiveAct/eraseChild``).
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: `AppError`: `notFound`, also for a child that isn't deleted; `forbidden` for a child; `invalid` at
    ///   `password`; `throttled` after too many wrong passwords.
    package func eraseChild(_ id: PersonID, password: String? = nil, by change: Change) async throws {
        let now = clock.now
        try await writeWithProof(by: change.actor, password: password) { [self] tx, householdActor, evidence in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.eraseChild, with: id, deleted: true, in: tx)
                guard try HouseholdStore.member(id, in: tx)?.deletedAt != nil else { throw AppError.notFound }
                try accounts.require(.eraseChild, of: change.actor, with: evidence, now: now, in: tx)
                let news = try deletionNotification(.childErased, of: id, by: householdActor, now: now, in: tx)
                try erase(id, of: householdActor.household, now: now, in: tx)
                try Self.notify(news, of: householdActor.household, now: now, in: tx)
                try FamilyEvents.tell(
                    "child", FamilyEvents.child(id), of: householdActor.household, to: .parents, now: now, in: tx)
            }
        }
    }

    static func isRestorable(_ deletedAt: Instant, now: Instant) -> Bool {
        now < deletedAt.adding(seconds: Limits.childRestorationSeconds)
    }

    // MARK: Housekeeping

    /// Erases the children that can no longer be restored. Each has its own transaction, so that a failure for one
    /// child doesn't block the others.
    func eraseDueChildren() async throws {
        let now = clock.now
        let before = now.adding(seconds: -Limits.childRestorationSeconds)
        let ids = try await database.read { tx in
            try HouseholdStore.deletedChildren(before: before, limit: Limits.housekeepingBatch, in: tx)
        }
        for id in ids {
            do {
                try await database.write { [self] tx in try eraseDue(id, deletedBefore: before, now: now, in: tx) }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                logger.error(
                    "A deleted child could not be removed", metadata: ["child": "\(id)", "error": "\(error)"])
            }
        }
    }

    private func eraseDue(_ child: PersonID, deletedBefore before: Instant, now: Instant, in tx: Transaction) throws {
        guard let found = try HouseholdStore.member(child, in: tx) else { return }
        _ = try HouseholdStore.lock(found.household, in: tx)
        // The child may have been restored before the household was locked.
        guard let deletedAt = try HouseholdStore.member(child, in: tx)?.deletedAt, deletedAt <= before else { return }
        try erase(child, of: found.household, now: now, in: tx)
    }

    /// Deletes everything of a child. The household must be locked.
    private func erase(_ child: PersonID, of household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try forget(child, in: tx)
        let page = FamilyEvents.child(child)
        try withdrawNotices(
            about: [FamilyEvents.deletedChild(child), page, "\(page)/devices"], from: household, now: now, in: tx)
        if let heir = try HouseholdStore.parents(of: household, in: tx).first {
            try FamilyPictures.handOver(from: child, to: heir, household: household, in: tx)
        }
        try accounts.eraseChild(child, now: now, in: tx)
    }

    /// Removes notifications about pages that don't exist any more, or about a deletion that was undone.
    private func withdrawNotices(
        about resources: [String], from household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        for parent in try HouseholdStore.parents(of: household, in: tx) {
            for resource in resources {
                try Notice.withdraw(about: resource, from: parent, at: now, in: tx)
            }
        }
    }

    private func notifyOfDeletion(
        _ event: HouseholdEvent, of child: PersonID, by householdActor: HouseholdActor, until: Instant? = nil,
        now: Instant,
        in tx: Transaction
    ) throws {
        let news = try deletionNotification(event, of: child, by: householdActor, until: until, now: now, in: tx)
        try Self.notify(news, of: householdActor.household, now: now, in: tx)
    }

    private func deletionNotification(
        _ event: HouseholdEvent, of child: PersonID, by householdActor: HouseholdActor, until: Instant? = nil,
        now: Instant,
        in tx: Transaction
    ) throws -> HouseholdNotification {
        var details = ["who": try Self.name(of: householdActor.person, in: tx)]
        if let step = event.step { details["step"] = step }
        if let until { details["until"] = until.rfc3339 }
        let resource =
            switch event {
            case .childDeleted: FamilyEvents.deletedChild(child)
            case .childRestored: FamilyEvents.child(child)
            default: FamilyEvents.deletedChildren
            }
        // Another person may have used the actor's session to delete or erase the child.
        let actor = event == .childRestored ? householdActor.person : nil
        return HouseholdNotification(
            event: event, about: [child.description], resource: resource, subject: try Self.name(of: child, in: tx),
            details: details, person: child, actor: actor, idMoment: now.rounded(down: Limits.childNotificationSeconds))
    }
}

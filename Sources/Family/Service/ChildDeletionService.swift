package import Accounts
package import Kernel
import Storage

/// The deletion of children. A deleted child can be restored for ``Limits/childRestorationSeconds``; then housekeeping
/// erases it. All parents are notified when one of them deletes, restores or erases a child. The acting parent is also
/// notified of a deletion and an erasure, because another person may have used their session.
package struct ChildDeletionService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildReader
    let deletedChildren: DeletedChildReader
    let erasure: ChildErasure
    let renewal: TurnRenewal
    let notifier: ChildDeletionNotifier
    let departures: any HouseholdDepartureHandler
    let accounts: AccountReader
    let sessions: SessionService
    let proofs: ProofService
    let securityMails: SecurityMails
    let clock: any WallClock

    /// Deletes a child. No member sees it any more, its devices are signed out and its codes are revoked.
    /// - Returns: its name, also for a repeated request; `nil` if it has been erased since.
    /// - Throws: `AppError`: `notFound`, also if it was deleted before; `forbidden` for a child; `conflict` if the
    ///   profile changed since `change.ifVersion`, and if ``Limits/deletedChildrenPerHousehold`` children can be
    ///   restored.
    @discardableResult
    package func delete(_ id: PersonID, by change: Change) async throws -> String? {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.deleteChild, with: id, in: tx)
                guard let account = try accounts.accounts([id], in: tx)[id] else { throw AppError.notFound }
                if change.isStale(at: account.version) { throw AppError(.conflict, .movedOn) }
                let deleted = try HouseholdStore.deletedChildren(of: householdActor.household, in: tx)
                guard deleted.count < Limits.deletedChildrenPerHousehold else {
                    throw AppError(.conflict, .tooManyDeleted)
                }
                try FamilyEvents.publish(
                    "child", FamilyEvents.child(id), version: account.version, of: householdActor.household, now: now,
                    in: tx)
                try departures.left(id, now: now, in: tx)
                let before = try renewal.begin(householdActor.household, now: now, in: tx)
                try HouseholdStore.setDeleted(now, child: id, in: tx)
                try renewal.finish(before, by: householdActor, now: now, in: tx)
                _ = try SignInCodeStore.close(of: id, as: .revoked, now: now, in: tx)
                try sessions.endAll(of: id, now: now, in: tx)
                try notifier.notify(
                    .childDeleted, of: id, by: householdActor, until: ChildRestorationRule.deadline(deletedAt: now),
                    now: now, in: tx)
                for parent in try HouseholdStore.parents(of: householdActor.household, in: tx) {
                    try securityMails.enqueue(.childDeleted, to: parent, now: now, in: tx)
                }
            }
            guard try HouseholdStore.member(id, in: tx)?.household == householdActor.household else { return nil }
            return try accounts.accounts([id], in: tx)[id]?.name
        }
    }

    /// Returns the deleted children that can be restored, the last deleted first: at most
    /// ``Limits/deletedChildrenPerHousehold``.
    /// - Throws: `AppError.forbidden` for a child.
    package func list(for actor: Actor) async throws -> [DeletedChild] {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeDeletedChildren)
            return try deletedChildren.deletedChildren(of: householdActor.household, now: now, in: tx)
        }
    }

    /// Returns a deleted child that can be restored.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func deletedChild(_ id: PersonID, for actor: Actor) async throws -> DeletedChild {
        let children = try await list(for: actor)
        guard let child = children.first(where: { $0.member.id == id }) else { throw AppError.notFound }
        return child
    }

    /// Returns the data of a deleted child's page.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func details(of id: PersonID, for actor: Actor) async throws -> DeletedChildDetails {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeDeletedChildren)
            let children = try deletedChildren.deletedChildren(of: householdActor.household, now: now, in: tx)
            guard let child = children.first(where: { $0.member.id == id }) else { throw AppError.notFound }
            let proof = try proofs.state(of: actor, for: .eraseChild, now: now, in: tx)
            return DeletedChildDetails(child: child, proof: proof)
        }
    }

    /// Restores a deleted child. A child that isn't deleted doesn't change. Its devices must sign in again. The
    /// household may have more than ``Limits/childrenPerHousehold`` then: otherwise another person could add children
    /// until the deleted ones can't be restored.
    /// - Throws: `AppError`: `notFound` if ``Limits/childRestorationSeconds`` are over; `forbidden` for a child.
    package func restore(_ id: PersonID, by change: Change) async throws -> Child {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.restoreChild, with: id, deleted: true, in: tx)
                guard let deletedAt = try HouseholdStore.member(id, in: tx)?.deletedAt else { return }
                guard ChildRestorationRule.isRestorable(deletedAt: deletedAt, now: now) else { throw AppError.notFound }
                let before = try renewal.begin(householdActor.household, now: now, in: tx)
                try HouseholdStore.setDeleted(nil, child: id, in: tx)
                try renewal.finish(before, by: householdActor, now: now, in: tx)
                // Notifications about its devices stay: another person may have deleted and restored the child to hide
                // them.
                try notifier.withdraw(
                    about: [FamilyEvents.deletedChild(id), FamilyEvents.child(id)], from: householdActor.household,
                    now: now, in: tx)
                try notifier.notify(.childRestored, of: id, by: householdActor, now: now, in: tx)
                try FamilyEvents.publish(
                    "child", FamilyEvents.child(id), of: householdActor.household, now: now, in: tx)
            }
            return try children.child(id, for: householdActor, in: tx)
        }
    }

    /// Erases a deleted child with its points and rewards before ``Limits/childRestorationSeconds`` are over. It
    /// requires a proof (``SensitiveAct/eraseChild``).
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: `AppError`: `notFound`, also for a child that isn't deleted; `forbidden` for a child; `invalid` at
    ///   `password`; `throttled` after too many wrong passwords.
    package func erase(_ id: PersonID, password: String? = nil, by change: Change) async throws {
        let now = clock.now
        try await transactions.writeWithProof(by: change.actor, password: password) { tx, householdActor, evidence in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.eraseChild, with: id, deleted: true, in: tx)
                guard try HouseholdStore.member(id, in: tx)?.deletedAt != nil else { throw AppError.notFound }
                try proofs.require(.eraseChild, of: change.actor, with: evidence, now: now, in: tx)
                let notification = try notifier.notification(.childErased, of: id, by: householdActor, now: now, in: tx)
                try erasure.erase(id, of: householdActor.household, now: now, in: tx)
                try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
                try FamilyEvents.publish(
                    "child", FamilyEvents.child(id), of: householdActor.household, to: .parents, now: now, in: tx)
            }
        }
    }
}

package import Accounts
package import Kernel
import Storage

/// The wishes of children for the shop.
package struct WishService: Sendable {
    let transactions: HouseholdTransactions
    let closer: WishCloser
    let notifier: ChildNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a child's wishes on which no parent decided yet, oldest first.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's.
    package func list(of child: PersonID, for actor: Actor) async throws -> [Wish] {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeWishes, with: child, in: tx)
            return try WishStore.all(of: child, household: householdActor.household, in: tx)
        }
    }

    /// Returns one wish.
    /// - Throws: `AppError`: `notFound`, also if a parent decided on it; `forbidden` for a sibling's.
    package func wish(_ id: ID<Wish>, of child: PersonID, for actor: Actor) async throws -> Wish {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeWishes, with: child, in: tx)
            guard let wish = try WishStore.find(id, of: child, in: tx) else { throw AppError.notFound }
            return wish
        }
    }

    /// Adds a wish of a child; the parents are notified.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child; `invalid` at `name`; `conflict` if
    ///   the child has ``Limits/wishesPerChild``.
    package func add(_ name: String?, for child: PersonID, by change: Change) async throws -> Wish {
        var problems = FieldErrors<FamilyMessage>()
        let name = ShopRewardDraft.name(name, &problems)
        try problems.finish()
        let now = clock.now
        let wish = Wish(id: ID(at: now, random: random), childID: child, name: name, at: now)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: wish.id.description) {
                try householdActor.require(.addWish, with: child, in: tx)
                guard try WishStore.count(of: child, in: tx) < Limits.wishesPerChild else {
                    throw AppError(.conflict, .tooManyWishes)
                }
                try WishStore.insert(wish, in: tx)
                try closer.publish(of: child, householdActor, now: now, in: tx)
                try notifier.notify(of: wish, by: householdActor, now: now, in: tx)
            }
            guard let id = ID<Wish>(once.resource), let added = try WishStore.find(id, of: child, in: tx) else {
                throw AppError.notFound
            }
            return added
        }
    }

    /// Declines a wish as a parent, or withdraws it as the child. A declined one notifies the child.
    /// - Throws: `AppError`: `notFound`, also if it was decided before; `forbidden` for a sibling's.
    package func remove(_ id: ID<Wish>, of child: PersonID, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let isParent = householdActor.role == .parent
                try householdActor.require(isParent ? .declineWish : .withdrawWish, with: child, in: tx)
                let wish = try closer.close(id, of: child, by: householdActor, now: now, in: tx)
                guard isParent else { return }
                try closer.notify(of: .wishDeclined, wish, by: householdActor, now: now, in: tx)
            }
        }
    }
}

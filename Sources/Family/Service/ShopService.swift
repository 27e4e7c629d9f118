package import Accounts
package import Kernel
import Pictures
import Storage

/// The shop of households: the rewards that children buy with points.
package struct ShopService: Sendable {
    let transactions: HouseholdTransactions
    let reader: ShopReader
    let closer: WishCloser
    let goals: SavingGoalNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the shop: all rewards for a parent, those that a child may buy for the child.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func shop(for actor: Actor) async throws -> FamilyShop {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try reader.shop(for: householdActor, now: now, in: tx)
        }
    }

    /// Returns one reward.
    /// - Throws: `AppError.notFound` if it isn't there, is deleted or isn't for the child.
    package func reward(_ id: ID<ShopReward>, for actor: Actor) async throws -> ShopReward {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.reward(id, for: .seeShop, in: tx).reward
        }
    }

    /// Adds a reward.
    /// - Parameter wish: the wish that it grants; its child is notified.
    /// - Throws: `AppError`: `invalid` at the fields; `forbidden` for a child; `conflict` at `childIds` for a deleted
    ///   child, and if the household has ``Limits/rewardsPerHousehold``.
    package func create(
        _ input: ShopRewardInput, granting wish: (id: ID<Wish>, child: PersonID)? = nil, by change: Change
    ) async throws -> ShopReward {
        let now = clock.now
        let draft = try ShopRewardDraft(input)
        let reward = ShopReward(draft, id: ID(at: now, random: random), version: 1, createdAt: now)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: reward.id.description) {
                try householdActor.require(.addReward)
                try requireRoom(in: householdActor.household, in: tx)
                try requireChildren(of: reward, householdActor, in: tx)
                if let picture = reward.pictureID {
                    try PictureLibrary.requireOwned(picture, by: householdActor.person, in: tx)
                }
                try RewardStore.insert(reward, household: householdActor.household, in: tx)
                if let wish { try grant(wish.id, of: wish.child, by: householdActor, now: now, in: tx) }
                try publish(reward.id, version: 1, of: householdActor.household, now: now, in: tx)
            }
            guard let created = ID<ShopReward>(once.resource) else { throw AppError.notFound }
            return try householdActor.reward(created, for: .seeShop, in: tx).reward
        }
    }

    /// Replaces the fields of a reward. Earlier purchases keep theirs.
    /// - Throws: as ``create(_:by:)``; `notFound`; `conflict` if the reward changed since `change.ifVersion`.
    package func update(
        _ id: ID<ShopReward>, _ input: ShopRewardInput, by change: Change
    ) async throws -> ShopReward {
        let now = clock.now
        let draft = try ShopRewardDraft(input)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let before = try householdActor.reward(id, for: .editReward, in: tx).reward
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                let after = ShopReward(draft, id: id, version: before.version + 1, createdAt: before.createdAt)
                try requireChildren(of: after, householdActor, in: tx)
                if let picture = after.pictureID, picture != before.pictureID {
                    try PictureLibrary.requireOwned(picture, by: householdActor.person, in: tx)
                }
                try RewardStore.update(after, in: tx)
                if after.price != before.price { try goals.update(saversOf: id, by: householdActor, now: now, in: tx) }
                try publish(id, version: after.version, of: householdActor.household, now: now, in: tx)
            }
            return try householdActor.reward(id, for: .seeShop, in: tx).reward
        }
    }

    /// Deletes a reward. Its purchases stay. It can be restored for ``Limits/familyUndoSeconds``.
    /// - Returns: its name, also for a repeated request; `nil` if it is no longer stored.
    /// - Throws: `AppError`: `notFound`, also if it was deleted before; `forbidden` for a child; `conflict` if the
    ///   reward changed since `change.ifVersion`.
    @discardableResult
    package func delete(_ id: ID<ShopReward>, by change: Change) async throws -> String? {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let reward = try householdActor.reward(id, for: .deleteReward, in: tx).reward
                if change.isStale(at: reward.version) { throw AppError(.conflict, .movedOn) }
                try RewardStore.setDeleted(now, id, in: tx)
                try publish(id, version: reward.version + 1, of: householdActor.household, now: now, in: tx)
            }
            guard let stored = try RewardStore.find(id, in: tx), stored.household == householdActor.household else {
                return nil
            }
            return stored.reward.name
        }
    }

    /// Restores a deleted reward. A reward that isn't deleted doesn't change.
    /// - Throws: `AppError`: `notFound` if ``Limits/familyUndoSeconds`` are over; `forbidden` for a child; `conflict`
    ///   if the household has ``Limits/rewardsPerHousehold`` other rewards.
    package func restore(_ id: ID<ShopReward>, by change: Change) async throws -> ShopReward {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                let stored = try householdActor.reward(id, for: .restoreReward, deleted: true, in: tx)
                guard let deletedAt = stored.deletedAt else { return }
                guard now < deletedAt.adding(seconds: Limits.familyUndoSeconds) else { throw AppError.notFound }
                try requireRoom(in: householdActor.household, in: tx)
                try RewardStore.setDeleted(nil, id, in: tx)
                try publish(id, version: stored.reward.version + 1, of: householdActor.household, now: now, in: tx)
            }
            return try householdActor.reward(id, for: .seeShop, in: tx).reward
        }
    }

    private func grant(
        _ id: ID<Wish>, of child: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        try householdActor.require(.grantWish, with: child, in: tx)
        guard try WishStore.find(id, of: child, in: tx) != nil else { throw AppError(.conflict, .wishGone) }
        let wish = try closer.close(id, of: child, by: householdActor, now: now, in: tx)
        try closer.notify(of: .wishGranted, wish, by: householdActor, now: now, in: tx)
    }

    private func requireRoom(in household: ID<Household>, in tx: Transaction) throws {
        guard try RewardStore.count(of: household, in: tx) < Limits.rewardsPerHousehold else {
            throw AppError(.conflict, .tooManyRewards)
        }
    }

    private func requireChildren(of reward: ShopReward, _ householdActor: HouseholdActor, in tx: Transaction) throws {
        for child in reward.children ?? [] {
            guard let member = try HouseholdStore.member(child, in: tx), member.deletedAt == nil,
                member.household == householdActor.household, member.role == .child
            else { throw AppError(.conflict, .scheduleChildUnknown, field: "childIds") }
        }
    }

    private func publish(
        _ id: ID<ShopReward>, version: Int64, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try FamilyEvents.publish("reward", FamilyEvents.reward(id), version: version, of: household, now: now, in: tx)
    }
}

extension ShopReward {
    fileprivate init(_ draft: ShopRewardDraft, id: ID<ShopReward>, version: Int64, createdAt: Instant) {
        self.init(
            id: id, name: draft.name, pictureID: draft.pictureID, price: draft.price, stock: draft.stock,
            children: draft.children, cooldownDays: draft.cooldownDays, needsApproval: draft.needsApproval,
            version: version, createdAt: createdAt)
    }
}

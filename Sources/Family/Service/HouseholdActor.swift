import Kernel
import Storage

/// The person who performs a use case, with their household and role.
struct HouseholdActor: Sendable, Hashable {
    let person: PersonID
    let household: ID<Household>
    let role: Member.Role

    /// - Throws: `AppError` as ``FamilyPolicy`` decides for an action on the household itself.
    func require(_ action: FamilyAction) throws {
        try require(action, .household)
    }

    func require(
        _ action: FamilyAction, _ relation: HouseholdRelation, as standing: HouseholdRole? = nil,
        orElse message: FamilyMessage? = nil
    ) throws {
        switch FamilyPolicy.verdict(standing ?? (role == .parent ? .parent : .child), relation, action) {
        case .allowed: return
        case .notFound: throw AppError.notFound
        case .forbidden: throw AppError(.forbidden, message ?? (role == .child ? .parentsOnly : .childrenOnly))
        }
    }

    /// Requires that a person is a parent of the household and that the actor may do the action with them.
    func require(
        _ action: FamilyAction, withParent parent: PersonID, orElse message: FamilyMessage, in tx: Transaction
    ) throws {
        let member = try HouseholdStore.member(parent, in: tx)
        let isThere = member.map { $0.household == household && $0.role == .parent } ?? false
        let relation: HouseholdRelation = isThere ? (parent == person ? .oneself : .household) : .stranger
        guard role == .parent else { return try require(action, relation) }
        let maker = try HouseholdStore.maker(of: household, in: tx)
        try require(action, relation, as: maker == person ? .maker : .parent, orElse: message)
    }

    /// Requires that a child exists in the household and that the actor may do the action with it.
    /// - Parameter deleted: whether a deleted child counts as existing.
    func require(_ action: FamilyAction, with child: PersonID, deleted: Bool = false, in tx: Transaction) throws {
        let member = try HouseholdStore.member(child, in: tx)
        try require(action, relation(to: member, deleted: deleted))
    }

    /// Returns whether the actor may do the action with a child of the household.
    func may(_ action: FamilyAction, with child: PersonID, in tx: Transaction) throws -> Bool {
        let relation = relation(to: try HouseholdStore.member(child, in: tx), deleted: false)
        return FamilyPolicy.verdict(role == .parent ? .parent : .child, relation, action) == .allowed
    }

    private func relation(to member: StoredMember?, deleted: Bool) -> HouseholdRelation {
        guard let member, member.household == household, member.role == .child,
            deleted || member.deletedAt == nil
        else { return .stranger }
        return member.person == person ? .oneself : .household
    }

    /// Returns a reward of the household's shop. A reward that isn't for a child doesn't exist for it.
    /// - Parameter deleted: whether a deleted reward counts as existing.
    /// - Throws: `AppError` as ``FamilyPolicy`` decides.
    func reward(
        _ id: ID<ShopReward>, for action: FamilyAction, deleted: Bool = false, in tx: Transaction
    ) throws -> StoredReward {
        let stored = try RewardStore.find(id, in: tx)
        let isThere = stored.map { found in
            found.household == household && (deleted || found.deletedAt == nil)
                && (role == .parent || found.reward.isFor(person))
        }
        try require(action, isThere == true ? .household : .stranger)
        guard let stored else { throw AppError.notFound }
        return stored
    }

    /// Returns a chore of the household.
    /// - Parameter deleted: whether a deleted chore counts as existing.
    /// - Throws: `AppError` as ``FamilyPolicy`` decides.
    func chore(
        _ id: ID<Chore>, for action: FamilyAction, deleted: Bool = false, in tx: Transaction
    ) throws -> StoredChore {
        let chore = try ChoreStore.find(id, in: tx)
        let isThere = chore.map { $0.household == household && (deleted || $0.deletedAt == nil) } ?? false
        try require(action, isThere ? .household : .stranger)
        guard let chore else { throw AppError.notFound }
        return chore
    }
}

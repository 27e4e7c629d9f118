import Accounts
import Kernel
import Storage

/// The copies of imported records in a household. Several of its parents, or former ones, may have imported the same
/// family.
struct ImportedFamilyCopies {
    let household: ID<Household>?

    func chore(_ source: ID<Chore>, in tx: Transaction) throws -> ID<Chore>? {
        try copies(of: source, ImportedFamily.Chore.kind, in: tx).first { id in
            guard let stored = try ChoreStore.find(id, in: tx) else { return false }
            return stored.household == household && stored.deletedAt == nil
        }
    }

    func child(_ source: PersonID, in tx: Transaction) throws -> PersonID? {
        try copies(of: source, ImportedFamily.Child.kind, in: tx).first { try isChild($0, in: tx) }
    }

    func contract(_ source: ID<Contract>, in tx: Transaction) throws -> ID<Contract>? {
        try copies(of: source, ImportedFamily.Contract.kind, in: tx).first { id in
            guard let stored = try ContractStore.find(id, in: tx) else { return false }
            return try isChild(stored.child, in: tx)
        }
    }

    func pause(_ source: ID<Pause>, in tx: Transaction) throws -> ID<Pause>? {
        guard let household else { return nil }
        return try copies(of: source, ImportedPlans.Pause.kind, in: tx).first {
            try PauseStore.find($0, of: household, in: tx) != nil
        }
    }

    func reward(_ source: ID<ShopReward>, in tx: Transaction) throws -> ID<ShopReward>? {
        try copies(of: source, ImportedPlans.Reward.kind, in: tx).first { id in
            guard let stored = try RewardStore.find(id, in: tx) else { return false }
            return stored.household == household && stored.deletedAt == nil
        }
    }

    func wish(_ source: ID<Wish>, of child: PersonID?, in tx: Transaction) throws -> ID<Wish>? {
        guard let child else { return nil }
        return try copies(of: source, ImportedPlans.Wish.kind, in: tx).first {
            try WishStore.find($0, of: child, in: tx) != nil
        }
    }

    private func isChild(_ person: PersonID, in tx: Transaction) throws -> Bool {
        guard let member = try HouseholdStore.member(person, in: tx) else { return false }
        return member.household == household && member.role == .child && member.deletedAt == nil
    }

    /// The known copies, and the record itself.
    private func copies<Entity>(of source: ID<Entity>, _ kind: String, in tx: Transaction) throws -> [ID<Entity>] {
        guard household != nil else { return [] }
        return try ImportRecords.copies(of: source, kind: kind, in: tx) + [source]
    }
}

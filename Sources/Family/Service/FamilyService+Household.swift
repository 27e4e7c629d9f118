package import Accounts
import Kernel
import Storage

extension FamilyService {
    /// Returns a page of the household's parents.
    /// - Throws: `AppError`: `invalid` at `after`; `forbidden` for a child without a household.
    package func parents(for actor: Actor, after: String?, limit: Int) async throws -> FamilyPage<Member> {
        let start: PersonID? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let parents = try await reading(for: actor) { [self] tx, householdActor in
            try page(ofParents: householdActor, after: start, limit: limit + 1, in: tx)
        }
        return FamilyPage(parents, limit: limit) { $0.id.description }
    }

    func page(
        ofParents householdActor: HouseholdActor, after: PersonID?, limit: Int, in tx: Transaction
    ) throws -> [Member] {
        try householdActor.require(.seeParents)
        let ids = try HouseholdStore.page(of: householdActor.household, .parent, after: after, limit: limit, in: tx)
        let profiles = try accounts.accounts(ids, in: tx)
        return ids.compactMap { profiles[$0] }.map { Member($0, role: .parent) }
    }

    /// Returns the actor as the household's members see them.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func me(for actor: Actor) async throws -> Member {
        try await reading(for: actor) { [self] tx, householdActor in
            guard let account = try accounts.accounts([householdActor.person], in: tx)[householdActor.person] else {
                throw AppError.notFound
            }
            return Member(account, role: householdActor.role)
        }
    }

    /// Deletes a household without parents, and everything in it.
    func dissolve(_ household: ID<Household>, now: Instant, in tx: Transaction) throws {
        let children = try HouseholdStore.allChildren(of: household, in: tx)
        for child in children { try forget(child, in: tx) }
        try ChoreStore.deleteAll(of: household, in: tx)
        for child in children { try accounts.eraseChild(child, now: now, in: tx) }
        try HouseholdStore.delete(household, in: tx)
    }

    /// Deletes this module's data of a child. The ledger keeps its postings.
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

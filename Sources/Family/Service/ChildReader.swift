import Accounts
import Kernel
import Ledger
import Storage

/// Reads children with their points, in the transaction of the caller.
struct ChildReader: Sendable {
    let accounts: AccountReader
    let sessions: SessionService
    let ledger: Ledger

    /// Returns one child.
    /// - Throws: `AppError.notFound` if it isn't in the actor's household.
    func child(_ id: PersonID, for householdActor: HouseholdActor, in tx: Transaction) throws -> Child {
        try householdActor.require(.seeChild, with: id, in: tx)
        guard let child = try children([id], for: householdActor, in: tx).first else { throw AppError.notFound }
        return child
    }

    /// Returns a page of the household's children, in the order in which they were added.
    func page(
        for householdActor: HouseholdActor, _ request: PageRequest<PersonID>, in tx: Transaction
    ) throws -> ListPage<Child> {
        try householdActor.require(.seeChild)
        let ids = try HouseholdStore.page(
            of: householdActor.household, .child, after: request.after, limit: request.rows, in: tx)
        return request.page(try children(ids, for: householdActor, in: tx), \.id)
    }

    /// Returns children as the actor sees them, in the order of `ids`.
    func children(_ ids: [PersonID], for householdActor: HouseholdActor, in tx: Transaction) throws -> [Child] {
        let profiles = try accounts.accounts(ids, in: tx)
        let contracts = try ContractStore.present(of: ids, in: tx)
        let keys =
            ids.flatMap { [FamilyLedgerAccounts.achievement($0), FamilyLedgerAccounts.spent($0)] }
            + contracts.values.map { FamilyLedgerAccounts.contract($0.id) }
        let goals = try SavingGoalStore.find(of: ids, in: tx)
        let balances = try ledger.balances(of: keys, in: tx)
        return try ids.compactMap { id in
            guard let account = profiles[id] else { return nil }
            let contract = contracts[id].map {
                $0.contract(balance: balances[FamilyLedgerAccounts.contract($0.id)] ?? 0)
            }
            let spendable = balances[FamilyLedgerAccounts.achievement(id)] ?? 0
            let isVisible = householdActor.role == .parent || householdActor.person == id
            return Child(
                id: id, name: account.name, dateOfBirth: account.dateOfBirth ?? "", theme: account.theme,
                avatarPictureID: account.avatarPictureID, gainedPoints: contract?.gainedPoints ?? 0,
                achievementPoints: spendable + (balances[FamilyLedgerAccounts.spent(id)] ?? 0),
                spendablePoints: isVisible ? spendable : nil, savingGoal: isVisible ? goals[id] : nil,
                prizeLevel: contract?.prizeLevel ?? 0,
                contract: contract,
                deviceCount: householdActor.role == .parent ? try sessions.count(of: id, in: tx) : nil,
                version: account.version, createdAt: account.createdAt
            )
        }
    }
}

import Kernel
import Ledger
import Storage

/// Reads contracts with their points, in the transaction of the caller.
struct ContractReader: Sendable {
    let ledger: Ledger

    func contract(_ id: ID<Contract>, of child: PersonID, in tx: Transaction) throws -> Contract {
        guard let stored = try ContractStore.find(id, in: tx), stored.child == child,
            let contract = try contracts([stored], in: tx).first
        else { throw AppError.notFound }
        return contract
    }

    func contracts(_ stored: [StoredContract], in tx: Transaction) throws -> [Contract] {
        let balances = try ledger.balances(of: stored.map { FamilyLedgerAccounts.contract($0.id) }, in: tx)
        return stored.map { $0.contract(balance: balances[FamilyLedgerAccounts.contract($0.id)] ?? 0) }
    }

    /// Returns a page of a child's contracts, newest first.
    func page(
        of child: PersonID, for householdActor: HouseholdActor, _ request: PageRequest<ID<Contract>>, in tx: Transaction
    ) throws -> ListPage<Contract> {
        try householdActor.require(.seeContracts, with: child, in: tx)
        let stored = try ContractStore.page(of: child, before: request.after, limit: request.rows, in: tx)
        return request.page(try contracts(stored, in: tx), \.id)
    }
}

package import Accounts
package import Kernel
import Ledger
import Storage

extension FamilyService {
    /// Returns a page of a child's contracts, newest first, including the present one.
    /// - Throws: `AppError`: `notFound`; `invalid` at `after`.
    package func contracts(
        of child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> FamilyPage<Contract> {
        let start: ID<Contract>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let contracts = try await reading(for: actor) { [self] tx, householdActor in
            try householdActor.require(.seeContracts, with: child, in: tx)
            return try shown(try ContractStore.page(of: child, before: start, limit: limit + 1, in: tx), in: tx)
        }
        return FamilyPage(contracts, limit: limit) { $0.id.description }
    }

    /// Returns one contract of a child.
    /// - Throws: `AppError.notFound`.
    package func contract(
        _ id: ID<Contract>, of child: PersonID, for actor: Actor
    ) async throws -> Contract {
        try await reading(for: actor) { [self] tx, householdActor in
            try householdActor.require(.seeContracts, with: child, in: tx)
            return try contract(id, of: child, in: tx)
        }
    }

    private func contract(_ id: ID<Contract>, of child: PersonID, in tx: Transaction) throws -> Contract {
        guard let stored = try ContractStore.find(id, in: tx), stored.child == child,
            let contract = try shown([stored], in: tx).first
        else { throw AppError.notFound }
        return contract
    }

    func shown(_ contracts: [StoredContract], in tx: Transaction) throws -> [Contract] {
        let balances = try ledger.balances(of: contracts.map { FamilyLedgerAccounts.contract($0.id) }, in: tx)
        return contracts.map { $0.contract(balance: balances[FamilyLedgerAccounts.contract($0.id)] ?? 0) }
    }

    /// Gives a child a new contract with 0 points. The present contract ends and stays as history.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at `maxPoints`, `description`, `levels`,
    ///   `levels.0.reward` and `levels.0.points`.
    package func addContract(
        of child: PersonID, _ input: ContractInput, by change: Change
    ) async throws -> Contract {
        let now = clock.now
        let draft = try ContractDraft(input)
        let id = ID<Contract>(at: now, random: random)
        return try await writing(by: change.actor) { [self] tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.addContract, with: child, in: tx)
                try ContractStore.end(of: child, now: now, in: tx)
                try ContractStore.insert(draft, id: id, child: child, now: now, in: tx)
                try ledger.open(FamilyLedgerAccounts.contract(id), unit: FamilyLedgerAccounts.unit, now: now, in: tx)
                try notify(
                    child, of: .contractAdded, about: id.description, subject: draft.levels.first?.reward ?? "",
                    details: draft.levels.first.map { ["reward": $0.reward] } ?? [:], by: householdActor, now: now,
                    in: tx)
                try FamilyEvents.tell(
                    "contract", FamilyEvents.child(child), version: 1, of: householdActor.household, now: now, in: tx)
            }
            guard let made = ID<Contract>(once.resource) else { throw AppError.notFound }
            try householdActor.require(.seeContracts, with: child, in: tx)
            return try contract(made, of: child, in: tx)
        }
    }

    /// Marks a level's reward as handed over, or clears that mark; also in an ended contract.
    /// - Parameter level: the level's number, from 1.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `conflict` if the level isn't reached, or the
    ///   contract changed since `change.ifVersion`.
    package func markHandedOver(
        _ isHandedOver: Bool, level number: Int, of id: ID<Contract>, of child: PersonID, by change: Change
    ) async throws -> Contract {
        let now = clock.now
        return try await writing(by: change.actor) { [self] tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                try householdActor.require(.handOver, with: child, in: tx)
                let before = try contract(id, of: child, in: tx)
                guard let level = before.levels.first(where: { $0.number == number }) else { throw AppError.notFound }
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                guard isHandedOver != (level.handedOverAt != nil) else { return }
                guard level.isReached || !isHandedOver else { throw AppError(.conflict, .levelNotReached) }
                try ContractStore.setHandedOver(isHandedOver ? now : nil, level: number, of: id, in: tx)
                try FamilyEvents.tell(
                    "contract", FamilyEvents.child(child), version: before.version + 1, of: householdActor.household,
                    now: now,
                    in: tx)
            }
            try householdActor.require(.seeContracts, with: child, in: tx)
            return try contract(id, of: child, in: tx)
        }
    }
}

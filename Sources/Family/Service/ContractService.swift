package import Accounts
package import Kernel
import Ledger
import Storage

/// The contracts of children, and the rewards for their levels.
package struct ContractService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildReader
    let contracts: ContractReader
    let notifier: ChildNotifier
    let ledger: Ledger
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of a child's contracts, newest first, including the present one.
    /// - Throws: `AppError`: `notFound`; `invalid` at `after`.
    package func list(
        of child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<Contract> {
        let request = try PageRequest<ID<Contract>>(after: after, limit: limit)
        return try await transactions.read(for: actor) { tx, householdActor in
            try contracts.page(of: child, for: householdActor, request, in: tx)
        }
    }

    /// Returns a page of contracts with the child.
    package func listWithChild(
        _ child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> ChildEntries<Contract> {
        let request = try PageRequest<ID<Contract>>(after: after, limit: limit)
        return try await transactions.read(for: actor) { tx, householdActor in
            let page = try contracts.page(of: child, for: householdActor, request, in: tx)
            return ChildEntries(child: try children.child(child, for: householdActor, in: tx), page: page)
        }
    }

    /// Returns one contract of a child.
    /// - Throws: `AppError.notFound`.
    package func contract(
        _ id: ID<Contract>, of child: PersonID, for actor: Actor
    ) async throws -> Contract {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeContracts, with: child, in: tx)
            return try contracts.contract(id, of: child, in: tx)
        }
    }

    /// Gives a child a new contract with 0 points. The present contract ends and stays as history.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at `maxPoints`, `description`, `levels`,
    ///   `levels.0.reward` and `levels.0.points`.
    package func create(
        for child: PersonID, _ input: ContractInput, by change: Change
    ) async throws -> Contract {
        let now = clock.now
        let draft = try ContractDraft(input)
        let id = ID<Contract>(at: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try insert(draft, id: id, for: child, by: householdActor, now: now, in: tx)
            }
            guard let created = ID<Contract>(once.resource) else { throw AppError.notFound }
            try householdActor.require(.seeContracts, with: child, in: tx)
            return try contracts.contract(created, of: child, in: tx)
        }
    }

    /// Gives a child a new contract in the transaction of the caller.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    func insert(
        _ draft: ContractDraft, id: ID<Contract>, for child: PersonID, by householdActor: HouseholdActor, now: Instant,
        in tx: Transaction
    ) throws {
        try householdActor.require(.addContract, with: child, in: tx)
        try ContractStore.end(of: child, now: now, in: tx)
        try ContractStore.insert(draft, id: id, child: child, now: now, in: tx)
        try ledger.open(FamilyLedgerAccounts.contract(id), unit: FamilyLedgerAccounts.unit, now: now, in: tx)
        try notifier.notify(
            child, of: .contractAdded, about: id.description, subject: draft.levels.first?.reward ?? "",
            details: draft.levels.first.map { ["reward": $0.reward] } ?? [:], by: householdActor, now: now, in: tx)
        try FamilyEvents.publish(
            "contract", FamilyEvents.child(child), version: 1, of: householdActor.household, now: now, in: tx)
    }

    /// Marks a level's reward as handed over; also in an ended contract.
    /// - Parameter level: the level's number, from 1.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `conflict` if the level isn't reached, or the
    ///   contract changed since `change.ifVersion`.
    package func markHandedOver(
        level: Int, of id: ID<Contract>, of child: PersonID, by change: Change
    ) async throws -> Contract {
        try await setHandedOver(true, level: level, of: id, of: child, by: change)
    }

    /// Clears the mark that a level's reward is handed over; also in an ended contract.
    /// - Parameter level: the level's number, from 1.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `conflict` if the contract changed since
    ///   `change.ifVersion`.
    package func clearHandedOver(
        level: Int, of id: ID<Contract>, of child: PersonID, by change: Change
    ) async throws -> Contract {
        try await setHandedOver(false, level: level, of: id, of: child, by: change)
    }

    private func setHandedOver(
        _ isHandedOver: Bool, level number: Int, of id: ID<Contract>, of child: PersonID, by change: Change
    ) async throws -> Contract {
        let now = clock.now
        return try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                try householdActor.require(.handOver, with: child, in: tx)
                let before = try contracts.contract(id, of: child, in: tx)
                guard let level = before.levels.first(where: { $0.number == number }) else { throw AppError.notFound }
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                guard isHandedOver != (level.handedOverAt != nil) else { return }
                guard level.isReached || !isHandedOver else { throw AppError(.conflict, .levelNotReached) }
                try ContractStore.setHandedOver(isHandedOver ? now : nil, level: number, of: id, in: tx)
                try FamilyEvents.publish(
                    "contract", FamilyEvents.child(child), version: before.version + 1, of: householdActor.household,
                    now: now, in: tx)
            }
            try householdActor.require(.seeContracts, with: child, in: tx)
            return try contracts.contract(id, of: child, in: tx)
        }
    }
}

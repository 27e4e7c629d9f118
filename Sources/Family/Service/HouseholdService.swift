package import Accounts
import Kernel
import Storage

/// Households and their members.
package struct HouseholdService: Sendable {
    let transactions: HouseholdTransactions
    let creator: HouseholdCreator
    let children: ChildReader
    let parents: ParentReader
    let deletedChildren: DeletedChildReader
    let today: TodayReader
    let swaps: SwapReader
    let shop: ShopReader
    let accounts: AccountReader
    let clock: any WallClock

    /// Creates a household for an adult who has none. Use cases of an adult do this themselves.
    /// - Throws: `AppError`: `invalid` at `dateOfBirth` if an adult's account has none.
    package func createIfMissing(for actor: Actor) async throws { try await creator.createIfMissing(for: actor) }

    /// Returns the actor as the household's members see them.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func me(for actor: Actor) async throws -> Member {
        try await transactions.read(for: actor) { tx, householdActor in try me(householdActor, in: tx) }
    }

    private func me(_ householdActor: HouseholdActor, in tx: Transaction) throws -> Member {
        guard let account = try accounts.accounts([householdActor.person], in: tx)[householdActor.person] else {
            throw AppError.notFound
        }
        return Member(account, role: householdActor.role)
    }

    /// Returns the data of a parent's dashboard.
    /// - Parameter after: the cursor of the children's list.
    /// - Throws: `AppError`: `invalid` at `after`; `forbidden` for a child.
    package func dashboard(for actor: Actor, after: String?) async throws -> FamilyDashboard {
        let request = try PageRequest<PersonID>(after: after, limit: Limits.pageSizeMaximum)
        let now = clock.now
        let dashboard = try await transactions.read(for: actor) { tx, householdActor in
            let page = try children.page(for: householdActor, request, in: tx)
            try householdActor.require(.seeRequests)
            let requests = try RequestStore.page(
                of: nil, household: householdActor.household, after: nil, limit: request.limit, in: tx)
            let calendar = try today.occurrences.calendar(of: householdActor.household, now: now, in: tx)
            return FamilyDashboard(
                me: try me(householdActor, in: tx), children: page,
                requests: Dictionary(grouping: requests, by: \.childID),
                firstSteps: try FirstStepsStore.find(householdActor.household, children: page.items, in: tx),
                today: try today.today(for: householdActor, calendar, requests: requests, now: now, in: tx),
                shop: try shop.summary(for: householdActor, in: tx),
                swapCount: try swaps.swaps(of: householdActor, calendar, now: now, in: tx).count(where: \.isAccepted),
                chores: try ScheduleStore.counts(of: householdActor.household, in: tx))
        }
        guard dashboard.firstSteps?.isDone == true else { return dashboard }
        // They stay done, also after the child signs out.
        try await transactions.write(by: actor) { tx, householdActor in
            try FirstStepsStore.hide(householdActor.household, now: now, in: tx)
        }
        return dashboard.withoutFirstSteps
    }

    /// Returns the data of a child's dashboard.
    /// - Throws: `AppError.forbidden` without a household.
    package func childDashboard(for actor: Actor) async throws -> ChildDashboard {
        let request = try PageRequest<PersonID>(after: nil, limit: Limits.pageSizeMaximum)
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            let calendar = try today.occurrences.calendar(of: householdActor.household, now: now, in: tx)
            var today = try today.today(for: householdActor, calendar, now: now, in: tx)
            // Those that wait for the answer of this child.
            today.swapCount = try swaps.swaps(of: householdActor, calendar, now: now, in: tx).count {
                !$0.isAccepted && $0.wanted.child.id == householdActor.person
            }
            return ChildDashboard(
                children: try children.page(for: householdActor, request, in: tx).items, today: today,
                shop: try shop.summary(for: householdActor, in: tx))
        }
    }

    /// Returns the data of a parent's account page.
    /// - Throws: `AppError.forbidden` for a child.
    package func parentAccount(for actor: Actor) async throws -> ParentAccountDetails {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeChores)
            try householdActor.require(.seeDeletedChildren)
            let deleted = try deletedChildren.deletedChildren(of: householdActor.household, now: now, in: tx)
            return ParentAccountDetails(
                me: try me(householdActor, in: tx),
                chores: try ChoreStore.page(
                    of: householdActor.household, after: nil, limit: Limits.pageSizeMaximum, in: tx),
                parents: try parents.parents(for: householdActor, now: now, in: tx),
                hasDeletedChildren: !deleted.isEmpty)
        }
    }

    /// Returns the data of a child's account page.
    /// - Throws: `AppError`: `forbidden` without a household; `notFound` for a parent.
    package func childAccount(for actor: Actor) async throws -> ChildAccountDetails {
        try await transactions.read(for: actor) { tx, householdActor in
            ChildAccountDetails(
                child: try children.child(householdActor.person, for: householdActor, in: tx),
                parents: try parents.members(
                    for: householdActor, after: nil, limit: Limits.pageSizeMaximum, in: tx))
        }
    }
}

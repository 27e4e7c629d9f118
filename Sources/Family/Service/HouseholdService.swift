package import Accounts
import Kernel
import Storage

/// Households and their members.
package struct HouseholdService: Sendable {
    let transactions: HouseholdTransactions
    let creator: HouseholdCreator
    let accounts: AccountService

    /// Creates a household for an adult who has none. Every use case does so, too.
    /// - Throws: `AppError`: `invalid` at `dateOfBirth` if an adult's account has none.
    package func createIfMissing(for actor: Actor) async throws { try await creator.createIfMissing(for: actor) }

    /// Returns the actor as the household's members see them.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func me(for actor: Actor) async throws -> Member {
        try await transactions.read(for: actor) { tx, householdActor in
            guard let account = try accounts.accounts([householdActor.person], in: tx)[householdActor.person] else {
                throw AppError.notFound
            }
            return Member(account, role: householdActor.role)
        }
    }
}

import Accounts
import Kernel
import Storage

/// Creates households of adults.
struct HouseholdCreator: Sendable {
    let database: Database
    let accounts: AccountReader
    let clock: any WallClock
    let random: any RandomSource

    /// Creates a household for an adult who has none.
    /// - Throws: `AppError`: `invalid` at `dateOfBirth` if an adult's account has none.
    func createIfMissing(for actor: Actor) async throws {
        guard actor.role == .adult else { return }
        try await createIfMissing(forAdult: actor.person)
    }

    /// Creates a household for an adult who has none.
    /// - Throws: as ``createIfMissing(for:)``.
    func createIfMissing(forAdult person: PersonID) async throws {
        let isIn = try await database.read { tx in
            try requireProfile(of: person, in: tx)
            return try HouseholdStore.member(person, in: tx) != nil
        }
        if !isIn {
            let now = clock.now
            let household = ID<Household>(at: now, random: random)
            try await database.write { tx in
                try HouseholdStore.insert(household, now: now, in: tx)
                let parent = StoredMember(person: person, household: household, role: .parent, deletedAt: nil)
                // A concurrent request may have inserted the member first.
                if try !HouseholdStore.insert(parent, now: now, in: tx) {
                    try HouseholdStore.delete(household, in: tx)
                }
            }
        }
    }

    /// Requires the profile fields that this app needs of an adult's account.
    func requireProfile(of person: PersonID, in tx: Transaction) throws {
        guard let account = try accounts.accounts([person], in: tx)[person] else { throw AppError.notFound }
        guard AppName.family.missing(in: account).isEmpty else {
            throw AppError(.invalid, .dateOfBirthMissing, field: "dateOfBirth")
        }
    }
}

package import Accounts
package import Kernel
package import Ledger
package import Logging
package import Pictures
package import Storage

/// Everything that parents, children and the clock can do in a household. Whoever asks hands in who they are;
/// ``FamilyPolicy`` says whether they may. Points are transfers on the ledger, made in the transaction that books them.
package final class FamilyService: Sendable {
    let database: Database
    let accounts: AccountService
    let ledger: Ledger
    let siteURL: String
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger

    let codeThrottle = Throttle(
        scope: "family-code", limit: Limits.familyCodeFailures, windowSeconds: Limits.throttleSeconds
    )

    /// Puts the service together.
    /// - Parameters:
    ///   - companion: the one that `accounts` was given; it answers by this service from now on.
    ///   - siteURL: where the site is reached, without a slash at the end; codes' links begin so.
    package init(
        database: Database, accounts: AccountService, ledger: Ledger, companion: FamilyCompanion, siteURL: String,
        clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        self.database = database
        self.accounts = accounts
        self.ledger = ledger
        self.siteURL = siteURL
        self.clock = clock
        self.random = random
        self.logger = logger
        companion.answer(by: self)
    }

    /// Lets the members of a household see its chores' pictures and one another's avatars.
    package static var pictureVisibility: any PictureVisibility { FamilyPictures() }

    /// Lets a person into the app: an adult gets a household of their own the first time. Every use
    /// case calls it.
    /// - Throws: `AppError`: `invalid` at `dateOfBirth` when a grown-up's account has none.
    package func enter(_ actor: Actor) async throws {
        let person = actor.person
        guard actor.role == .adult else { return }
        let isIn = try await database.read { [self] tx in
            try requireProfile(of: person, in: tx)
            return try HouseholdStore.member(person, in: tx) != nil
        }
        if !isIn {
            let now = clock.now
            let household = ID<Household>(at: now, random: random)
            try await database.write { tx in
                try HouseholdStore.insert(household, now: now, in: tx)
                let parent = StoredMember(person: person, household: household, role: .parent, deletedAt: nil)
                // Somebody who enters twice at once is in a household by now.
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

/// The accounts of the ledger that points move between.
enum Purses {
    static let unit = "points"

    /// What a household has given: goes below zero, so that the sum of all accounts is zero.
    static func given(_ household: ID<Household>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "given", holder: household.description)
    }

    /// All points that a child ever gained.
    static func achievement(_ child: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "achievement", holder: child.description)
    }

    /// All points under a contract, those above its maximum among them.
    static func contract(_ contract: ID<Contract>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "contract", holder: contract.description)
    }
}

package import Accounts
package import Kernel
package import Ledger
package import Logging
package import Pictures
package import Storage

/// The use cases of a household for parents, children and housekeeping. ``FamilyPolicy`` decides whether an actor may
/// do an action. Points are ledger transfers, posted in the transaction of the assignment.
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

    /// Creates the service and registers it with `dataHandler`.
    /// - Parameters:
    ///   - dataHandler: the handler that `accounts` was created with.
    ///   - siteURL: the site's address without a trailing slash; links in codes begin with it.
    package init(
        database: Database, accounts: AccountService, ledger: Ledger, dataHandler: FamilyDataHandler, siteURL: String,
        clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        self.database = database
        self.accounts = accounts
        self.ledger = ledger
        self.siteURL = siteURL
        self.clock = clock
        self.random = random
        self.logger = logger
        dataHandler.answer(by: self)
    }

    /// Lets the members of a household see the pictures of its chores and the avatars of its members.
    package static var pictureVisibility: any PictureVisibility { FamilyPictures() }

    /// Creates a household for an adult who has none. Every use case calls it.
    /// - Throws: `AppError`: `invalid` at `dateOfBirth` if an adult's account has none.
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

/// The ledger accounts for points.
enum FamilyLedgerAccounts {
    static let unit = "points"

    /// The points that a household has given. The balance is negative, so that the sum of all accounts is zero.
    static func given(_ household: ID<Household>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "given", holder: household.description)
    }

    /// All points of a child that were not undone.
    static func achievement(_ child: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "achievement", holder: child.description)
    }

    /// All points under a contract, including those above its maximum.
    static func contract(_ contract: ID<Contract>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "contract", holder: contract.description)
    }
}

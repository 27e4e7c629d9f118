package import Accounts
package import Kernel
import Ledger
import Storage

/// Packages: search and lists, one package, posting and withdrawing an offer.
package struct PackageService: Sendable {
    let database: Database
    let memberships: MembershipService
    let deadlines: PackageDeadlines
    let transitions: PackageTransitions
    let details: PackageDetailsReader
    let commands: PackageCommandExecutor
    let clock: any WallClock
    let random: any RandomSource

    // MARK: Reading

    /// Returns a page of packages, newest first.
    /// - Parameter past: `true` returns only finished packages, `false` only unfinished ones, `nil` both.
    /// - Throws: `AppError.invalid` at `from`, `to`, `maxWeight` and `after`.
    package func list(
        _ listing: PackageListing, for actor: Actor, filter: PackageFilter = PackageFilter(), past: Bool? = nil,
        after: String?, limit: Int
    ) async throws -> ListPage<Package> {
        try await memberships.ensureWallet(of: actor)
        let filter = try PackageList.Filter(filter)
        let request = try PageRequest<ID<Package>>(after: after, limit: limit)
        let packages = try await deadlines.read { [details] tx, now in
            try details.packages(
                listing, of: actor.person, filter: filter, past: past, start: request.after, limit: request.rows,
                now: now, in: tx)
        }
        return request.page(packages, \.id)
    }

    /// Returns a page of all packages of a person, for the export of an account.
    func exported(
        _ listing: PackageListing, of person: PersonID, after: String?
    ) async throws -> ListPage<Package> {
        let request = try PageRequest<ID<Package>>(after: after, limit: Limits.pageSizeMaximum)
        let now = clock.now
        let packages = try await database.read { [details] tx in
            try details.packages(listing, of: person, start: request.after, limit: request.rows, now: now, in: tx)
        }
        return request.page(packages, \.id)
    }

    /// Returns one package with the actor's possible actions and its history.
    /// - Throws: `AppError.notFound` if it doesn't exist or the actor may not see it.
    package func details(of id: ID<Package>, for actor: Actor) async throws -> PackageDetails {
        do {
            try await memberships.ensureWallet(of: actor)
        } catch let error as AppError where error.code == .invalid {
            // Administrators see disputes without having a wallet.
            guard try await database.read({ tx in try AdministratorPolicy.isAdministrator(actor, in: tx) }) else {
                throw error
            }
        }
        return try await deadlines.read { [details] tx, now in
            guard let named = try PackageList.find(id, in: tx) else { throw AppError.notFound }
            return try details.visit(named, by: actor, now: now, in: tx)
        }
    }

    /// Returns why the actor can no longer see a package; `nil` if it never existed or is still offered.
    package func endReason(of id: ID<Package>, for actor: Actor) async throws -> OfferEndReason? {
        try await database.read { tx in
            guard let package = try PackageStore.find(id, in: tx) else { return nil }
            if package.withdrawnAt != nil { return .withdrawn }
            guard package.state != .available else { return nil }
            let isJudge = try package.disputedAt != nil && AdministratorPolicy.isAdministrator(actor, in: tx)
            return isJudge ? .settled : .taken
        }
    }

    // MARK: Offers

    /// Creates an offer and puts its reward into escrow in the same transaction.
    /// - Throws: `AppError`: `invalid` with every invalid field; `insufficientFunds` at `reward`.
    package func create(_ input: PackageInput, by change: Change) async throws -> PackageDetails {
        try await memberships.withWallet(change.actor) {
            let now = clock.now
            let draft = try PackageDraft(input, now: now)
            let new = StoredPackage(draft, id: ID(at: now, random: random), owner: change.actor.person, now: now)
            let transfer = ID<Transfer>(at: now, random: random)
            return try await deadlines.retryingAfterExpiry {
                try await insert(new, draft, transfer: transfer, by: change, now: now)
            }
        }
    }

    private func insert(
        _ new: StoredPackage, _ draft: PackageDraft, transfer: ID<Transfer>, by change: Change, now: Instant
    ) async throws -> PackageDetails {
        try await database.write { [transitions, details] tx in
            var created: NamedPackage?
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: new.id.description) {
                created = try transitions.create(new, draft, transfer: transfer, now: now, in: tx)
            }
            if created == nil, let earlier = ID<Package>(once.resource) {
                created = try PackageList.find(earlier, in: tx)
            }
            guard let created else { throw AppError.notFound }
            return try details.result(created, for: change.actor.person, now: now, in: tx)
        }
    }

    /// Validates a new package before its uploaded picture is stored.
    /// - Throws: the `AppError.invalid` of ``create(_:by:)``.
    package func validate(_ input: PackageInput) throws { _ = try PackageDraft(input, now: clock.now) }

    /// Changes the terms of an offer. The difference of the rewards goes into escrow or comes back.
    /// - Throws: `AppError`: `invalid` with every invalid field; `insufficientFunds` at `reward`; `notFound`;
    ///   `conflict` if a carrier accepted it; `forbidden` if the actor isn't the owner.
    package func edit(_ id: ID<Package>, _ input: PackageInput, by change: Change) async throws -> PackageDetails {
        var command = commands.command(.edit, on: id, by: change)
        command.terms = try PackageDraft(input, now: command.now)
        let person = change.actor.person
        return try await memberships.withWallet(change.actor) { [command] in
            try await commands.execute(command, status: 200, scope: change.idempotency) { [details] named, tx in
                try details.result(named, for: person, now: command.now, in: tx)
            }
        }
    }

    /// Withdraws an offer and returns the reward. Lists no longer show the package.
    /// - Throws: `AppError`: `notFound`, also after a withdrawal; `conflict` if a carrier accepted it; `forbidden` if
    ///   the actor isn't the owner.
    package func withdraw(_ id: ID<Package>, by change: Change) async throws {
        let command = commands.command(.withdraw, on: id, by: change)
        try await memberships.withWallet(change.actor) {
            try await commands.execute(command, status: 204, scope: change.idempotency) { _, _ in () }
        }
    }
}

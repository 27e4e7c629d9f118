package import Accounts
package import Kernel
import Storage

/// The shared tablets of a household, for its parents.
package struct TabletService: Sendable {
    let transactions: HouseholdTransactions
    let sessions: SessionService
    let accounts: AccountReader
    let today: TodayReader
    let siteURL: String
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the household's tablets, the oldest first: at most ``Limits/tabletsPerHousehold``.
    /// - Throws: `AppError.forbidden` for a child.
    package func list(for actor: Actor) async throws -> [Tablet] {
        try await transactions.read(for: actor) { tx, householdActor in try list(for: householdActor, in: tx) }
    }

    /// Returns the tablets with the household's children.
    /// - Throws: `AppError.forbidden` for a child.
    package func overview(for actor: Actor) async throws -> TabletOverview {
        try await transactions.read(for: actor) { tx, householdActor in
            let household = householdActor.household
            let children = try HouseholdStore.page(
                of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
            return TabletOverview(
                tablets: try list(for: householdActor, in: tx), children: try today.members(children, in: tx),
                withPicturePIN: try PicturePINStore.children(of: household, in: tx))
        }
    }

    private func list(for householdActor: HouseholdActor, in tx: Transaction) throws -> [Tablet] {
        try householdActor.require(.seeTablets)
        let stored = try TabletStore.tablets(of: householdActor.household, in: tx)
        let names = try accounts.accounts(stored.compactMap(\.pairedBy), in: tx).mapValues(\.name)
        return stored.map { Tablet($0, names: names) }
    }

    /// Creates a code with which a tablet is paired once, within ``Limits/signInCodeSeconds``. It revokes the
    /// household's earlier code.
    /// - Throws: `AppError`: `forbidden` for a child; `conflict` if there are ``Limits/tabletsPerHousehold`` tablets.
    package func createCode(by change: Change) async throws -> TabletCode {
        let now = clock.now
        let code = Token.make(byteCount: Limits.familyCodeBytes, random: random)
        let created = TabletCode(
            id: ID(at: now, random: random), code: code, url: "\(siteURL)/family/tablet/pairing?code=\(code)",
            expiresAt: now.adding(seconds: Limits.signInCodeSeconds))
        // The response contains a secret that isn't stored, so it can't be replayed.
        return try await transactions.write(by: change.actor) { tx, householdActor in
            try householdActor.require(.pairTablet)
            try change.charge(now: now, in: tx)
            // A password change may have ended the session and revoked the codes created in it.
            try sessions.requireOpen(of: change.actor, in: tx)
            let count = try TabletStore.tablets(of: householdActor.household, in: tx).count
            guard count < Limits.tabletsPerHousehold else { throw AppError(.conflict, .tooManyTablets) }
            try TabletStore.setCode(
                created.id, hash: Token.hash(code), of: householdActor.household, by: householdActor.person,
                expiresAt: created.expiresAt, in: tx)
            return created
        }
    }

    /// Returns the state of a code.
    /// - Throws: `AppError.forbidden` for a child.
    package func state(of code: ID<TabletCode>, for actor: Actor) async throws -> SignInCode.State {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeTablets)
            return try TabletStore.state(of: code, householdActor.household, now: now, in: tx)
        }
    }

    /// Removes a tablet and ends the live streams of its open pages.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func remove(_ id: ID<Tablet>, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let stored = try TabletStore.find(id, in: tx)
                let isThere = stored?.household == householdActor.household
                try householdActor.require(.removeTablet, isThere ? .household : .stranger)
                guard let stored else { throw AppError.notFound }
                try TabletRemoval.remove([stored], of: householdActor.household, now: now, in: tx)
            }
        }
    }
}

/// Removes tablets, in the transaction of the caller.
enum TabletRemoval {
    static func removeAll(of household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try TabletStore.deleteCode(of: household, in: tx)
        try remove(try TabletStore.tablets(of: household, in: tx), of: household, now: now, in: tx)
    }

    fileprivate static func remove(
        _ tablets: [StoredTablet], of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        guard !tablets.isEmpty else { return }
        for tablet in tablets {
            try TabletStore.delete(tablet.id, in: tx)
            try tx.publish(tablet.device.endEvent(now: now))
        }
        try FamilyEvents.publish("tablet", FamilyEvents.tablets, of: household, to: .parents, now: now, in: tx)
    }
}

extension Tablet {
    init(_ stored: StoredTablet, names: [PersonID: String]) {
        self.init(
            id: stored.id, name: stored.name, pairedAt: stored.pairedAt,
            pairedByName: stored.pairedBy.flatMap { names[$0] }, lastUsedAt: stored.lastUsedAt)
    }
}

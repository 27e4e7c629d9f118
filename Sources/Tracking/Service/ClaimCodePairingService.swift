package import Accounts
package import Kernel
import Storage
import TrackerProtocol

/// Pairs trackers with items by the claim codes that trackers show.
package struct ClaimCodePairingService: Sendable {
    let database: Database
    let items: ItemService
    let binder: TrackerBinder
    let clock: any WallClock
    let random: any RandomSource

    /// Pairs a tracker with an item by the claim code that the tracker shows, and queues *activate*.
    ///
    /// A repetition with the same code and item returns the same result.
    /// - Parameters:
    ///   - typed: The code as typed.
    ///   - clientAddress: The client's address, to which the limit of wrong codes also applies.
    /// - Throws: `AppError`: `notFound`; `invalid` at `code` with the same message for every kind of invalid code;
    ///   `throttled` after too many wrong codes; `conflict` when the item has a tracker, or the version in the request
    ///   is stale.
    package func pair(
        _ id: ID<Item>, code typed: String, clientAddress: String, by change: Change
    ) async throws -> PairedItem {
        let now = clock.now
        let actor = change.actor
        let throttles = ClaimThrottles(person: actor.person, clientAddress: clientAddress)
        let codeHash = ClaimCode(typed)?.hash
        let activation = ID<Command>(at: now, random: random)
        try await database.write { tx in
            try ItemStore.require(.own, of: actor.person, to: id, in: tx)
            try throttles.reserve(now: now, in: tx)
        }
        do {
            _ = try await database.write { tx in
                let once = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                    try claim(id, by: change, codeHash: codeHash, activation: activation, now: now, in: tx)
                }
                try throttles.release(reservedAt: now, now: now, in: tx)
                return once
            }
        } catch let error as AppError where error.fields["code"] != nil {
            throw error
        } catch {
            try await database.write { tx in try throttles.release(reservedAt: now, now: now, in: tx) }
            throw error
        }
        return try PairedItem(await items.item(id, for: actor))
    }

    private func claim(
        _ id: ID<Item>, by change: Change, codeHash: [UInt8]?, activation: ID<Command>, now: Instant, in tx: Transaction
    ) throws {
        let found = try codeHash.flatMap { try TrackerStore.lock(codeHash: $0, in: tx) }
        let item = try ItemStore.lock(id, of: change.actor.person, requires: .own, in: tx)
        try ItemVersion.requireCurrent(item, for: change)
        if let found, found.itemID == id { return }
        try binder.requireUnpaired(id, in: tx)
        guard let tracker = found, tracker.state == .free else { throw AppError(.invalid, .codeWrong, field: "code") }
        try binder.bind(tracker, to: item, activation: activation, now: now, in: tx)
    }
}

/// The limits of wrong codes for the account and for the client's network.
private struct ClaimThrottles: Sendable {
    private let person = Throttle(
        scope: "claim-account", limit: Limits.claimFailuresPerAccount, windowSeconds: Limits.claimSeconds
    )
    private let network = Throttle(
        scope: "claim-address", limit: Limits.claimFailuresPerAccount, windowSeconds: Limits.claimSeconds
    )
    private let personKey: String
    private let networkKey: String

    init(person: PersonID, clientAddress: String) {
        personKey = person.description
        networkKey = ClientNetwork.key(clientAddress)
    }

    func reserve(now: Instant, in tx: Transaction) throws {
        try person.reserve(personKey, now: now, in: tx)
        try network.reserve(networkKey, now: now, in: tx)
    }

    func release(reservedAt instant: Instant, now: Instant, in tx: Transaction) throws {
        try person.release(personKey, reservedAt: instant, now: now, in: tx)
        try network.release(networkKey, reservedAt: instant, now: now, in: tx)
    }
}

package import Accounts
import Foundation
package import Kernel
import Storage
import TrackerProtocol

/// Pairs trackers with items by the trackers' answers over Bluetooth.
package struct BluetoothPairingService: Sendable {
    let database: Database
    let items: ItemService
    let binder: TrackerBinder
    let channels: TrackerChannels
    let clock: any WallClock
    let random: any RandomSource

    /// Pairs a tracker with an item by the tracker's signed answer to a request of
    /// ``TrackerRegistrationService``, and queues *activate*.
    ///
    /// A repetition with the same answer and item returns the same result.
    /// - Parameter pairing: The tracker's packed answer in base64.
    /// - Throws: `AppError`: `notFound`; `invalid` at `pairing` when the answer is altered, used, late, for another
    ///   item, or not requested; `conflict` when the item has a tracker, the tracker has an owner, or the version in
    ///   the request is stale.
    package func pair(_ id: ID<Item>, pairing: String, by change: Change) async throws -> PairedItem {
        let now = clock.now
        let activation = ID<Command>(at: now, random: self.random)
        let answer = Data(base64Encoded: pairing).flatMap { PackedMessage(Array($0)) }
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                try claim(id, by: change, answer, activation: activation, now: now, in: tx)
            }
        }
        return try PairedItem(await items.item(id, for: change.actor))
    }

    private func claim(
        _ id: ID<Item>, by change: Change, _ packed: PackedMessage?, activation: ID<Command>, now: Instant,
        in tx: Transaction
    ) throws {
        let tracker = try packed.flatMap { try TrackerStore.lock($0.tracker, in: tx) }
        let item = try ItemStore.lock(id, of: change.actor.person, requires: .own, in: tx)
        try ItemVersion.requireCurrent(item, for: change)
        guard let packed, let tracker, let answer = try? channels.channel(to: tracker).open(packed),
            answer.binding == id.cast(to: TrackerBinding.self)
        else { throw AppError(.invalid, .pairingWrong, field: "pairing") }
        if tracker.itemID == id { return }
        let expiresAt = try TrackerRegistrationStore.expiry(
            tracker: tracker.id, item: id, challenge: answer.challenge, in: tx
        )
        guard let expiresAt else { throw AppError(.invalid, .pairingWrong, field: "pairing") }
        guard now < expiresAt else { throw AppError(.invalid, .pairingLate, field: "pairing") }
        try binder.requireUnpaired(id, in: tx)
        try binder.requireFree(tracker)
        try binder.bind(tracker, to: item, activation: activation, now: now, in: tx)
    }
}

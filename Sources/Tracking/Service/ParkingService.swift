package import Accounts
package import Kernel
import Storage

/// Parked items, which notify when they are moved.
package struct ParkingService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Returns the time since which the item is parked; `nil` for an item that isn't.
    /// - Throws: `AppError.notFound`.
    package func parkedSince(_ id: ID<Item>, for actor: Actor) async throws -> Instant? {
        try await database.read { tx in
            guard try ItemStore.item(id, of: actor.person, in: tx) != nil else { throw AppError.notFound }
            return try HealthStore.parking(of: id, in: tx)?.since
        }
    }

    /// Remembers the item's last position as the place where it is parked, or its next one when the last is older than
    /// `Limits.parkingPositionSeconds`. Does nothing for a parked item.
    /// - Throws: `AppError`: `notFound`; `conflict` for an item without a position.
    package func park(_ id: ID<Item>, by change: Change) async throws {
        let now = clock.now
        try await update(id, by: change, now: now) { tx in
            guard let position = try HealthStore.lockLastPosition(of: id, in: tx) else {
                throw AppError(.conflict, .noPosition)
            }
            guard try HealthStore.parking(of: id, in: tx) == nil else { return false }
            let parking = ParkingRule.park(position, now: now)
            try HealthStore.park(id, parking, in: tx)
            try ParkingHistoryStore.insert(parking, of: id, in: tx)
            return true
        }
    }

    /// Ends the parking. Does nothing for an item that isn't parked.
    /// - Throws: `AppError.notFound`.
    package func end(_ id: ID<Item>, by change: Change) async throws {
        let now = clock.now
        try await update(id, by: change, now: now) { tx in
            _ = try HealthStore.lockLastPosition(of: id, in: tx)
            guard try HealthStore.parking(of: id, in: tx) != nil else { return false }
            try HealthStore.park(id, nil, in: tx)
            try ParkingHistoryStore.end(id, now: now, in: tx)
            return true
        }
    }

    private func update(
        _ id: ID<Item>, by change: Change, now: Instant, _ body: @escaping @Sendable (Transaction) throws -> Bool
    ) async throws {
        let actor = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let item = try ItemStore.lock(id, of: actor, requires: .manage, in: tx)
                guard try body(tx) else { return }
                try TrackingEvents.publishCommand(of: id, owner: item.owner, now: now, in: tx)
            }
        }
    }
}

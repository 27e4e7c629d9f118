package import Accounts
package import Kernel
import Storage

/// `…/lost`: lost mode of an item, which its owner turns on and off.
package struct LostModeService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Returns an item and its lost mode; `nil` while it is off.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item.
    package func lostMode(of id: ID<Item>, for actor: Actor) async throws -> (item: Item, mode: LostMode?) {
        try await database.read { tx in
            let item = try ItemStore.item(id, of: actor.person, requires: .manage, in: tx)
            return (item, try LostModeStore.find(id, in: tx))
        }
    }

    /// Turns lost mode on, or changes what finders see.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item; `invalid` at
    ///   `message` and `contact`; `conflict` when the version in the request is stale.
    package func turnOn(_ id: ID<Item>, _ input: LostModeInput, by change: Change) async throws -> LostMode {
        let now = clock.now
        let (message, contact) = try input.checked()
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let item = try ItemStore.lock(id, of: change.actor.person, requires: .manage, in: tx)
                let present = try LostModeStore.find(id, in: tx)
                if change.isStale(at: present?.version ?? 0) { throw AppError(.conflict, .movedOn) }
                let mode = LostMode(
                    message: message, contact: contact, showsPhoto: input.showsPhoto, since: present?.since ?? now,
                    version: (present?.version ?? 0) + 1
                )
                if present == nil {
                    let isApart = try !Self.isNearOwner(item, now: now, in: tx)
                    try LostModeStore.insert(mode, isApart: isApart, of: id, in: tx)
                } else {
                    try LostModeStore.update(mode, of: id, in: tx)
                }
                try TrackingEvents.publishCommand(of: id, owner: item.owner, now: now, in: tx)
            }
            guard let mode = try LostModeStore.find(id, in: tx) else { throw AppError.notFound }
            return mode
        }
    }

    /// Whether a phone of the owner is near the item. A person who manages the item can turn lost mode on, too.
    private static func isNearOwner(_ item: Item, now: Instant, in tx: Transaction) throws -> Bool {
        guard let last = try HealthStore.lockLastPosition(of: item.id, in: tx) else { return false }
        return try AlertStore.phones(of: item.owner, now: now, in: tx).contains { phone in
            !Separation.isFarther(
                phone.coordinate.distanceMetres(to: last.coordinate), thanMetres: item.settings.lostMetres)
        }
    }

    /// Turns lost mode off. Nothing happens when it is off.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item; `conflict` when
    ///   the version in the request is stale.
    package func turnOff(_ id: ID<Item>, by change: Change) async throws {
        let now = clock.now
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let item = try ItemStore.lock(id, of: change.actor.person, requires: .manage, in: tx)
                guard let mode = try LostModeStore.find(id, in: tx) else { return }
                if change.isStale(at: mode.version) { throw AppError(.conflict, .movedOn) }
                try LostModeStore.delete(id, in: tx)
                try TrackingEvents.publishCommand(of: id, owner: item.owner, now: now, in: tx)
            }
        }
    }
}

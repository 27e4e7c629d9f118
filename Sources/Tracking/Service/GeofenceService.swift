package import Accounts
package import Kernel
import Storage

/// Rules of items about safe places: arrive, leave, and hasn't arrived.
package struct GeofenceService: Sendable {
    let database: Database
    let households: any HouseholdPeopleReader
    let clock: any WallClock
    let random: any RandomSource

    /// Returns an item's rules and the actor's safe places.
    /// - Throws: `AppError.notFound`.
    package func list(of item: ID<Item>, for actor: Actor) async throws -> GeofenceListing {
        try await database.read { tx in
            guard let found = try ItemStore.item(item, of: actor.person, in: tx) else { throw AppError.notFound }
            return GeofenceListing(
                item: found, geofences: try GeofenceStore.list(of: item, owner: actor.person, in: tx),
                places: try SafePlaceStore.page(
                    of: actor.person, after: nil, limit: Limits.safePlacesPerAccount, in: tx),
                timeZone: try households.timeZone(of: actor.person, in: tx))
        }
    }

    /// Returns one rule.
    /// - Throws: `AppError.notFound`.
    package func geofence(_ id: ID<Geofence>, of item: ID<Item>, for actor: Actor) async throws -> Geofence {
        try await database.read { tx in
            guard try ItemStore.item(item, of: actor.person, in: tx) != nil,
                let geofence = try GeofenceStore.one(id, of: item, owner: actor.person, in: tx)
            else { throw AppError.notFound }
            return geofence
        }
    }

    /// Adds a rule. An item that is in the place already hasn't arrived by that.
    /// - Throws: `AppError`: `notFound`; `invalid` at `placeId`, `kind`, `dwellMinutes`, `days`, `from`, `until`, `by`
    ///   and `timeZone`; `conflict` when the item already has `Limits.geofencesPerItem` rules.
    package func create(_ input: GeofenceInput, of item: ID<Item>, by change: Change) async throws -> Geofence {
        let now = clock.now
        let owner = change.actor.person
        let id = ID<Geofence>(at: now, random: random)
        let once = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                let (settings, place) = try check(input, about: item, of: owner, in: tx)
                let owned = try ItemStore.lock(item, of: owner, requires: .see, in: tx)
                let last = try HealthStore.lockLastPosition(of: item, in: tx)
                guard try GeofenceStore.count(of: item, owner: owner, in: tx) < Limits.geofencesPerItem else {
                    throw AppError(.conflict, .tooManyGeofences)
                }
                let geofence = Geofence(
                    id: id, item: item, owner: owner, place: place.id, placeName: place.name, settings: settings,
                    version: 1, createdAt: now)
                let isInside = Self.isInside(last, place.area, now: now)
                try GeofenceStore.insert(geofence, isInside: isInside, lastAt: last?.at, now: now, in: tx)
                try tx.publish(TrackingEvents.item(owned, to: owner, now: now))
            }
        }
        guard let created = ID<Geofence>(once.resource) else { throw AppError.notFound }
        return try await geofence(created, of: item, for: change.actor)
    }

    /// Changes a rule.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale; `invalid` as for
    ///   ``create(_:of:by:)``.
    package func update(
        _ id: ID<Geofence>, of item: ID<Item>, _ input: GeofenceInput, by change: Change
    ) async throws -> Geofence {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let (settings, place) = try check(input, about: item, of: owner, in: tx)
                let owned = try ItemStore.lock(item, of: owner, requires: .see, in: tx)
                let last = try HealthStore.lockLastPosition(of: item, in: tx)
                guard let before = try GeofenceStore.one(id, of: item, owner: owner, in: tx) else {
                    throw AppError.notFound
                }
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                guard settings != before.settings || place.id != before.place else { return }
                let after = Geofence(
                    id: id, item: item, owner: owner, place: place.id, placeName: place.name, settings: settings,
                    version: before.version + 1, createdAt: before.createdAt)
                try GeofenceStore.update(
                    after, isOtherPlace: place.id != before.place,
                    isInside: Self.isInside(last, place.area, now: now), lastAt: last?.at, now: now, in: tx)
                try tx.publish(TrackingEvents.item(owned, to: owner, now: now))
            }
        }
        return try await geofence(id, of: item, for: change.actor)
    }

    /// Deletes a rule.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale.
    package func delete(_ id: ID<Geofence>, of item: ID<Item>, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let owned = try ItemStore.lock(item, of: owner, requires: .see, in: tx)
                _ = try HealthStore.lockLastPosition(of: item, in: tx)
                guard let geofence = try GeofenceStore.one(id, of: item, owner: owner, in: tx) else {
                    throw AppError.notFound
                }
                if change.isStale(at: geofence.version) { throw AppError(.conflict, .movedOn) }
                try GeofenceStore.delete(id, of: item, in: tx)
                try tx.publish(TrackingEvents.item(owned, to: owner, now: now))
            }
        }
    }

    /// Checks the data of a rule and locks its place. Places are locked before items and their positions.
    private func check(
        _ input: GeofenceInput, about item: ID<Item>, of owner: PersonID, in tx: Transaction
    ) throws -> (GeofenceSettings, SafePlace) {
        guard try ItemStore.item(item, of: owner, in: tx) != nil else { throw AppError.notFound }
        let settings = try GeofenceSettings(
            input, defaultTimeZone: households.timeZone(of: owner, in: tx))
        guard let id = input.place, try SafePlaceStore.one(id, of: owner, in: tx) != nil else {
            throw AppError(.invalid, .placeUnknown, field: "placeId")
        }
        return (settings, try SafePlaceStore.lock(id, of: owner, in: tx))
    }

    /// Where the item is by a recent position; `nil` for unknown.
    private static func isInside(_ last: PositionSample?, _ area: SafeArea, now: Instant) -> Bool? {
        guard let last, SeparationAlertRule.counts(last, now: now) else { return nil }
        return GeofenceRule(area: area, dwellSeconds: 0).side(of: last)
    }
}

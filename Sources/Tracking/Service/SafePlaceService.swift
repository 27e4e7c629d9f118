package import Accounts
package import Kernel
import Storage

/// Safe places, inside which no separation causes an alert.
package struct SafePlaceService: Sendable {
    let database: Database
    let clock: any WallClock
    let random: any RandomSource
    let notifier = PositionShareNotifier()

    /// Returns a page of the actor's safe places, in the order of their creation.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<SafePlace> {
        let request = try PageRequest<ID<SafePlace>>(after: after, limit: limit)
        let places = try await database.read { tx in
            try SafePlaceStore.page(of: actor.person, after: request.after, limit: request.rows, in: tx)
        }
        return request.page(places, \.id)
    }

    /// Returns one safe place.
    /// - Throws: `AppError.notFound`.
    package func safePlace(_ id: ID<SafePlace>, for actor: Actor) async throws -> SafePlace {
        let place = try await database.read { tx in try SafePlaceStore.one(id, of: actor.person, in: tx) }
        guard let place else { throw AppError.notFound }
        return place
    }

    /// Returns the positions that a new safe place can copy, with that of one item.
    /// - Parameter id: An item whose position the new place copies; `nil` for none.
    /// - Throws: `AppError.notFound` for another account's item.
    package func knownPositions(for actor: Actor, of id: ID<Item>? = nil) async throws -> KnownPositions {
        let now = clock.now
        return try await database.read { tx in
            let chosen = try id.map { id in
                guard let row = try OverviewStore.one(id, of: actor.person, now: now, in: tx) else {
                    throw AppError.notFound
                }
                return row
            }
            let items = try OverviewStore.page(
                of: actor.person, after: nil, limit: Limits.pageSizeMaximum, now: now, in: tx)
            return KnownPositions(
                phone: try PositionStore.phone(for: actor, now: now, in: tx)?.coordinate,
                chosen: chosen?.lastFix?.coordinate,
                items: Array(
                    items.compactMap { row in
                        row.lastFix.map { KnownItemPosition(item: row.item, coordinate: $0.coordinate) }
                    }.prefix(Limits.positionsForNewPlace)))
        }
    }

    /// Adds a safe place.
    /// - Throws: `AppError`: `invalid` at `name`, `latitude`, `longitude`, `radiusMetres`, `outline`; `conflict` when
    ///   the account already has `Limits.safePlacesPerAccount` safe places.
    package func create(_ input: SafePlaceInput, by change: Change) async throws -> SafePlace {
        let now = clock.now
        let owner = change.actor.person
        let id = ID<SafePlace>(at: now, random: random)
        let place = try SafePlace(
            id: id, createdAt: now,
            SafePlaceDraft(
                name: input.name, latitude: input.latitude, longitude: input.longitude,
                radiusMetres: input.radiusMetres ?? SafePlace.standardRadiusMetres, outline: input.outline
            )
        )
        let once = try await database.write { tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                guard try SafePlaceStore.count(of: owner, in: tx) < Limits.safePlacesPerAccount else {
                    throw AppError(.conflict, .tooManyPlaces)
                }
                try SafePlaceStore.insert(place, owner: owner, in: tx)
                try AlertStore.endSeparations(of: owner, within: place.area, now: now, in: tx)
                try tx.publish(TrackingEvents.safePlace(place.id, of: owner, version: place.version, now: now))
            }
        }
        guard let created = ID<SafePlace>(once.resource) else { throw AppError.notFound }
        return try await safePlace(created, for: change.actor)
    }

    /// Changes a safe place, in one transaction. People whom a rule about the place concerns are notified, because the
    /// rule now reports something else.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale; `invalid` as for
    ///   ``create(_:by:)``.
    package func update(
        _ id: ID<SafePlace>, _ patch: SafePlacePatch, by change: Change
    ) async throws -> SafePlace {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { [notifier] tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let place = try SafePlaceStore.lock(id, of: owner, in: tx)
                if change.isStale(at: place.version) { throw AppError(.conflict, .movedOn) }
                let changed = try place.with(SafePlaceDraft(place).with(patch))
                guard changed != place else { return }
                try SafePlaceStore.update(changed, in: tx)
                if changed.area != place.area {
                    try AlertStore.endSeparations(of: owner, within: changed.area, now: now, in: tx)
                    try GeofenceStore.reset(about: id, in: tx)
                    try PersonRuleStore.reset(about: id, in: tx)
                }
                if changed.area != place.area || changed.name != place.name {
                    for rule in try PersonRuleStore.increaseVersions(about: id, in: tx) {
                        try notifier.notify(ofRule: rule, now: now, in: tx)
                    }
                }
                try tx.publish(TrackingEvents.safePlace(id, of: owner, version: changed.version, now: now))
            }
        }
        return try await safePlace(id, for: change.actor)
    }

    /// Deletes a safe place.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale.
    package func delete(_ id: ID<SafePlace>, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let place = try SafePlaceStore.lock(id, of: owner, in: tx)
                if change.isStale(at: place.version) { throw AppError(.conflict, .movedOn) }
                try GeofenceStore.delete(about: id, in: tx)
                for person in try PersonRuleStore.delete(about: id, in: tx) {
                    try tx.publish(TrackingEvents.sharing(of: person, now: now))
                }
                try SafePlaceStore.delete(id, in: tx)
                try tx.publish(TrackingEvents.safePlace(id, of: owner, version: place.version + 1, now: now))
            }
        }
    }
}

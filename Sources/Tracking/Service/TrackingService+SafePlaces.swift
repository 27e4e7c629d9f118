package import Accounts
package import Kernel
import Notifications
import Storage

extension TrackingService {
    /// Returns a page of the actor's safe places, in the order of their creation.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func safePlaces(for actor: Actor, after: String?, limit: Int) async throws -> TrackingPage<SafePlace> {
        let after: ID<SafePlace>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let places = try await database.read { tx in
            try SafePlaceStore.page(of: actor.person, after: after, limit: limit + 1, in: tx)
        }
        return TrackingPage(places, limit: limit) { $0.id.description }
    }

    /// Returns one safe place.
    /// - Throws: `AppError.notFound`.
    package func safePlace(_ id: ID<SafePlace>, for actor: Actor) async throws -> SafePlace {
        let place = try await database.read { tx in try SafePlaceStore.one(id, of: actor.person, in: tx) }
        guard let place else { throw AppError.notFound }
        return place
    }

    /// Adds a safe place.
    /// - Throws: `AppError`: `invalid` at `name`, `latitude`, `longitude`, `radiusMetres`; `conflict` when the account
    ///   already has `Limits.safePlacesPerAccount` safe places.
    package func addSafePlace(_ input: SafePlaceInput, by change: Change) async throws -> SafePlace {
        let now = clock.now
        let owner = change.actor.person
        let id = ID<SafePlace>(at: now, random: random)
        let place = try SafePlace(
            id: id, createdAt: now,
            SafePlaceDraft(
                name: input.name, latitude: input.latitude, longitude: input.longitude,
                radiusMetres: input.radiusMetres ?? SafePlace.standardRadiusMetres
            )
        )
        let once = try await database.write { tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                guard try SafePlaceStore.count(of: owner, in: tx) < Limits.safePlacesPerAccount else {
                    throw AppError(.conflict, .tooManyPlaces)
                }
                try SafePlaceStore.insert(place, owner: owner, in: tx)
                try tx.publish(TrackingEvents.safePlace(place.id, of: owner, version: place.version, now: now))
            }
        }
        guard let made = ID<SafePlace>(once.resource) else { throw AppError.notFound }
        return try await safePlace(made, for: change.actor)
    }

    /// Changes a safe place, in one transaction.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale; `invalid` as for
    ///   ``addSafePlace(_:by:)``.
    package func updateSafePlace(
        _ id: ID<SafePlace>, _ patch: SafePlacePatch, by change: Change
    ) async throws -> SafePlace {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let place = try SafePlaceStore.lock(id, of: owner, in: tx)
                if change.isStale(at: place.version) { throw AppError(.conflict, .movedOn) }
                let changed = try place.with(SafePlaceDraft(place).with(patch))
                guard changed != place else { return }
                try SafePlaceStore.update(changed, in: tx)
                try tx.publish(TrackingEvents.safePlace(id, of: owner, version: changed.version, now: now))
            }
        }
        return try await safePlace(id, for: change.actor)
    }

    /// Deletes a safe place.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale.
    package func deleteSafePlace(_ id: ID<SafePlace>, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let place = try SafePlaceStore.lock(id, of: owner, in: tx)
                if change.isStale(at: place.version) { throw AppError(.conflict, .movedOn) }
                try SafePlaceStore.delete(id, in: tx)
                try tx.publish(TrackingEvents.safePlace(id, of: owner, version: place.version + 1, now: now))
            }
        }
    }

    /// Whether the actor's notifications contain a separation alert.
    package func hasAlerts(_ actor: Actor) async throws -> Bool {
        try await database.read { tx in try Notice.count(.itemTooFar, of: actor.person, upTo: 1, in: tx) > 0 }
    }

    /// Returns the offer to change the alert mode; `nil` for none.
    package func alertOffer(for actor: Actor) async throws -> AlertOffer? {
        try await database.read { tx in
            guard let choice = try AlertStore.choice(of: actor.person, in: tx) else {
                return try AlertStore.hasTracker(actor.person, in: tx) ? .firstChoice : nil
            }
            guard choice == .everyTime else { return nil }
            let most = Limits.alertsWithOffer
            let told = try Notice.count(.itemTooFar, of: actor.person, upTo: most + 1, in: tx)
            return (1...most).contains(told) ? .afterAlerts : nil
        }
    }

    /// Returns the actor's alert mode.
    package func alertMode(for actor: Actor) async throws -> AlertMode {
        try await database.read { tx in try AlertStore.mode(of: actor.person, in: tx) }
    }

    /// Sets the actor's alert mode, for all items.
    package func setAlertMode(_ mode: AlertMode, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: "") {
                // The first choice is stored even if it equals the default: the app asks only once.
                guard try AlertStore.choice(of: owner, in: tx) != mode else { return }
                try AlertStore.setMode(mode, of: owner, in: tx)
                try tx.publish(TrackingEvents.alerts(of: owner, now: now))
            }
        }
    }
}

extension TrackingEvents {
    static func safePlace(_ id: ID<SafePlace>, of owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        ChangeEvent(
            audience: owner, kind: "place", resource: "/tracking/safe-places/\(id)", version: version, at: now
        )
    }

    static func alerts(of owner: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: "place", resource: "/tracking/alerts", version: 0, at: now)
    }
}

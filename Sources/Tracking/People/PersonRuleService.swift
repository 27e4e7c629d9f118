package import Accounts
package import Kernel
import Storage

/// Rules about people who share their position. The person is notified of each one, sees it, and
/// can end it.
package struct PersonRuleService: Sendable {
    let database: Database
    let households: any HouseholdPeopleReader
    let clock: any WallClock
    let random: any RandomSource
    let notifier = PositionShareNotifier()

    /// Returns one of the actor's rules.
    /// - Throws: `AppError.notFound`.
    package func rule(_ id: ID<PersonRule>, about person: PersonID, for actor: Actor) async throws -> PersonRule {
        let now = clock.now
        return try await database.read { [households] tx in
            _ = try Self.requireShare(of: person, with: actor.person, households, now: now, in: tx)
            guard let rule = try Self.owned(id, about: person, by: actor.person, in: tx) else {
                throw AppError.notFound
            }
            return rule
        }
    }

    /// Adds a rule about a person. One that is in the place already hasn't arrived by that.
    /// - Throws: `AppError`: `notFound`; `invalid` as for ``GeofenceService/create(_:of:by:)``; `conflict` at
    ///   `Limits.rulesPerPerson`.
    package func create(
        _ input: GeofenceInput, about person: PersonID, by change: Change
    ) async throws -> PersonRule {
        let now = clock.now
        let owner = change.actor.person
        let id = ID<PersonRule>(at: now, random: random)
        let once = try await database.write { [households, notifier] tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                let share = try Self.requireShare(of: person, with: owner, households, now: now, in: tx)
                let settings = try GeofenceSettings(input)
                let place = try Self.lockPlace(input.place, of: owner, in: tx)
                guard try PersonRuleStore.list(about: person, owner: owner, in: tx).count < Limits.rulesPerPerson
                else { throw AppError(.conflict, .tooManyPersonRules) }
                let rule = PersonRule(
                    id: id, person: person, owner: owner, place: place.id, placeName: place.name, settings: settings,
                    version: 1, createdAt: now)
                let last = try PositionShareStore.position(of: share, now: now, in: tx)
                try PersonRuleStore.insert(
                    rule, isInside: Self.isInside(last, place.area, now: now), lastAt: last?.at, now: now, in: tx)
                try notifier.notify(ofRule: rule, now: now, in: tx)
            }
        }
        guard let created = ID<PersonRule>(once.resource) else { throw AppError.notFound }
        return try await rule(created, about: person, for: change.actor)
    }

    /// Changes a rule.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale; `invalid` as for
    ///   ``create(_:about:by:)``.
    package func update(
        _ id: ID<PersonRule>, about person: PersonID, _ input: GeofenceInput, by change: Change
    ) async throws -> PersonRule {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { [households, notifier] tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let share = try Self.requireShare(of: person, with: owner, households, now: now, in: tx)
                guard try Self.owned(id, about: person, by: owner, in: tx) != nil else { throw AppError.notFound }
                let settings = try GeofenceSettings(input)
                let place = try Self.lockPlace(input.place, of: owner, in: tx)
                guard let before = try PersonRuleStore.lock(id, in: tx)?.rule else { throw AppError.notFound }
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                guard settings != before.settings || place.id != before.place else { return }
                let after = PersonRule(
                    id: id, person: person, owner: owner, place: place.id, placeName: place.name, settings: settings,
                    version: before.version + 1, createdAt: before.createdAt)
                let last = try PositionShareStore.position(of: share, now: now, in: tx)
                try PersonRuleStore.update(
                    after, isOtherPlace: place.id != before.place,
                    isInside: Self.isInside(last, place.area, now: now), lastAt: last?.at, now: now, in: tx)
                try notifier.notify(ofRule: after, now: now, in: tx)
            }
        }
        return try await rule(id, about: person, for: change.actor)
    }

    /// Deletes a rule.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale.
    package func delete(_ id: ID<PersonRule>, about person: PersonID, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { [households] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                _ = try Self.requireShare(of: person, with: owner, households, now: now, in: tx)
                guard let rule = try Self.owned(id, about: person, by: owner, in: tx) else { throw AppError.notFound }
                if change.isStale(at: rule.version) { throw AppError(.conflict, .movedOn) }
                guard try PersonRuleStore.delete(id, in: tx) else { throw AppError.notFound }
                try tx.publish(TrackingEvents.position(of: person, to: owner, now: now))
                try tx.publish(TrackingEvents.sharing(of: person, now: now))
            }
        }
    }

    private static func requireShare(
        of person: PersonID, with viewer: PersonID, _ households: any HouseholdPeopleReader, now: Instant,
        in tx: Transaction
    ) throws -> PositionShare {
        guard let share = try PeopleService.share(of: person, with: viewer, households, now: now, in: tx) else {
            throw AppError.notFound
        }
        return share
    }

    private static func owned(
        _ id: ID<PersonRule>, about person: PersonID, by owner: PersonID, in tx: Transaction
    ) throws -> PersonRule? {
        guard let rule = try PersonRuleStore.one(id, in: tx), rule.owner == owner, rule.person == person else {
            return nil
        }
        return rule
    }

    private static func lockPlace(_ id: ID<SafePlace>?, of owner: PersonID, in tx: Transaction) throws -> SafePlace {
        guard let id, try SafePlaceStore.one(id, of: owner, in: tx) != nil else {
            throw AppError(.invalid, .placeUnknown, field: "placeId")
        }
        return try SafePlaceStore.lock(id, of: owner, in: tx)
    }

    /// Where the person is by a recent position; `nil` for unknown.
    private static func isInside(_ last: SharedPosition?, _ area: SafeArea, now: Instant) -> Bool? {
        guard let last else { return nil }
        let sample = PositionSample(at: last.at, coordinate: last.coordinate, accuracyMetres: last.accuracyMetres)
        guard SeparationAlertRule.counts(sample, now: now) else { return nil }
        return GeofenceRule(area: area, dwellSeconds: 0).side(of: sample)
    }
}
